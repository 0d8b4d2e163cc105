import { expect, test } from 'vitest';
import { selectorOf } from './selector.ts';

const object = (labels: Record<string, string>, annotations: Record<string, string> = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'x', labels, annotations },
});

test.each([
  ['app=web', { app: 'web' }, true],
  ['app==web', { app: 'web' }, true],
  ['app=web', { app: 'db' }, false],
  ['app!=web', { app: 'db' }, true],
  ['app!=web', {}, true],
  ['app in (web, db)', { app: 'db' }, true],
  ['app in (web, db),tier=a', { app: 'db' }, false],
  ['app notin (web,db)', { app: 'x' }, true],
  ['app', { app: '' }, true],
  ['!app', { app: '' }, false],
  ['replicas>2', { replicas: '3' }, true],
  ['app in ()', { app: '' }, true],
  ['example.com/app=web', { 'example.com/app': 'web' }, true],
])('%s of %j: %s', (text, labels, selects) => expect(selectorOf(text)(object(labels))).toBe(selects));

test('claims are found where they are written', () => {
  const claimed = object({}, { 'clusterpropagationpolicy.karmada.io/name': 'web', note: 'a' });
  expect(selectorOf('clusterpropagationpolicy.karmada.io/name=web')(claimed)).toBe(true);
  expect(selectorOf('note=a')(claimed)).toBe(false);
});

test.each(['', 'a,,b', 'a=b=c', 'a in b', '=x', 'a in (', '-a=b', 'a=b c'])('%j is none', (text) =>
  expect(() => selectorOf(text)).toThrow('-l:'),
);
