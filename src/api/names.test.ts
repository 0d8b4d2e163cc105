import { expect, test } from 'vitest';
import { bindingName, referenceKey, workName } from './names.ts';

test.each([
  ['default', 'nginx', 'Deployment', 'nginx-687f7fb96f'],
  ['default', 'test', 'Deployment', 'test-7487dcf74c'],
  [undefined, 'pods', 'Pod', 'pods-85f545897f'],
])('the Work of %s/%s (%s) is %s', (namespace, name, kind, expected) => {
  expect(workName(namespace ? { namespace, name, kind } : { name, kind })).toBe(expected);
});

test('a binding is named after its template, lower case, colons as dots', () => {
  expect(bindingName({ kind: 'ClusterRole', name: 'system:Thing' })).toBe('system.thing-clusterrole');
});

test('a referrer is identified by a hash of namespace and name', () => {
  expect(referenceKey({ namespace: 'default', name: 'nginx-deployment' })).toBe('5bdc5c4dcf');
});
