import { describe, expect, test } from 'vitest';
import type { ExcludedResource, KubeObject, Policy, ResourceSelector } from '../../api/index.ts';
import { clusterRole, deployment, deployments, policy } from '../../../test/kit/objects.ts';
import type { PolicyWords } from '../../../test/kit/objects.ts';
import { excludes, matchPolicy, matchSelectors } from './match.ts';
import { coversNamespace, namespacePattern, whyNotNamespaceItem } from './namespaces.ts';
import { requiredLabel } from './index-keys.ts';
import { candidatesOf, whyLost } from './rank.ts';

const nginx = deployment('nginx', { labels: { tier: 'front' } });
const front = { matchLabels: { tier: 'front' } };
const back = { matchLabels: { tier: 'back' } };

function says(selectors: readonly ResourceSelector[], template: KubeObject = nginx): string {
  const match = matchSelectors(selectors, template);
  return match.matches ? `precision ${match.precision}` : match.because;
}

test.each<[string, readonly ResourceSelector[], string]>([
  ['by kind', [deployments()], 'precision 1'],
  ['by an empty label selector', [deployments({ labelSelector: {} })], 'precision 2'],
  ['by labels', [deployments({ labelSelector: front })], 'precision 2'],
  ['by name', [deployments({ name: 'nginx' })], 'precision 3'],
  ['by name, whatever the labels', [deployments({ name: 'nginx', labelSelector: back })], 'precision 3'],
  ['the most precise of several', [deployments(), deployments({ name: 'nginx' }), deployments()], 'precision 3'],
  ['one of several is enough', [deployments({ name: 'other' }), deployments()], 'precision 1'],
  ['another kind', [{ apiVersion: 'apps/v1', kind: 'StatefulSet' }], 'KindDiffers'],
  ['another version', [{ apiVersion: 'apps/v1beta1', kind: 'Deployment' }], 'KindDiffers'],
  ['another namespace', [deployments({ namespace: 'other' })], 'NamespaceDiffers'],
  ['another name', [deployments({ name: 'other' })], 'NameDiffers'],
  ['other labels', [deployments({ labelSelector: back })], 'LabelsDiffer'],
  ['its own namespace', [deployments({ namespace: 'default' })], 'precision 1'],
  ['no selector', [], 'KindDiffers'],
  [
    'the failure that came closest explains',
    [{ apiVersion: 'v1', kind: 'Pod' }, deployments({ namespace: 'x' }), deployments({ name: 'y' })],
    'NameDiffers',
  ],
  [
    'whatever the order',
    [deployments({ name: 'y' }), deployments({ namespace: 'x' }), { apiVersion: 'v1', kind: 'Pod' }],
    'NameDiffers',
  ],
])('%s', (_, selectors, expected) => {
  expect(says(selectors)).toBe(expected);
});

test('a template without a namespace is covered by no namespace', () => {
  const role = clusterRole('reader');
  const { apiVersion, kind } = role;
  expect(says([{ apiVersion, kind }], role)).toBe('precision 1');
  expect(says([{ apiVersion, kind, namespace: 'default' }], role)).toBe('NamespaceDiffers');
  expect(excludes({ namespace: 'd*' }, role)).toBe(false);
});

describe('a policy', () => {
  const leaving = {
    ...policy('pp'),
    metadata: { ...policy('pp').metadata, deletionTimestamp: '2026-01-01T00:00:00Z' },
  };
  test.each<[string, Policy, string]>([
    ['that is being deleted', leaving, 'PolicyDeleting'],
    ['of another namespace', policy('pp', { namespace: 'other' }), 'OutOfScope'],
    ['of the whole cluster', policy('cpp', { scope: 'cluster' }), 'matches'],
    ['that excludes it', policy('pp', { exclude: [{ name: 'nginx' }] }), 'Excluded'],
    [
      'that excludes it by its second rule',
      policy('pp', { exclude: [{ name: 'other' }, { namespace: 'def*' }] }),
      'Excluded',
    ],
    ['that excludes another', policy('pp', { exclude: [{ name: 'other' }] }), 'matches'],
    [
      'that excludes it and does not select it either',
      policy('pp', { select: [deployments({ name: 'x' })], exclude: [{ name: 'nginx' }] }),
      'NameDiffers',
    ],
  ])('%s', (_, one, expected) => {
    const match = matchPolicy(one, nginx);
    expect(match.matches ? 'matches' : match.because).toBe(expected);
  });
});

test.each<[ExcludedResource, boolean]>([
  [{ apiVersion: 'apps/v1' }, true],
  [{ apiVersion: 'v1' }, false],
  [{ kind: 'Deployment' }, true],
  [{ kind: 'ConfigMap' }, false],
  [{ namespace: 'default' }, true],
  [{ namespace: 'other,def*' }, true],
  [{ namespace: 'other' }, false],
  [{ name: 'nginx' }, true],
  [{ name: 'ngin' }, false],
  [{ labelSelector: front }, true],
  [{ labelSelector: back }, false],
  [{ kind: 'Deployment', name: 'other' }, false],
  [{ apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'default', name: 'nginx', labelSelector: front }, true],
  [{ apiVersion: 'v1', kind: 'Deployment', namespace: 'default', name: 'nginx', labelSelector: front }, false],
  [{}, false],
])('the rule %j excludes it: %s', (rule, expected) => {
  expect(excludes(rule, nginx)).toBe(expected);
});

test.each<[string, string, boolean]>([
  ['user1', 'user1', true],
  ['user1', 'user10', false],
  ['user1*', 'user1', true],
  ['user1*', 'user1-a', true],
  ['user1*', 'user2', false],
  ['user1-*', 'user1', false],
  ['a,b', 'b', true],
  ['a,b*,c', 'bc', true],
  ['a,b', 'ab', false],
  ['*', 'a', false],
  ['', 'a', false],
  ['a*b', 'ab', false],
  ['a, b', 'b', false],
  ['a,,b*', 'b1', true],
])('%j covers %s: %s', (pattern, namespace, expected) => {
  expect(coversNamespace(namespacePattern(pattern), namespace)).toBe(expected);
});

test.each<[string, boolean]>([
  ['a', true],
  ['a-1', true],
  ['a-*', true],
  ['a*', true],
  ['', false],
  ['*', false],
  ['a*b', false],
  ['a**', false],
  [' a', false],
  ['a b', false],
  ['A', false],
  ['-a', false],
  ['-*', false],
  ['a.b', false],
])('an item %j of a list of namespaces is accepted: %s', (item, expected) => {
  expect(whyNotNamespaceItem(item) === undefined).toBe(expected);
});

describe('the order of policies', () => {
  const named = (name: string, words: PolicyWords): Policy => policy(name, words);
  test.each<[string, readonly Policy[], string]>([
    [
      'a namespaced one goes before a cluster one',
      [named('a', { scope: 'cluster', priority: 99 }), named('z', {})],
      'z a LowerScope',
    ],
    ['then the higher priority', [named('a', {}), named('z', { priority: 1 })], 'z a LowerPriority'],
    ['a negative priority goes after none', [named('a', { priority: -1 }), named('z', {})], 'z a LowerPriority'],
    ['no priority is 0', [named('b', { priority: 0 }), named('a', {})], 'a b LaterName'],
    [
      'then the more precise',
      [named('a', {}), named('z', { select: [deployments({ labelSelector: front })] })],
      'z a LowerPrecision',
    ],
    ['then the name', [named('b', {}), named('a', {})], 'a b LaterName'],
  ])('%s', (_, policies, expected) => {
    for (const order of [policies, [...policies].reverse()]) {
      const [winner, loser] = candidatesOf(order, nginx);
      if (!winner || !loser) throw new Error('both must match');
      expect(`${winner.policy.metadata.name} ${loser.policy.metadata.name} ${whyLost(loser, winner)}`).toBe(expected);
    }
  });
});

test.each([
  [undefined, undefined],
  [{}, undefined],
  [{ matchLabels: { a: 'b' } }, 'a=b'],
  [{ matchExpressions: [{ key: 'a', operator: 'In', values: ['b'] }] }, 'a=b'],
  [{ matchExpressions: [{ key: 'a', operator: 'In', values: ['b', 'c'] }] }, undefined],
  [{ matchExpressions: [{ key: 'a', operator: 'NotIn', values: ['b'] }] }, undefined],
  [{ matchExpressions: [{ key: 'a', operator: 'Exists' }] }, undefined],
] as const)('for the selector %j every selected object has the label %s', (selector, expected) => {
  expect(requiredLabel(selector)).toBe(expected);
});
