/** Names of members of Object.prototype are names like any other, wherever a client may write one. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { attackedHub } from '../kit/attack.ts';
import type { AttackedHub } from '../kit/attack.ts';

const words = ['__proto__', 'constructor', 'toString', 'valueOf', 'hasOwnProperty', '__defineGetter__'];
const maps = '/api/v1/namespaces/default/configmaps';

let attacked: AttackedHub;
beforeAll(async () => {
  attacked = await attackedHub();
});
afterAll(async () => {
  expect(attacked.faults).toEqual([]);
  await attacked.close();
});

/** An object with one member of this name, which no literal can have for `__proto__`. */
const only = (name: string, value: unknown): object => JSON.parse(`{${JSON.stringify(name)}:${JSON.stringify(value)}}`);

const configMap = (name: string, more: object = {}, metadata: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, ...metadata },
  ...more,
});

const paths = (word: string): readonly string[] => [
  `/${word}`,
  `/api/${word}`,
  `/apis/${word}`,
  `/apis/${word}/v1`,
  `/apis/${word}/${word}/${word}`,
  `/apis/apps/${word}`,
  `/apis/apps/v1/${word}`,
  `/api/v1/${word}`,
  `/api/v1/namespaces/${word}`,
  `/api/v1/namespaces/${word}/configmaps`,
  `/api/v1/namespaces/default/${word}`,
  `/api/v1/namespaces/default/configmaps/${word}`,
  `/api/v1/namespaces/default/configmaps/${word}/${word}`,
  `/api/v1/namespaces/default/pods/x/${word}`,
  `/livez/${word}`,
  `/openapi/${word}`,
  `/openapi/v3/${word}`,
  `/openapi/v3/apis/${word}/v1`,
  `${maps}?labelSelector=${word}`,
  `${maps}?labelSelector=${word}%3D${word}`,
  `${maps}?labelSelector=${word}+in+(a)`,
  `${maps}?fieldSelector=${word}%3Dx`,
  `${maps}?fieldSelector=metadata.${word}%3Dx`,
  `${maps}?${word}=1`,
];

describe.each(words)('%s', (word) => {
  test.each(paths(word))('GET %s is answered as any unknown name is', async (path) => {
    const { status } = await attacked.send(`GET ${path}`);
    const { status: ordinary } = await attacked.send(
      `GET ${path.replaceAll(word, word.startsWith('_') ? '__ordinary__' : 'ordinary')}`,
    );
    expect(status).toBe(ordinary);
    expect(status).toBeLessThan(500);
  });

  test.each(['POST', 'PUT', 'PATCH', 'DELETE', word.toUpperCase()])(
    '%s on it is no failure of the hub',
    async (method) => {
      for (const path of paths(word)) expect((await attacked.send(`${method} ${path}`)).status).toBeLessThan(500);
    },
  );

  test('a ConfigMap keeps it as a key of data, of labels and of annotations', async () => {
    const name = `of-${words.indexOf(word)}`;
    // A label key may begin with no underscore.
    const labels = word.startsWith('_') ? {} : { labels: only(word, 'x') };
    const annotations = word.startsWith('_') ? {} : { annotations: only(word, 'x') };
    const wanted = configMap(name, { data: only(word, 'kept') }, { ...labels, ...annotations });
    const created = await attacked.send(`POST ${maps}`, { body: wanted });
    expect(created.text).toContain(`"${word}":"kept"`);
    expect(created.status).toBe(201);
    expect((await attacked.send(`GET ${maps}/${name}`)).json).toMatchObject(wanted);

    const merged = { data: only(word, 'merged') };
    const types = ['application/merge-patch+json', 'application/strategic-merge-patch+json'];
    for (const type of types) {
      const answer = await attacked.send(`PATCH ${maps}/${name}`, { body: merged, type });
      expect(answer.text).toContain(`"${word}":"merged"`);
    }
    const operations = [{ op: 'replace', path: `/data/${word}`, value: 'patched' }];
    const patched = await attacked.send(`PATCH ${maps}/${name}`, {
      body: operations,
      type: 'application/json-patch+json',
    });
    expect(patched.text).toContain(`"${word}":"patched"`);
    const current = JSON.parse(patched.text) as object;
    const put = await attacked.send(`PUT ${maps}/${name}`, { body: { ...current, data: only(word, 'put') } });
    expect(put.text).toContain(`"${word}":"put"`);
    const listed = await attacked.send(`GET ${maps}`);
    expect(listed.text).toContain(`"${word}":"put"`);
  });

  test('server-side apply owns it, keeps it and removes it', async () => {
    const name = `applied-${words.indexOf(word)}`;
    const apply = (data: object): ReturnType<AttackedHub['send']> =>
      attacked.send(`PATCH ${maps}/${name}?fieldManager=a&force=true`, {
        body: configMap(name, { data }),
        type: 'application/apply-patch+yaml',
      });
    expect((await apply(only(word, 'x'))).text).toContain(`"${word}":"x"`);
    const again = await apply({ ...only(word, 'y'), other: 'o' });
    expect(again.text).toContain(`"${word}":"y"`);
    expect(again.text).toContain(`"f:${word}":{}`);
    expect((await apply({ other: 'o' })).text).not.toContain(`"${word}"`);
  });

  test('YAML may hold it', async () => {
    const name = `yaml-${words.indexOf(word)}`;
    const body = `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\ndata: {"${word}": kept}\n`;
    const { status, text } = await attacked.send(`POST ${maps}`, { body, type: 'application/yaml' });
    expect(text).toContain(`"${word}":"kept"`);
    expect(status).toBe(201);
  });

  test('it is no field, kind or version of anything', async () => {
    const strange = [
      configMap('x', only(word, {})),
      configMap('x', {}, only(word, {})),
      { ...configMap('x'), kind: word },
      { ...configMap('x'), apiVersion: word },
      { ...configMap('x'), apiVersion: `${word}/${word}` },
    ];
    for (const body of strange) {
      const answer = await attacked.send(`POST ${maps}?dryRun=All&fieldValidation=Strict`, { body });
      expect([answer.status, answer.text]).toEqual([400, expect.anything()]);
    }
    const apps = '/apis/apps/v1/namespaces/default/deployments';
    const selector = { matchLabels: only(word, 'x') };
    const pod = { metadata: { labels: only(word, 'x') }, spec: only(word, 'x') };
    const body = {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'x' },
      spec: { selector, template: pod },
    };
    expect((await attacked.send(`POST ${apps}?dryRun=All`, { body })).status).toBe(422);
    for (const path of [`/spec/${word}`, `/${word}`, `/${word}/${word}`, `/metadata/${word}/x`]) {
      const type = 'application/json-patch+json';
      await attacked.send(`POST ${maps}`, { body: configMap('patched') });
      const answer = await attacked.send(`PATCH ${maps}/patched?dryRun=All`, {
        body: [{ op: 'add', path, value: 1 }],
        type,
      });
      expect(answer.status).toBeLessThan(500);
    }
  });

  test('a definition may have it in its schema, and its objects keep it', async () => {
    const group = `g${words.indexOf(word)}.example.com`;
    const schema = {
      type: 'object',
      properties: { spec: { type: 'object', properties: only(word, { type: 'string' }) } },
    };
    const definition = (versions: readonly object[]): object => ({
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: `things.${group}` },
      spec: { group, scope: 'Cluster', names: { plural: 'things', kind: 'Thing' }, versions },
    });
    const version = { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } };
    const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    const strange = [
      definition([{ ...version, name: word }]),
      definition([{ ...version, ...only(word, {}) }]),
      definition([{ ...version, labels: only(word, 'x') }]),
      definition([{ ...version, subresources: only(word, {}) }]),
      definition([{ ...version, schema: { openAPIV3Schema: { ...schema, type: word } } }]),
      definition([{ ...version, schema: { openAPIV3Schema: { ...schema, required: [word] } } }]),
    ];
    for (const body of strange) {
      expect((await attacked.send(`POST ${crds}?dryRun=All`, { body })).status).toBeLessThan(500);
    }
    expect((await attacked.send(`POST ${crds}`, { body: definition([version]) })).status).toBe(201);
    const thing = { apiVersion: `${group}/v1`, kind: 'Thing', metadata: { name: 'a' }, spec: only(word, 'kept') };
    await expect
      .poll(async () => (await attacked.send(`POST /apis/${group}/v1/things`, { body: thing })).status)
      .toBe(201);
    expect((await attacked.send(`GET /apis/${group}/v1/things/a`)).text).toContain(`"${word}":"kept"`);
    for (const path of ['/openapi/v2', `/openapi/v3/apis/${group}/v1`]) {
      expect((await attacked.send(`GET ${path}`)).status).toBe(200);
    }
  });
});

test('an object without a name is refused in every kind', async () => {
  const { resources } = (await attacked.send('GET /apis/batch/v1')).json as {
    resources: { name: string; kind: string }[];
  };
  for (const { name, kind } of resources.filter(({ name }) => !name.includes('/'))) {
    const body = { apiVersion: 'batch/v1', kind, metadata: {}, spec: {} };
    const { status } = await attacked.send(`POST /apis/batch/v1/namespaces/default/${name}`, { body });
    expect([kind, status]).toEqual([kind, 422]);
  }
});
