/** A real kube-apiserver takes our definitions without a warning, explains every field, and applies policies. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { crds, refOf } from '../../src/api/index.ts';
import type { CustomResourceDefinition, KubeObject, Schema } from '../../src/api/index.ts';
import { install, remoteHub } from '../../src/app/index.ts';
import { ApiClient, HttpsTransport } from '../../src/client/index.ts';
import { wallClock } from '../../src/observe/index.ts';
import { startCluster, startEtcd } from '../kit/kube/cluster.ts';
import type { Etcd, KubeCluster } from '../kit/kube/cluster.ts';
import { policy } from '../kit/objects.ts';
import { programOf } from '../kit/programs.ts';

let etcd: Etcd;
let hub: KubeCluster;
let user: ApiClient;
const warnings: string[] = [];

beforeAll(async () => {
  etcd = await startEtcd();
  hub = await startCluster({ name: 'hub', etcd });
  const remote = remoteHub(hub.connection(), { userAgent: 'test' });
  await remote.refresh();
  const did = new Set<string>();
  await install(remote, crds(), { dryRun: false, clock: wallClock, tell: (one) => did.add(one.did) });
  expect([...did]).toEqual(['created']);
  const { resources } = remote.client;
  user = new ApiClient({
    transport: new HttpsTransport(hub.connection()),
    resources: () => resources,
    fieldManager: 'kubectl',
    onWarning: (text) => warnings.push(text),
  });
});
afterAll(async () => {
  await user?.close();
  await hub?.close();
  await etcd?.close();
});

test('the definitions are accepted strictly and without a warning, and applied again they change nothing', async () => {
  for (const definition of crds()) {
    const before = await user.get(refOf(definition));
    const options = { type: 'apply', force: true, fieldManager: 'sluice-install', fieldValidation: 'Strict' } as const;
    const after = await user.patch<CustomResourceDefinition>(refOf(definition), definition, options);
    expect(after.metadata.resourceVersion).toBe(before.metadata.resourceVersion);
    expect(after.status?.conditions?.find(({ type }) => type === 'NonStructuralSchema')).toBeUndefined();
  }
  expect(warnings).toEqual([]);
});

/** The paths of all fields of a schema, as `kubectl explain` spells them, with their descriptions. */
function* fieldsOf(schema: Schema, path: readonly string[]): Generator<{ path: readonly string[]; text: string }> {
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    if (path.length === 0 && ['apiVersion', 'kind', 'metadata'].includes(name)) continue;
    const at = [...path, name];
    yield { path: at, text: field.description ?? '' };
    yield* fieldsOf(
      field.items ?? (typeof field.additionalProperties === 'object' ? field.additionalProperties : field),
      at,
    );
  }
}

const run = promisify(execFile);

test.each(crds().map((crd) => [crd.metadata.name, crd] as const))(
  'kubectl explains every field of %s',
  async (_, crd) => {
    for (const version of crd.spec.versions) {
      const resource = crd.spec.names.plural;
      const args = ['explain', resource, `--api-version=${crd.spec.group}/${version.name}`, '--recursive'];
      const { stdout } = await run(programOf('kubectl'), [`--kubeconfig=${hub.kubeconfig}`, ...args]);
      const explained = new Set(explainedIn(stdout));
      const fields = [...fieldsOf(version.schema?.openAPIV3Schema ?? {}, [])];
      const missing = fields.filter(({ path }) => !explained.has(path.join('.')));
      expect(missing.map(({ path }) => path.join('.'))).toEqual([]);
      expect(fields.filter(({ text }) => text === '').map(({ path }) => path.join('.'))).toEqual([]);
    }
  },
);

/** The paths in the output of `kubectl explain --recursive`, which indents what lies deeper. */
function explainedIn(text: string): readonly string[] {
  const stack: { readonly indent: number; readonly name: string }[] = [];
  const lines = text.slice(text.indexOf('FIELDS:')).split('\n').slice(1);
  return lines.flatMap((line) => {
    const [, blanks = '', name] = /^(\s+)(\S+)\t</.exec(line) ?? [];
    if (name === undefined) return [];
    while ((stack.at(-1)?.indent ?? -1) >= blanks.length) stack.pop();
    stack.push({ indent: blanks.length, name });
    return [stack.map((one) => one.name).join('.')];
  });
}

test('two managers apply a policy, each with fields of its own, and a conflict names both', async () => {
  await user.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'ns1' } });
  const pp = policy('pp', { to: 'member1' });
  const { name } = pp.metadata;
  const base = { ...pp, metadata: { name, namespace: 'ns1' } } as KubeObject;
  await user.patch(refOf(base), base, { type: 'apply', fieldManager: 'admin' });
  const { apiVersion, kind, metadata } = base;
  const mine = { apiVersion, kind, metadata, spec: { priority: 3 } } as unknown as KubeObject;
  const both = await user.patch(refOf(base), mine, { type: 'apply', fieldManager: 'operator' });
  expect(both).toMatchObject({ spec: { priority: 3, placement: pp.spec.placement } });
  const other = { apiVersion, kind, metadata, spec: { priority: 4 } } as unknown as KubeObject;
  await expect(user.patch(refOf(base), other, { type: 'apply', fieldManager: 'admin' })).rejects.toThrow(
    /conflict with "operator".*priority/,
  );
});
