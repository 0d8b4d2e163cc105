import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { crds } from '../../src/api/index.ts';
import type { CustomResourceDefinition } from '../../src/api/index.ts';
import { createHub, listen } from '../../src/apiserver/index.ts';
import { openAuthority, writeKubeconfig } from '../../src/auth/index.ts';
import { memoryStore } from '../../src/store/index.ts';
import { programOf } from '../kit/programs.ts';

/** The oldest kubectl that we promise, the first that asks for OpenAPI v3 alone, and the newest. */
const versions = ['kubectl.1.27', 'kubectl.1.29', 'kubectl.1.33'];

const widgets: CustomResourceDefinition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.shop.example.com' },
  spec: {
    group: 'shop.example.com',
    scope: 'Namespaced',
    names: { plural: 'widgets', kind: 'Widget', shortNames: ['wd'] },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        additionalPrinterColumns: [{ name: 'Size', type: 'integer', jsonPath: '.spec.size' }],
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                required: ['size'],
                properties: {
                  size: { type: 'integer', minimum: 1, description: 'How large it is.' },
                  color: { type: 'string', default: 'red', enum: ['red', 'blue'] },
                  most: { type: 'integer' },
                },
                'x-kubernetes-validations': [
                  { rule: '!has(self.most) || self.size <= self.most', message: 'size is more than most' },
                  { rule: 'self.color == oldSelf.color', message: 'color never changes' },
                ],
              },
              status: { type: 'object', properties: { ready: { type: 'boolean' } } },
            },
          },
        },
      },
    ],
  },
};

interface Outcome {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

let folder: string;
let close: () => Promise<void>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'schemas-'));
  const authority = await openAuthority();
  const store = memoryStore();
  const hub = await createHub({ store, definitions: crds(), authority });
  const listener = await listen({ hub, serving: authority.serving, clientAuthority: authority.certificate, port: 0 });
  const server = `https://127.0.0.1:${listener.port}`;
  await writeKubeconfig(join(folder, 'kubeconfig'), [
    { name: 'hub', server, certificateAuthority: authority.certificate, user: authority.admin },
  ]);
  close = async () => {
    await listener.close();
    await hub.close();
    await store.close();
    await rm(folder, { recursive: true });
  };
});

afterAll(() => close());

function run(program: string, args: readonly string[], input?: unknown): Promise<Outcome> {
  const shared = ['--kubeconfig', join(folder, 'kubeconfig'), '--cache-dir', join(folder, program)];
  return new Promise((resolve) => {
    const child = execFile(programOf(program), [...args, ...shared], (error, out, err) =>
      resolve({ code: error ? 1 : 0, out, err }),
    );
    child.stdin?.end(input === undefined ? '' : JSON.stringify(input));
  });
}

describe.each(versions)('%s', (kubectl) => {
  const widget = (name: string, spec: object): object => ({
    apiVersion: 'shop.example.com/v1',
    kind: 'Widget',
    metadata: { name, namespace: 'default' },
    spec,
  });
  const apply = (object: object): Promise<Outcome> => run(kubectl, ['apply', '-f', '-'], object);

  it('explains built-in kinds', async () => {
    const { out, err } = await run(kubectl, ['explain', 'deployment.spec']);
    expect(err).toBe('');
    expect(out).toMatch(/replicas\s+<integer>/);
    expect(out).toMatch(/template\s+<PodTemplateSpec>/);
    const { out: recursive } = await run(kubectl, ['explain', 'pod.spec.containers.ports', '--recursive']);
    expect(recursive).toMatch(/containerPort\s+<integer>/);
  });

  it('explains by OpenAPI v2', async () => {
    const { out, err } = await run(kubectl, ['explain', 'deployment.spec', '--output=plaintext-openapiv2']);
    expect(err).toBe('');
    expect(out).toMatch(/RESOURCE: spec <Object>/);
    expect(out).toMatch(/replicas\s+<integer>/);
  });

  it('lists what the hub serves', async () => {
    const { out } = await run(kubectl, ['api-resources', '--no-headers']);
    expect(out).toMatch(/^propagationpolicies\s+pp\s+policy\.karmada\.io\/v1alpha1\s+true\s+PropagationPolicy/m);
    expect(out).toMatch(/^deployments\s+deploy\s+apps\/v1\s+true\s+Deployment/m);
  });

  it('takes a definition from its creation to its end', async () => {
    expect(await apply(widgets)).toMatchObject({ code: 0, out: expect.stringContaining('created') as string });
    const wait = ['wait', '--for=condition=Established', 'crd/widgets.shop.example.com', '--timeout=20s'];
    expect(await run(kubectl, wait)).toMatchObject({ code: 0 });
    const { out: words } = await run(kubectl, ['explain', 'widget.spec']);
    expect(words).toMatch(/size\s+<integer> -required-/);
    expect(words).toContain('How large it is.');

    expect(await apply(widget('a', { size: 2 }))).toMatchObject({ code: 0 });
    const { out: row } = await run(kubectl, ['get', 'wd', 'a', '--no-headers']);
    expect(row).toMatch(/^a\s+2\s*$/);
    const { out: color } = await run(kubectl, ['get', 'wd', 'a', '-o', 'jsonpath={.spec.color}']);
    expect(color).toBe('red');

    expect(await run(kubectl, ['delete', 'crd', 'widgets.shop.example.com', '--timeout=20s'])).toMatchObject({
      code: 0,
    });
    const gone = await run(kubectl, ['get', 'widgets.shop.example.com']);
    expect(gone.err).toContain(`the server doesn't have a resource type "widgets"`);
  });

  it('is told what is wrong', async () => {
    await apply(widgets);
    await run(kubectl, ['wait', '--for=condition=Established', 'crd/widgets.shop.example.com', '--timeout=20s']);
    const cases: [object, string][] = [
      [{ size: 'x' }, 'spec.size: Invalid value: "string": spec.size in body must be of type integer: "string"'],
      [{}, 'spec.size: Required value'],
      [{ size: 0 }, 'spec.size: Invalid value: 0: spec.size in body should be greater than or equal to 1'],
      [{ size: 1, color: 'green' }, 'spec.color: Unsupported value: "green": supported values: "red", "blue"'],
      [{ size: 1, sizze: 2 }, 'strict decoding error: unknown field "spec.sizze"'],
      [{ size: 3, most: 2 }, 'spec: Invalid value: "object": size is more than most'],
    ];
    for (const [spec, expected] of cases) expect((await apply(widget('b', spec))).err).toContain(expected);
    await apply(widget('c', { size: 1 }));
    expect((await apply(widget('c', { size: 1, color: 'blue' }))).err).toContain('color never changes');
    const [v1] = widgets.spec.versions;
    const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-validations': [{ rule: 'self.nope == 1' }] } };
    const broken = { ...widgets, spec: { ...widgets.spec, versions: [{ ...v1, schema }] } };
    expect((await apply(broken)).err).toContain("undefined field 'nope'");
    await run(kubectl, ['delete', 'crd', 'widgets.shop.example.com', '--timeout=20s']);
  });
});

it('keeps kubectl from typing what the hub does not know', async () => {
  const file = join(folder, 'deployment.json');
  const object = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'default' },
    spec: { replicaz: 1, selector: { matchLabels: { a: 'b' } }, template: { spec: { containers: [{ name: 'c' }] } } },
  };
  await writeFile(file, JSON.stringify(object));
  const { err } = await run('kubectl.1.33', ['create', '-f', file]);
  expect(err).toContain(
    'Deployment in version "v1" cannot be handled as a Deployment: strict decoding error: unknown field "spec.replicaz"',
  );
});
