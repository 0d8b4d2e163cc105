import { expect, test } from 'vitest';
import { bindingName, distinctBindingName, distinctWorkName, referenceKey, workName } from './names.ts';

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

const subdomain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

test.each([
  ['a name that fills the limit', 'a'.repeat(253)],
  ['a name that is cut at a dot', `${'a'.repeat(235)}.${'b'.repeat(17)}`],
  ['a name with other characters', 'team_a@example'],
  ['a name of other letters', 'Größe'],
  ['a name without letters', '§§§'],
  ['a name that ends in a dot', 'a:'],
])('%s gives a binding and a Work names that they can have', (_, name) => {
  const names = [
    bindingName({ kind: 'Role', name }),
    distinctBindingName({ apiVersion: 'v1', kind: 'Role', name }),
    workName({ kind: 'Role', name, namespace: 'default' }),
    distinctWorkName({ namespace: 'default', name: bindingName({ kind: 'Role', name }) }),
  ];
  for (const made of names) {
    expect(made).toMatch(subdomain);
    expect(made.length).toBeLessThanOrEqual(253);
  }
});

test('objects that share the plain name of their bindings have distinct ones', () => {
  const role = (name: string, apiVersion = 'v1'): string => distinctBindingName({ apiVersion, kind: 'Role', name });
  const names = [role('Reader'), role('reader'), role('a:b'), role('a.b'), role('reader', 'other/v1')];
  expect(new Set(names).size).toBe(names.length);
  expect(role('reader', 'other/v1')).toBe(role('reader', 'other/v2'));
});
