import { afterAll, beforeAll, expect, test } from 'vitest';
import { refOf } from '../../src/api/index.ts';
import type { KubeObject } from '../../src/api/index.ts';
import { configMap, deployment, policy } from '../kit/objects.ts';
import { openSystem } from './kit.ts';
import type { System } from './kit.ts';

let system: System;
beforeAll(async () => {
  system = await openSystem({ members: ['member1', 'member2'] });
  await system.member('member1').create(web);
  // A policy of somebody else that would place everything on the other member.
  await system.apply(policy('all', { to: 'member2', select: [{ apiVersion: 'apps/v1', kind: 'Deployment' }] }));
}, 60_000);
afterAll(() => system.close());

const web = deployment('web');
const ref = refOf(web);
type Seen = KubeObject & { readonly spec: object };

/** All that must not change when a workload is adopted, and whether the hub manages it. */
async function identityIn(member: string): Promise<object> {
  const { metadata, spec } = await system.member(member).get<Seen>(ref);
  const { uid, generation, labels } = metadata;
  return { uid, generation, spec, managed: labels?.['karmada.io/managed'] };
}

test('--dry-run says what would be created and writes nothing', async () => {
  const { code, out } = await system.run(['promote', 'deployment/web', '-C', 'member1', '--dry-run']);
  expect(code).toBe(0);
  expect(out).toContain('promoted from member1 (dry run)');
  expect(out).toContain('would restart 0, move 0, delete 0');
  expect(out).not.toContain('create   now');
  expect(await system.user.find(ref)).toBeUndefined();
});

test('a running workload is adopted and left again without a change of its spec or its uid', async () => {
  const before = await identityIn('member1');
  const { code, out, err } = await system.run(['promote', 'deployment/web', '-C', 'member1']);
  expect([code, err]).toEqual([0, '']);
  expect(out).toMatch(
    /^PropagationPolicy\/default\/web-\w+ created\nDeployment\/default\/web promoted from member1\n$/,
  );
  await system.settle();
  expect(await identityIn('member1')).toEqual({ ...before, managed: 'true' });
  expect(await system.member('member2').find(ref)).toBeUndefined();

  await system.user.delete(ref);
  await system.settle();
  expect(await identityIn('member1')).toEqual(before);
});

test.each<[string, readonly string[], RegExp]>([
  ['an object that is not there', ['configmap/none', '-C', 'member1'], /none.*member1/],
  ['a member that is not there', ['deployment/web', '-C', 'member9'], /there is no member member9/],
])('%s is said as such', async (_, words, said) => {
  const { code, err } = await system.run(['promote', ...words]);
  expect([code, err]).toEqual([1, expect.stringMatching(said)]);
});

test('an object that the hub has placed is not promoted', async () => {
  const settings = configMap('settings');
  await system.apply(policy('maps', { to: 'member1', select: [{ apiVersion: 'v1', kind: 'ConfigMap' }] }), settings);
  await system.settle();
  const { code, err } = await system.run(['promote', 'configmap/settings', '-C', 'member1']);
  expect([code, err]).toEqual([1, expect.stringContaining('the hub has placed it there')]);
});

const role: KubeObject = {
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRole',
  metadata: { name: 'reader' },
  rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }],
} as KubeObject;
const service: KubeObject = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'front', namespace: 'default' },
  spec: { type: 'NodePort', selector: { app: 'web' }, ports: [{ port: 80, protocol: 'TCP', targetPort: 80 }] },
} as KubeObject;

test.each<[string, KubeObject, string]>([
  ['a ClusterRole', role, 'clusterrole/reader'],
  ['a Service', service, 'service/front'],
])('%s is adopted, and left again, with the content and the uid that it has', async (_, object, word) => {
  const seen = async (): Promise<object> => {
    const { metadata, ...content } = await system.member('member1').get(refOf(object));
    return { ...content, uid: metadata.uid };
  };
  await system.member('member1').create(object);
  const before = await seen();
  const { code, err } = await system.run(['promote', word, '-C', 'member1']);
  expect([code, err]).toEqual([0, '']);
  await system.settle();
  const managed = (await system.member('member1').get(refOf(object))).metadata.labels?.['karmada.io/managed'];
  expect([await seen(), managed]).toEqual([before, 'true']);
  await system.user.delete(refOf(object));
  await system.settle();
  expect(await seen()).toEqual(before);
  expect((await system.member('member1').get(refOf(object))).metadata.labels ?? {}).not.toHaveProperty([
    'karmada.io/managed',
  ]);
});
