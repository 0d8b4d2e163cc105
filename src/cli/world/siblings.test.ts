import { describe, expect, test } from 'vitest';
import type { KubeObject, Work } from '../../api/index.ts';
import { configMap, deployment } from '../../../test/kit/objects.ts';
import { folded, unfolded } from './siblings.ts';

function work(member: string, manifest: KubeObject): Work {
  return {
    apiVersion: 'work.karmada.io/v1alpha1',
    kind: 'Work',
    metadata: { name: `${manifest.metadata.name}-1`, namespace: `karmada-es-${member}` },
    spec: { workload: { manifests: [manifest] } },
  };
}

const marked = (object: KubeObject, labels: Record<string, string>): KubeObject => ({
  ...object,
  metadata: { ...object.metadata, labels: { app: 'a', ...labels }, annotations: { in: 'all', ...labels } },
});
const sent = (member: string, object: KubeObject): Work => work(member, marked(object, { id: member }));
const asRead = (objects: readonly KubeObject[]): readonly KubeObject[] =>
  JSON.parse(JSON.stringify(objects)) as readonly KubeObject[];
const large = configMap('a', { value: 'x'.repeat(1000) });

describe('Works that say nearly the same', () => {
  test.each<[string, readonly KubeObject[], number]>([
    ['are written once', [sent('m1', large), sent('m2', large), sent('m3', large)], 1],
    [
      'are told apart by what they bring',
      [sent('m1', large), sent('m2', configMap('b', { value: 'x'.repeat(1000) }))],
      2,
    ],
    [
      'are whole when their content differs',
      [sent('m1', large), sent('m2', configMap('a', { value: 'y'.repeat(1000) }))],
      2,
    ],
    ['are whole when one has fewer labels', [sent('m1', large), work('m2', large)], 2],
    ['may say more', [work('m1', marked(large, {})), sent('m2', large)], 1],
    ['leave other objects alone', [large, sent('m1', large), configMap('c'), sent('m2', large)], 2],
  ])('%s', (_name, objects, times) => {
    const text = JSON.stringify(folded(objects));
    expect(text.split(/x{1000}|y{1000}/).length - 1).toBe(times);
    expect(unfolded(asRead(folded(objects)))).toEqual(asRead(objects));
  });

  test('keep replicas of their own', () => {
    const objects = [sent('m1', deployment('d', { replicas: 1 })), sent('m2', deployment('d', { replicas: 2 }))];
    expect(unfolded(asRead(folded(objects)))).toEqual(asRead(objects));
  });
});

test('a Work that refers to nothing is refused', () => {
  const alike = { like: 7, labels: {}, annotations: {} } as unknown as KubeObject;
  const broken = { ...work('m1', large), spec: { workload: { manifests: [alike] } } };
  expect(() => unfolded([broken])).toThrow('a Work refers to object 7, which has no content');
});
