import { describe, expect, test } from 'vitest';
import { clustersText, rolloutRef, suspensionOf, untilOf, withLess, withMore } from './suspension.ts';

const everybody = ['a', 'b', 'c'];

test('withMore adds clusters', () => {
  expect(withMore([], undefined)).toBe('all');
  expect(withMore(['b'], ['a', 'b'])).toEqual(['a', 'b']);
  expect(withMore('all', ['a'])).toBe('all');
});

test('withLess removes clusters, also from all', () => {
  expect(withLess('all', undefined, everybody)).toEqual([]);
  expect(withLess('all', ['b'], everybody)).toEqual(['a', 'c']);
  expect(withLess(['a', 'b'], ['b', 'c'], everybody)).toEqual(['a']);
});

test('a suspension says one thing only', () => {
  expect(suspensionOf('all')).toEqual({ suspendDispatching: true });
  expect(suspensionOf(['a'])).toEqual({ suspendDispatchingOnClusters: { clusterNames: ['a'] } });
  expect(suspensionOf([])).toBeUndefined();
  expect([clustersText('all'), clustersText(['a', 'b']), clustersText([])]).toEqual([
    'on all members',
    'on a, b',
    'nowhere',
  ]);
});

test('an end is a time or a while from now, and lies ahead', () => {
  const now = Date.parse('2026-01-01T00:00:00Z');
  expect(untilOf('90m', now)).toBe('2026-01-01T01:30:00Z');
  expect(untilOf('2026-01-02T00:00:00+01:00', now)).toBe('2026-01-01T23:00:00Z');
  expect(() => untilOf('2025-12-31T00:00:00Z', now)).toThrow('is in the past');
  expect(() => untilOf('tomorrow', now)).toThrow('must be a time');
  expect(() => untilOf('90000000000h', now)).toThrow('must be a time');
  expect(() => untilOf('2', now)).toThrow('must be a time');
});

describe('the rollout policy that suspends an object', () => {
  const role = (name: string) => ({ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', name });
  const nameFor = (name: string): string => rolloutRef(role(name)).name;

  test('is of the scope of the object, and named after it', () => {
    const apiVersion = 'policy.karmada.io/v1alpha1';
    expect(rolloutRef({ apiVersion: 'v1', kind: 'ConfigMap', namespace: 'shop', name: 'a.b' })).toEqual({
      apiVersion,
      kind: 'RolloutPolicy',
      namespace: 'shop',
      name: 'configmap-a.b',
    });
    expect(rolloutRef(role('reader'))).toEqual({
      apiVersion,
      kind: 'ClusterRolloutPolicy',
      name: 'clusterrole-reader',
    });
  });

  test.each(['a:b', 'A', 'a..b', 'a.:b', 'a-', 'über', 'x'.repeat(253)])('has a name that a hub takes: %s', (name) => {
    const made = nameFor(name);
    expect(made).toMatch(/^clusterrole(-[a-z0-9]+)+$/);
    expect(made.length).toBeLessThanOrEqual(253);
    expect(made).toBe(nameFor(name));
  });

  test('has another name for a kind that another group has too, in whatever version', () => {
    const service = (apiVersion: string) => rolloutRef({ apiVersion, kind: 'Service', namespace: 'shop', name: 'web' });
    expect(service('v1').name).toBe('service-web');
    const [one, other] = [service('serving.knative.dev/v1'), service('mesh.example.com/v1')];
    expect(one.name).toMatch(/^service-web-[a-z0-9]+$/);
    expect(other.name).not.toBe(one.name);
    expect(service('serving.knative.dev/v1beta1')).toEqual(one);
  });

  test('has another name for every object', () => {
    const names = ['a:b', 'a.b', 'A:b', 'a-b', 'a::b', `${'x'.repeat(250)}:a`, `${'x'.repeat(250)}:b`];
    expect(new Set(names.map(nameFor)).size).toBe(names.length);
  });
});
