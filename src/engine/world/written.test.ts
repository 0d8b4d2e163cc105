import { expect, test } from 'vitest';
import type { KubeObject } from '../../api/index.ts';
import { written } from './written.ts';

const stamp = { revision: 7, now: '2026-01-01T00:00:00Z' };
const settings = (generation: number | undefined, value = 'one'): KubeObject =>
  ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'settings', finalizers: ['example.com/f'], ...(generation && { generation }) },
    data: { value },
  }) as KubeObject;

test.each([
  ['counts what changes', 3, 'two', 4],
  ['counts no change of metadata alone', 3, 'one', 3],
  ['gives none to what has none, as a ConfigMap of a real server', undefined, 'two', undefined],
])('an update %s', (_, generation, value, expected) => {
  const object = settings(undefined, value);
  const labelled = { ...object, metadata: { ...object.metadata, labels: { a: 'b' } } };
  const after = written({ verb: 'update', object: labelled }, settings(generation), stamp);
  expect(after?.metadata).toMatchObject({ resourceVersion: '7', labels: { a: 'b' } });
  expect(after?.metadata.generation).toBe(expected);
});

test.each([
  [3, 4],
  [undefined, undefined],
])('a deletion that waits for finalizers counts too: %s becomes %s', (generation, expected) => {
  const before = settings(generation);
  const after = written(
    { verb: 'delete', ref: { apiVersion: 'v1', kind: 'ConfigMap', name: 'settings' } },
    before,
    stamp,
  );
  expect(after?.metadata.deletionTimestamp).toBe(stamp.now);
  expect(after?.metadata.generation).toBe(expected);
});
