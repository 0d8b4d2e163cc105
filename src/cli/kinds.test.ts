import { expect, test } from 'vitest';
import type { ResourceInfo } from '../client/index.ts';
import { kindOf, partsOf, preferredKinds } from './kinds.ts';
import { nearest } from './nearest.ts';

const kind = (
  group: string,
  version: string,
  words: Partial<ResourceInfo> & Pick<ResourceInfo, 'kind' | 'plural'>,
): ResourceInfo => ({
  group,
  version,
  namespaced: true,
  verbs: ['list'],
  singular: words.kind.toLowerCase(),
  ...words,
});
const kinds = [
  kind('', 'v1', { kind: 'Event', plural: 'events', shortNames: ['ev'] }),
  kind('apps', 'v1', { kind: 'Deployment', plural: 'deployments', shortNames: ['deploy'] }),
  kind('events.k8s.io', 'v1', { kind: 'Event', plural: 'events' }),
  kind('example.com', 'v1beta1', { kind: 'Widget', plural: 'widgets' }),
  kind('example.com', 'v1', { kind: 'Widget', plural: 'widgets' }),
];

test.each([
  ['deploy', 'apps/v1'],
  ['deployment', 'apps/v1'],
  ['deployments', 'apps/v1'],
  ['Deployment', 'apps/v1'],
  ['deployments.apps', 'apps/v1'],
  ['deployments.v1.apps', 'apps/v1'],
  ['ev', '/v1'],
  ['events', '/v1'],
  ['events.v1', '/v1'],
  ['events.events.k8s.io', 'events.k8s.io/v1'],
  ['widget', 'example.com/v1'],
  ['widget.v1beta1.example.com', 'example.com/v1beta1'],
])('%s means the kind of %s', (word, place) => {
  const { group, version } = kindOf({ kinds }, word);
  expect(`${group}/${version}`).toBe(place);
});

test('an unknown word gets a proposal when one is close', () => {
  expect(() => kindOf({ kinds }, 'deploymnet')).toThrow('did you mean deployment?');
  expect(() => kindOf({ kinds }, 'zebra')).toThrow('api-resources');
  expect(() => kindOf({ kinds }, 'deployments.batch')).toThrow('serves no kind');
  expect(nearest('x', ['abc'])).toBeUndefined();
});

test('every kind is listed once, in its best version', () =>
  expect(preferredKinds(kinds).filter(({ plural }) => plural === 'widgets')).toEqual([kinds[4]]));

test('KIND/NAME', () => {
  expect(partsOf('deploy/nginx')).toEqual({ kind: 'deploy', name: 'nginx' });
  for (const bad of ['nginx', '/nginx', 'deploy/', 'a/b/c']) expect(() => partsOf(bad), bad).toThrow('KIND/NAME');
});
