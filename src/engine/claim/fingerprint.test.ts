import { describe, expect, test } from 'vitest';
import type { KubeObject, ObjectMeta, Policy } from '../../api/index.ts';
import { deployment, policy } from '../../../test/kit/objects.ts';
import { fingerprintOf } from './fingerprint.ts';
import { templateCameLast, wasWrittenAfter } from './creation-order.ts';

const nginx = deployment('nginx', { annotations: { note: 'one' } });

function with_(metadata: Partial<ObjectMeta>, more: object = {}): KubeObject {
  return { ...nginx, ...more, metadata: { ...nginx.metadata, ...metadata } };
}

describe('a fingerprint', () => {
  test.each<[string, KubeObject]>([
    ['status', with_({}, { status: { replicas: 2 } })],
    ['managedFields', with_({ managedFields: [{}] })],
    ['resourceVersion', with_({ resourceVersion: '9' })],
    ['generation', with_({ generation: 9 })],
    ['uid and creationTimestamp', with_({ uid: 'u', creationTimestamp: '2026-01-01T00:00:00Z' })],
    ['owner references', with_({ ownerReferences: [] })],
    ['labels with a system key', with_({ labels: { ...nginx.metadata.labels, 'karmada.io/managed': 'true' } })],
    ['annotations with a system key', with_({ annotations: { note: 'one', 'work.karmada.io/name': 'x' } })],
    ['our own keys', with_({ annotations: { note: 'one', 'sluice.dev/waits-at': 'x', 'a.sluice.dev/b': 'c' } })],
    ['finalizers of the system', with_({ finalizers: ['karmada.io/x'] })],
    [
      'the order of keys',
      with_({ labels: Object.fromEntries(Object.entries({ ...nginx.metadata.labels }).reverse()) }),
    ],
  ])('does not see %s', (_, changed) => {
    expect(fingerprintOf(changed)).toBe(fingerprintOf(nginx));
  });

  test.each<[string, KubeObject]>([
    ['the spec', deployment('nginx', { replicas: 3, annotations: { note: 'one' } })],
    ['a label', with_({ labels: { ...nginx.metadata.labels, team: 'a' } })],
    ['an annotation', with_({ annotations: { note: 'two' } })],
    ['a finalizer of a user', with_({ finalizers: ['example.com/keep'] })],
    ['a key that only looks like the system', with_({ annotations: { note: 'one', 'notkarmada.io/x': 'y' } })],
    ['data', with_({}, { data: { a: 'b' } })],
  ])('sees %s', (_, changed) => {
    expect(fingerprintOf(changed)).not.toBe(fingerprintOf(nginx));
  });

  test('takes an empty map for none', () => {
    const bare = deployment('nginx');
    expect(fingerprintOf({ ...bare, metadata: { ...bare.metadata, annotations: {} } })).toBe(fingerprintOf(bare));
  });
});

describe('whether the template or the policy came last', () => {
  const noon = '2026-01-01T12:00:00Z';
  const later = '2026-01-01T12:00:01Z';
  const rule = (metadata: Partial<ObjectMeta>): Policy => {
    const bare = policy('pp');
    return { ...bare, metadata: { ...bare.metadata, creationTimestamp: noon, generation: 1, ...metadata } };
  };
  const user = { manager: 'kubectl', operation: 'Update', time: noon };
  const controller = { ...user, manager: 'controller', subresource: 'status' };
  const custom = { apiVersion: 'example.com/v1', kind: 'Widget' };
  const at = (metadata: Partial<ObjectMeta>, more: object = {}): KubeObject =>
    with_({ creationTimestamp: noon, ...metadata }, more);

  test.each<[string, KubeObject, Policy, boolean]>([
    ['the later version', at({ resourceVersion: '12' }), rule({ resourceVersion: '11' }), true],
    ['the later version of the policy', at({ resourceVersion: '11' }), rule({ resourceVersion: '12' }), false],
    ['versions are numbers', at({ resourceVersion: '100' }), rule({ resourceVersion: '99' }), true],
    [
      'created later, whatever was written since',
      at({ creationTimestamp: later, resourceVersion: '1' }, { status: { a: 1 } }),
      rule({ resourceVersion: '9' }),
      true,
    ],
    [
      'created later than a policy that was edited since: not certain',
      at({ creationTimestamp: later, resourceVersion: '1' }),
      rule({ resourceVersion: '9', generation: 2 }),
      false,
    ],
    [
      'a status was written, so the version tells nothing',
      at({ resourceVersion: '12' }, { status: { replicas: 1 } }),
      rule({ resourceVersion: '11' }),
      false,
    ],
    [
      'an empty status tells nothing of the kind',
      at({ resourceVersion: '12' }, { status: {} }),
      rule({ resourceVersion: '11' }),
      true,
    ],
    [
      'a status that the server gave it: nobody has written it since',
      at({ resourceVersion: '12', managedFields: [user] }, { status: { phase: 'Pending' } }),
      rule({ resourceVersion: '11', generation: 3 }),
      true,
    ],
    [
      'a status that a controller wrote',
      at({ resourceVersion: '12', managedFields: [user, controller] }, { status: { phase: 'Bound' } }),
      rule({ resourceVersion: '11' }),
      false,
    ],
    [
      'a status that may have been written with the rest: not certain',
      at({ resourceVersion: '12', managedFields: [user] }, { ...custom, status: { phase: 'Bound' } }),
      rule({ resourceVersion: '11' }),
      false,
    ],
    ['no versions at all: not certain', at({}), rule({}), false],
  ])('%s', (_, template, managing, expected) => {
    expect(templateCameLast(template, managing)).toBe(expected);
  });

  test('a request that was written after the policy counts whatever the status', () => {
    const asked = at({ resourceVersion: '12' }, { status: { replicas: 1 } });
    expect(wasWrittenAfter(asked, rule({ resourceVersion: '11' }))).toBe(true);
    expect(wasWrittenAfter(asked, rule({ resourceVersion: '13' }))).toBe(false);
  });
});
