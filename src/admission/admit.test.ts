import { expect, test } from 'vitest';
import { ApiError } from '../api/index.ts';
import type { KubeObject } from '../api/index.ts';
import { customization, deployment, memberCluster, policy } from '../../test/kit/objects.ts';
import { admission } from './admit.ts';
import type { Review } from './admit.ts';

const admit = admission({ controllers: new Set(['system:sluice']), now: () => new Date('2026-01-01T00:00:00Z') });

function review(object: KubeObject | undefined, words: Partial<Review> = {}): Review {
  const kind = (object ?? words.old)?.kind ?? '';
  return {
    operation: 'CREATE',
    kind: { group: object?.apiVersion.split('/')[0] ?? '', kind, plural: `${kind.toLowerCase()}s` },
    namespace: 'default',
    name: object?.metadata.name ?? '',
    subresource: '',
    ...(object && { object }),
    user: { name: 'jane' },
    ...words,
  };
}

const claim = { 'propagationpolicy.karmada.io/permanent-id': 'some-id' };
const claimed = (labels: Readonly<Record<string, string>>): KubeObject => {
  const plain = deployment('nginx');
  return { ...plain, metadata: { ...plain.metadata, labels: { ...plain.metadata.labels, ...labels } } };
};

test('a policy gets its id, its finalizer and its defaults', () => {
  const { object } = admit(review(policy('pp', { to: 'member1' })));
  expect(object?.metadata.labels?.['propagationpolicy.karmada.io/permanent-id']).toMatch(/^[0-9a-f-]{36}$/);
  expect(object?.metadata.finalizers).toEqual(['karmada.io/propagation-policy-controller']);
  expect(object).toMatchObject({
    spec: { priority: 0, preemption: 'Never', resourceSelectors: [{ namespace: 'default' }] },
  });
});

test('an invalid object is refused with every reason', () => {
  const bad = policy('pp', { to: 'member1', exclude: [{}], suspend: { suspendDispatching: true, dispatching: true } });
  let error: unknown;
  try {
    admit(review(bad));
  } catch (caught) {
    error = caught;
  }
  expect(error).toBeInstanceOf(ApiError);
  const { status } = error as ApiError;
  expect(status.code).toBe(422);
  expect(status.message).toContain('spec.excludedResources[0]');
  expect(status.message).toContain('spec.suspension');
});

test('users neither forge nor lose the marks of a claim; controllers write them', () => {
  expect(admit(review(claimed(claim))).object?.metadata.labels).toEqual({ app: 'nginx' });
  const update = { operation: 'UPDATE', old: claimed(claim) } as const;
  expect(admit(review(claimed({}), update)).object?.metadata.labels).toEqual({ app: 'nginx', ...claim });
  const forged = { 'propagationpolicy.karmada.io/permanent-id': 'another-id' };
  expect(admit(review(claimed(forged), update)).object?.metadata.labels).toEqual({ app: 'nginx', ...claim });
  const byController = { ...update, user: { name: 'system:sluice' } };
  expect(admit(review(claimed(forged), byController)).object?.metadata.labels).toEqual({ app: 'nginx', ...forged });
});

test('a protected object is not deleted', () => {
  const old = claimed({ 'resourcetemplate.karmada.io/deletion-protected': 'Always' });
  expect(() => admit(review(undefined, { operation: 'DELETE', old }))).toThrow('This resource is protected');
  expect(admit(review(undefined, { operation: 'DELETE', old: claimed({}) }))).toEqual({});
});

test('writes of a status are left alone', () => {
  expect(admit(review(policy('pp'), { subresource: 'status' }))).toEqual({});
});

const warned = (object: KubeObject, words: Partial<Review> = {}): readonly string[] => {
  const clusters = () => [memberCluster('member1')];
  const controllers = new Set(['system:sluice']);
  return admission({ controllers, now: () => new Date(), clusters })(review(object, words)).warnings ?? [];
};
const taints = {
  apiVersion: 'policy.karmada.io/v1alpha1',
  kind: 'ClusterTaintPolicy',
  metadata: { name: 'ctp' },
  spec: { taints: [{ key: 'down', effect: 'NoSchedule' }] },
} as KubeObject;
const remedy = {
  apiVersion: 'remedy.karmada.io/v1alpha1',
  kind: 'Remedy',
  metadata: { name: 'r' },
  spec: { actions: ['TrafficControl'] },
} as KubeObject;

test.each<[string, KubeObject, readonly string[]]>([
  ['a policy that acts in full', policy('pp', { to: 'member1' }), []],
  ['a kind on which nothing acts', remedy, ['not supported yet: Remedy: no action is taken on a cluster']],
  ['a kind whose gate is off', taints, ['the feature gate Failover is off, so nothing acts on ClusterTaintPolicy']],
  [
    'a kind that is propagated like a template',
    { apiVersion: 'multicluster.x-k8s.io/v1alpha1', kind: 'ServiceExport', metadata: { name: 'web' } },
    ['not supported yet: ServiceExport: it is propagated like any template; no endpoints are collected'],
  ],
  ['a cluster, whose models the hub fills in', memberCluster('member2'), []],
  [
    'a cluster that does not exist',
    policy('pp', { to: 'member9' }),
    ['cluster member9 does not exist; there is member1'],
  ],
])('%s: its author is warned, the controllers are not', (_, object, texts) => {
  expect(warned(object)).toEqual(texts);
  expect(warned(object, { operation: 'UPDATE', old: object })).toEqual(texts);
  expect(warned(object, { user: { name: 'system:sluice' } })).toEqual([]);
});

test('a second answer to a hook of a kind is refused, and the first one may be edited', () => {
  const first = customization('first', { retention: 'function Retain(a) return a end' });
  const strict = admission({ controllers: new Set(), now: () => new Date(), customizations: () => [first] });
  const second = { ...first, metadata: { name: 'second' } };
  expect(() => strict(review(second))).toThrow('first answers this for the same kind already');
  expect(strict(review(first, { operation: 'UPDATE', old: first })).object).toMatchObject({ kind: first.kind });
});
