import { expect, test } from 'vitest';
import type { KubeObject } from '../../api/index.ts';
import { configMap, deployment } from '../../../test/kit/objects.ts';
import { effectOf } from './effects.ts';

const noted = (object: KubeObject, annotations: Readonly<Record<string, string>>): KubeObject => ({
  ...object,
  metadata: { ...object.metadata, annotations },
});
const leaving = (object: KubeObject): KubeObject => ({
  ...object,
  metadata: { ...object.metadata, finalizers: ['example.com/guard'], deletionTimestamp: '2026-01-01T00:00:00Z' },
});
const notes = { 'kubectl.kubernetes.io/last-applied-configuration': '{}', 'sluice.dev/dispatched': 'x' };

test.each<[string, KubeObject | undefined, KubeObject | undefined, ReturnType<typeof effectOf>]>([
  ['nothing', configMap('a'), configMap('a'), undefined],
  ['notes of ours and of kubectl', configMap('a'), noted(configMap('a'), notes), 'update'],
  ['a note of a user', configMap('a'), noted(configMap('a'), { note: 'x' }), 'update'],
  ['replicas', deployment('a'), deployment('a', { replicas: 9 }), 'scale'],
  [
    'replicas, with the notes that come along',
    deployment('a'),
    noted(deployment('a', { replicas: 9 }), notes),
    'scale',
  ],
  ['replicas and a label', deployment('a'), deployment('a', { replicas: 9, labels: { b: 'c' } }), 'update'],
  ['another image', deployment('a'), deployment('a', { image: 'x', replicas: 9 }), 'restart'],
  ['arrival', undefined, configMap('a'), 'create'],
  ['departure', configMap('a'), undefined, 'delete'],
  ['departure that a finalizer of the member delays', configMap('a'), leaving(configMap('a')), 'delete'],
  ['nothing more of what is leaving', leaving(configMap('a')), leaving(configMap('a')), undefined],
])('%s', (_, before, after, effect) => expect(effectOf(before, after)).toBe(effect));
