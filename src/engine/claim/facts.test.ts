import { expect, test } from 'vitest';
import type { KubeObject } from '../../api/index.ts';
import { isPropagated } from './facts.ts';

const object = (kind: string, name: string, more: object = {}): KubeObject => ({
  apiVersion: 'v1',
  kind,
  metadata: { name, namespace: 'shop' },
  ...more,
});
const marked = (labels: Readonly<Record<string, string>>): object => ({
  metadata: { name: 'default', namespace: 'shop', labels },
});

test.each<[boolean, string, KubeObject]>([
  [true, 'any ConfigMap', object('ConfigMap', 'settings')],
  [false, 'the certificate of the hub', object('ConfigMap', 'kube-root-ca.crt')],
  [true, 'a Secret of that name', object('Secret', 'kube-root-ca.crt')],
  [true, 'any ServiceAccount', object('ServiceAccount', 'builder')],
  [false, 'the ServiceAccount that every namespace has', object('ServiceAccount', 'default')],
  [true, 'that one with something to say', object('ServiceAccount', 'default', { imagePullSecrets: [{ name: 'x' }] })],
  [true, 'that one with a mark', object('ServiceAccount', 'default', marked({ team: 'a' }))],
  [false, 'an Event', object('Event', 'e')],
])('%s: %s is a template', (expected, _, template) => {
  expect(isPropagated(template)).toBe(expected);
});
