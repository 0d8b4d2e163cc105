import { describe, expect, test } from 'vitest';
import { keyOf, refOf } from '../../api/index.ts';
import type { Binding, KubeObject, Policy } from '../../api/index.ts';
import { deployment, policy } from '../../../test/kit/objects.ts';
import type { PolicyWords } from '../../../test/kit/objects.ts';
import { atRest, decided, gone, rightAfter, told } from '../../../test/kit/worlds.ts';
import { bindingFor, withPolicySuspension, sameBinding } from './binding.ts';
import { claimMetadata, claimOf, inEffectOf, isClaimOf, recordIn, withoutClaim } from './records.ts';

const template = { ...deployment('nginx'), metadata: { ...deployment('nginx').metadata, uid: 'uid-1' } } as KubeObject;

function rule(words: PolicyWords = {}): Policy {
  const bare = policy('pp', words);
  const label = bare.kind === 'PropagationPolicy' ? 'propagationpolicy' : 'clusterpropagationpolicy';
  return {
    ...bare,
    metadata: { ...bare.metadata, labels: { [`${label}.karmada.io/permanent-id`]: 'id-1' }, generation: 3 },
  };
}

function bound(words: PolicyWords = {}, previous?: Binding): Binding {
  return bindingFor({ template, policy: rule(words), size: { replicas: 2 }, content: 'abc' }, previous);
}

describe('a new binding', () => {
  test('belongs to its template and says which policy is in effect for which content', () => {
    const binding = bound();
    expect(binding.metadata.name).toBe('nginx-deployment');
    expect(binding.metadata.ownerReferences).toMatchObject([{ uid: 'uid-1', controller: true }]);
    expect(binding.metadata.finalizers).toEqual(['karmada.io/binding-controller']);
    expect(inEffectOf(binding)).toEqual({
      policy: { kind: 'PropagationPolicy', namespace: 'default', name: 'pp', id: 'id-1' },
      generation: 3,
      template: 'abc',
    });
    expect(claimOf(binding)).toMatchObject({ name: 'pp', namespace: 'default', id: 'id-1' });
  });

  test.each<[PolicyWords, object]>([
    [{}, { schedulerName: 'default-scheduler', conflictResolution: 'Abort', replicas: 2 }],
    [{ conflictResolution: 'Overwrite' }, { conflictResolution: 'Overwrite' }],
    [{ schedulerName: 'mine' }, { schedulerName: 'mine' }],
    [{ propagateDeps: true }, { propagateDeps: true }],
    [{ preserveResourcesOnDeletion: true }, { preserveResourcesOnDeletion: true }],
    [{ failover: { cluster: { purgeMode: 'Directly' } } }, { failover: { cluster: { purgeMode: 'Directly' } } }],
    [{ suspend: { dispatching: true } }, { suspension: { dispatching: true } }],
    [{ to: 'member1' }, { placement: { clusterAffinity: { clusterNames: ['member1'] } } }],
  ])('a policy with %j makes a binding with %j', (words, expected) => {
    expect(bound(words).spec).toMatchObject(expected);
  });

  test('a policy that suspends nothing makes a binding without suspension', () => {
    expect(bound({ suspend: {} }).spec).not.toHaveProperty('suspension');
  });
});

describe('a binding that is written again', () => {
  const first = bound({ scope: 'cluster' });
  const lived: Binding = {
    ...first,
    metadata: {
      ...first.metadata,
      labels: { ...first.metadata.labels, 'resourcebinding.karmada.io/permanent-id': 'kept', theirs: 'kept' },
      finalizers: ['example.com/other'],
    },
    spec: {
      ...first.spec,
      clusters: [{ name: 'member1' }],
      requiredBy: [{ namespace: 'default', name: 'web', clusters: [] }],
      gracefulEvictionTasks: [{ fromCluster: 'member2', reason: 'r', producer: 'p' }],
      rescheduleTriggeredAt: '2026-01-01T00:00:00Z',
      suspension: { scheduling: true },
    },
    status: { aggregatedStatus: [] },
  };

  test('keeps what others wrote into it', () => {
    const again = bound({ suspend: { dispatching: true } }, lived);
    const { clusters, requiredBy, gracefulEvictionTasks, rescheduleTriggeredAt } = lived.spec;
    expect(again.spec).toMatchObject({ clusters, requiredBy, gracefulEvictionTasks, rescheduleTriggeredAt });
    expect(again.spec.suspension).toEqual({ dispatching: true, scheduling: true });
    expect(again.status).toEqual({ aggregatedStatus: [] });
    expect(again.metadata.labels).toMatchObject({ 'resourcebinding.karmada.io/permanent-id': 'kept', theirs: 'kept' });
    expect(again.metadata.finalizers).toEqual(['example.com/other', 'karmada.io/binding-controller']);
  });

  test('bears one claim: a policy of the other scope leaves no trace of the former', () => {
    const again = bound({}, lived);
    const keys = [...Object.keys(again.metadata.labels ?? {}), ...Object.keys(again.metadata.annotations ?? {})];
    expect(keys.filter((key) => key.startsWith('clusterpropagationpolicy'))).toEqual([]);
  });

  test('a binding that takes over only the suspension, and the policy that sets it, keeps everything else', () => {
    const suspended = withPolicySuspension(rule({ to: 'member3', suspend: { suspendDispatching: true } }), lived);
    expect(suspended.spec).toEqual({ ...lived.spec, suspension: { suspendDispatching: true, scheduling: true } });
    expect(claimOf(suspended)).toMatchObject({ name: 'pp', namespace: 'default' });
    expect(inEffectOf(suspended)).toEqual(inEffectOf(lived));
    const { suspension: _, ...spec } = lived.spec;
    expect(
      withPolicySuspension(rule(), { ...lived, spec: { ...spec, suspension: { dispatching: true } } }).spec,
    ).toEqual(spec);
  });
});

describe('the same binding', () => {
  const binding = bound();
  test('the binding is the same whatever version of the template it notes', () => {
    const resource = { ...binding.spec.resource, resourceVersion: '99' };
    expect(sameBinding({ ...binding, spec: { ...binding.spec, resource } }, binding)).toBe(true);
  });
  test.each<[string, Binding]>([
    ['another object', { ...binding, spec: { ...binding.spec, resource: { ...binding.spec.resource, uid: 'other' } } }],
    [
      'another version of its kind',
      { ...binding, spec: { ...binding.spec, resource: { ...binding.spec.resource, apiVersion: 'apps/v2' } } },
    ],
    ['other replicas', { ...binding, spec: { ...binding.spec, replicas: 9 } }],
    ['another owner', { ...binding, metadata: { ...binding.metadata, ownerReferences: [] } }],
    ['another record', { ...binding, metadata: { ...binding.metadata, annotations: {} } }],
    ['no finalizer', { ...binding, metadata: { ...binding.metadata, finalizers: [] } }],
    ['another claim', { ...binding, metadata: { ...binding.metadata, labels: {} } }],
  ])('is not one of %s', (_, other) => {
    expect(sameBinding(binding, other)).toBe(false);
  });
});

describe('a claim', () => {
  test.each<[string, object, object]>([
    ['no id', {}, { 'propagationpolicy.karmada.io/name': 'pp', 'propagationpolicy.karmada.io/namespace': 'default' }],
    [
      'no name',
      { 'propagationpolicy.karmada.io/permanent-id': 'id' },
      { 'propagationpolicy.karmada.io/namespace': 'default' },
    ],
    [
      'no namespace',
      { 'propagationpolicy.karmada.io/permanent-id': 'id' },
      { 'propagationpolicy.karmada.io/name': 'pp' },
    ],
  ])('with %s is none', (_, labels, annotations) => {
    expect(
      claimOf({ ...template, metadata: { name: 'nginx', labels, annotations } as KubeObject['metadata'] }),
    ).toBeUndefined();
  });

  test('is of the policy that has both its id and its name', () => {
    const claim = claimOf(bound());
    expect(isClaimOf(claim, rule())).toBe(true);
    expect(isClaimOf(claim, { ...rule(), metadata: { ...rule().metadata, name: 'other' } })).toBe(false);
    expect(isClaimOf(claim, { ...rule(), metadata: { ...rule().metadata, labels: {} } })).toBe(false);
  });

  test('goes without a trace, and nothing else goes with it', () => {
    const { labels, annotations } = claimMetadata(rule());
    expect(withoutClaim({ ...labels, app: 'x' })).toEqual({ app: 'x' });
    expect(withoutClaim(annotations)).toEqual({});
  });

  test.each(['{', '"text"', '{"policy":1}'])('a record that is not one (%s) counts as none', (text) => {
    const metadata = { name: 'nginx', annotations: { 'sluice.dev/in-effect': text } };
    expect(inEffectOf({ ...bound(), metadata })).toBeUndefined();
  });

  test.each([
    { generation: 1, template: '0123456789abcdef' },
    { generation: 1, template: 'fedcba9876543210' },
    { template: '0123456789abcdef', generation: 1, request: 'now "template":"0123456789abcdef"' },
    { generation: 1, template: 'another spelling' },
    { generation: 1, template: '' },
    { generation: 1, template: 'another spelling', nested: { template: '0123456789abcdef' } },
    { nested: { template: '0123456789abcdef' }, generation: 1, template: 'fedcba9876543210' },
    { template: 'abc', request: '', generation: 1 },
  ])('a record reads as it was written: %j', (words) => {
    const record = { policy: { kind: 'PropagationPolicy', name: 'pp', id: '1' }, ...words };
    expect(recordIn(JSON.stringify(record))).toEqual(record);
    expect(recordIn(JSON.stringify(record))).toEqual(record);
  });
});

test('a record that another program has spelt otherwise says the same', () => {
  const policy = '"policy":{"kind":"PropagationPolicy","name":"pp","id":"1"}';
  expect(recordIn(`{${policy},"template":"\\u0061bcdefghijk"}`)?.template).toBe('abcdefghijk');
});

test('a policy that is deleted stays until it manages no template', () => {
  const pp = policy('pp', { to: 'member1' });
  const world = atRest({}, pp, deployment('nginx'));
  expect(told(decided(world, 'policy', pp))).toBe('UpToDate');
  expect(told(decided(rightAfter(world, gone(pp)), 'policy', pp))).toBe('PolicyDeleting');
  const idle = rightAfter(atRest({}, pp), gone(pp));
  expect(told(decided(idle, 'policy', pp))).toBe('PolicyDeleting finalize');
  expect(atRest({}, pp, deployment('nginx'), gone(pp)).get(keyOf(refOf(pp)))).toBeUndefined();
});
