/** Nesting: bodies that are too deep are refused, and everything that the hub does survives the deepest that it takes. */
import { dump } from 'js-yaml';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { attackedHub, define } from '../kit/attack.ts';
import type { AttackAnswer, AttackedHub } from '../kit/attack.ts';
import { thingsOf } from '../kit/objects.ts';

const things = '/apis/deep.example.com/v1/things';
const anything = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
const definition = thingsOf('deep.example.com', {
  subresources: { status: {} },
  additionalPrinterColumns: [{ name: 'Spec', type: 'string', jsonPath: '.spec' }],
  schema: { openAPIV3Schema: { type: 'object', properties: { spec: anything, status: anything } } },
});

let attacked: AttackedHub;
beforeAll(async () => {
  attacked = await attackedHub();
  await define(attacked, definition);
});
afterAll(async () => {
  expect(attacked.faults).toEqual([]);
  await attacked.close();
});

/** A word within a number of levels of arrays or objects. */
const nest = (levels: number, open: string, close: string): string =>
  `${open.repeat(levels)}"x"${close.repeat(levels)}`;
const objects = (levels: number): string => nest(levels, '{"a":', '}');
const arrays = (levels: number): string => nest(levels, '[', ']');

const head = (name: string): string =>
  `"apiVersion":"deep.example.com/v1","kind":"Thing","metadata":{"name":"${name}"}`;
const thing = (name: string, spec: string): string => `{${head(name)},"spec":{"a":${spec}}}`;

/** The most levels that a body may have, without the two of object and spec. */
const most = 498;
const patchTypes = ['application/merge-patch+json', 'application/json-patch+json', 'application/apply-patch+yaml'];

describe.each([
  ['objects', objects],
  ['arrays', arrays],
])('%s', (shape, of) => {
  test.each([most + 1, 3000, 9000, 100_000])('%i levels are refused with 400', async (levels) => {
    const body = thing('deep', of(levels));
    const created = await attacked.send(`POST ${things}`, { body });
    expect([created.status, created.json['message']]).toEqual([400, expect.stringContaining('exceeded max depth')]);
    for (const type of patchTypes) {
      await attacked.send(`POST ${things}`, { body: thing('shallow', '1') });
      const patch = type.includes('json-patch') ? `[{"op":"add","path":"/spec/b","value":${of(levels)}}]` : body;
      const answer = await attacked.send(`PATCH ${things}/shallow?fieldManager=m`, { body: patch, type });
      expect([type, answer.status]).toEqual([type, 400]);
    }
    const put = await attacked.send(`PUT ${things}/shallow`, { body });
    expect(put.status).toBe(400);
    const yaml = await attacked.send(`POST ${things}`, { body, type: 'application/yaml' });
    expect(yaml.status).toBe(400);
  });

  test('the deepest body that is taken can be read, listed, changed, applied, shown and deleted', async () => {
    const name = `deepest-${shape}`;
    const spec = of(most);
    const fine = async (line: string, attack = {}): Promise<AttackAnswer> => {
      const answer = await attacked.send(line, attack);
      expect([line, answer.status < 300]).toEqual([line, true]);
      return answer;
    };
    await fine(`POST ${things}`, { body: thing(name, spec) });
    expect((await fine(`GET ${things}/${name}`)).text).toContain(spec);
    await fine(`GET ${things}`);
    for (const accept of ['application/json;as=Table;v=v1;g=meta.k8s.io', 'application/yaml']) {
      await fine(`GET ${things}/${name}`, { headers: { accept } });
    }
    const { json } = await fine(`GET ${things}/${name}`);
    await fine(`PUT ${things}/${name}`, {
      body: { ...json, metadata: { ...(json['metadata'] as object), labels: { a: 'b' } } },
    });
    await fine(`PUT ${things}/${name}/status`, {
      body: { ...(await fine(`GET ${things}/${name}`)).json, status: { a: JSON.parse(spec) as object } },
    });
    for (const manager of ['one', 'two', 'one']) {
      const type = 'application/apply-patch+yaml';
      await fine(`PATCH ${things}/${name}?fieldManager=${manager}&force=true`, { type, body: thing(name, spec) });
    }
    const yaml = dump(JSON.parse(thing(name, spec)), { flowLevel: 40 });
    await fine(`PATCH ${things}/${name}?fieldManager=three&force=true`, {
      type: 'application/apply-patch+yaml',
      body: yaml,
    });
    await fine(`PATCH ${things}/${name}`, { type: patchTypes[0], body: `{"spec":{"a":${spec},"b":${spec}}}` });
    await fine(`PATCH ${things}/${name}`, {
      type: patchTypes[1],
      body: '[{"op":"copy","from":"/spec/a","path":"/spec/c"}]',
    });
    await fine(`DELETE ${things}/${name}`);
  });
});

test('a JSON patch cannot make an object deeper than a body may be', async () => {
  await attacked.send(`POST ${things}`, { body: thing('doubled', objects(most)) });
  const deepest = `/spec${'/a'.repeat(most + 1)}`;
  const once = { op: 'copy', from: '/spec', path: deepest };
  const type = 'application/json-patch+json';
  for (const operations of [
    [once],
    [once, { ...once, path: deepest + deepest.slice(5) }],
    Array.from({ length: 50 }, () => once),
  ]) {
    const { status } = await attacked.send(`PATCH ${things}/doubled`, { type, body: operations });
    expect(status).toBe(422);
  }
});
