import { expect, test } from 'vitest';
import type { KubeObject } from '../../api/index.ts';
import { PodLabels, Selectors } from './selections.ts';

function pod(name: string, labels: Record<string, string>, namespace = 'shop'): KubeObject {
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace, labels } };
}

function service(name: string, selector?: Record<string, string>): KubeObject {
  const metadata = { name, namespace: 'shop' };
  return { apiVersion: 'v1', kind: 'Service', metadata, ...(selector && { spec: { selector } }) };
}

function selectors(...services: readonly KubeObject[]): Selectors {
  const index = new Selectors('/services', (one) => {
    const { spec } = one as { readonly spec?: { readonly selector: Record<string, string> } };
    return spec && { matchLabels: spec.selector };
  });
  for (const after of services) index.learn('/services', { key: after.metadata.name, after });
  return index;
}

test('The candidates of a selector come from its rarest label', () => {
  const index = new PodLabels();
  for (let i = 0; i < 100; i++)
    index.learn('/pods', { key: `p${i}`, after: pod(`p${i}`, { tier: 'web', app: `a${i % 50}` }) });
  index.learn('/pods', { key: 'other', after: pod('other', { tier: 'web', app: 'a7' }, 'bank') });
  expect(index.candidates('shop', { matchLabels: { tier: 'web', app: 'a7' } })).toEqual(['p57', 'p7']);
  expect(index.candidates('shop', { matchLabels: { app: 'none' } })).toEqual([]);
  expect(index.candidates('shop', { matchExpressions: [{ key: 'app', operator: 'Exists' }] })).toBeUndefined();
});

test('A pod is found under its labels of now', () => {
  const index = new PodLabels();
  const [before, after] = [pod('p', { app: 'a' }), pod('p', { app: 'b' })];
  index.learn('/pods', { key: 'p', after: before });
  index.learn('/pods', { key: 'p', before, after });
  expect(index.candidates('shop', { matchLabels: { app: 'a' } })).toEqual([]);
  expect(index.candidates('shop', { matchLabels: { app: 'b' } })).toEqual(['p']);
  index.learn('/pods', { key: 'p', before: after });
  expect(index.candidates('shop', { matchLabels: { app: 'b' } })).toEqual([]);
});

test('A pod finds the objects that select it, and those that did before it changed', () => {
  const index = selectors(service('a', { app: 'a' }), service('b', { app: 'b', tier: 'web' }), service('none'));
  const change = { key: 'p', before: pod('p', { app: 'a' }), after: pod('p', { app: 'b', tier: 'web' }) };
  expect(index.of(change)).toEqual(['a', 'b']);
  expect(index.of({ key: 'p', after: pod('p', { app: 'b' }) })).toEqual([]);
});

test('An empty selector selects every pod of its namespace', () => {
  const index = selectors(service('all', {}));
  expect(index.of({ key: 'p', after: pod('p', { app: 'x' }) })).toEqual(['all']);
  expect(index.of({ key: 'p', after: pod('p', { app: 'x' }, 'bank') })).toEqual([]);
});

test('An object is found by its selector of now', () => {
  const index = selectors(service('a', { app: 'a' }));
  index.learn('/services', { key: 'a', before: service('a', { app: 'a' }), after: service('a', { app: 'b' }) });
  expect(index.of({ key: 'p', after: pod('p', { app: 'a' }) })).toEqual([]);
  expect(index.of({ key: 'p', after: pod('p', { app: 'b' }) })).toEqual(['a']);
});
