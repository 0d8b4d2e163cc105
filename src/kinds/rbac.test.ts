import { describe, expect, it } from 'vitest';
import { fieldErrorText } from '../api/index.ts';
import type { KubeObject } from '../api/index.ts';
import { clone } from '../base/index.ts';
import type { Draft } from './draft.ts';
import { rbac } from './rbac.ts';

const group = 'rbac.authorization.k8s.io';
const faults = (plural: string, parts: object, old?: object): string[] => {
  const strategy = rbac[`${group}/${plural}`];
  const draft = clone({ apiVersion: `${group}/v1`, kind: 'x', metadata: { name: 'x' }, ...parts }) as unknown as Draft;
  strategy?.defaults?.(draft);
  const errors = [...(strategy?.validate?.(draft) ?? [])];
  if (old) errors.push(...(strategy?.validateUpdate?.(draft, old as KubeObject) ?? []));
  return errors.map(fieldErrorText);
};
const pods = { apiGroups: [''], resources: ['pods'], verbs: ['get'] };
const metrics = { nonResourceURLs: ['/metrics'], verbs: ['get'] };

describe('rules', () => {
  it.each<readonly [string, object, readonly string[]]>([
    ['roles', {}, []],
    ['roles', { rules: [pods] }, []],
    ['clusterroles', { rules: [pods, metrics] }, []],
    [
      'roles',
      { rules: [{}] },
      [
        'rules[0].verbs: Required value: verbs must contain at least one value',
        'rules[0].apiGroups: Required value: resource rules must supply at least one api group',
        'rules[0].resources: Required value: resource rules must supply at least one resource',
      ],
    ],
    [
      'roles',
      { rules: [pods, metrics] },
      ['rules[1].nonResourceURLs: Invalid value: ["/metrics"]: namespaced rules cannot apply to non-resource URLs'],
    ],
    [
      'clusterroles',
      { rules: [{ ...pods, ...metrics }] },
      [
        'rules[0].nonResourceURLs: Invalid value: ["/metrics"]: rules cannot apply to both regular resources and non-resource URLs',
      ],
    ],
    [
      'clusterroles',
      { aggregationRule: {} },
      [
        'aggregationRule.clusterRoleSelectors: Required value: at least one clusterRoleSelector required if aggregationRule is non-nil',
      ],
    ],
    ['clusterroles', { aggregationRule: { clusterRoleSelectors: [{}] } }, []],
  ])('%s %j', (plural, parts, errors) => expect(faults(plural, parts)).toEqual(errors));
});

const to = (kind: string, name = 'r'): object => ({ roleRef: { kind, name } });
const user = (more: object = {}): object => ({ subjects: [{ kind: 'User', name: 'jane', ...more }] });
const account = (more: object = {}): object => ({ subjects: [{ kind: 'ServiceAccount', name: 'robot', ...more }] });

describe('bindings', () => {
  it.each<readonly [string, object, readonly string[]]>([
    ['rolebindings', to('Role'), []],
    ['rolebindings', { ...to('ClusterRole'), ...user() }, []],
    ['rolebindings', { ...to('Role'), ...account() }, []],
    ['clusterrolebindings', { ...to('ClusterRole'), ...account({ namespace: 'ns' }) }, []],
    ['clusterrolebindings', { ...to('ClusterRole'), ...account() }, ['subjects[0].namespace: Required value']],
    ['clusterrolebindings', to('Role'), ['roleRef.kind: Unsupported value: "Role": supported values: "ClusterRole"']],
    [
      'rolebindings',
      to('clusterrole'),
      ['roleRef.kind: Unsupported value: "clusterrole": supported values: "Role", "ClusterRole"'],
    ],
    ['rolebindings', to('Role', ''), ['roleRef.name: Required value']],
    ['rolebindings', to('Role', '../x'), [`roleRef.name: Invalid value: "../x": may not contain '/'`]],
    [
      'rolebindings',
      { roleRef: { kind: 'Role', name: 'r', apiGroup: 'evil' } },
      [`roleRef.apiGroup: Unsupported value: "evil": supported values: "${group}"`],
    ],
    ['rolebindings', { ...to('Role'), ...user({ name: '' }) }, ['subjects[0].name: Required value']],
    [
      'rolebindings',
      { ...to('Role'), ...user({ kind: 'user' }) },
      ['subjects[0].kind: Unsupported value: "user": supported values: "ServiceAccount", "User", "Group"'],
    ],
    [
      'rolebindings',
      { ...to('Role'), ...user({ apiGroup: 'x' }) },
      [`subjects[0].apiGroup: Unsupported value: "x": supported values: "${group}"`],
    ],
    [
      'rolebindings',
      { ...to('Role'), ...account({ apiGroup: group }) },
      [`subjects[0].apiGroup: Unsupported value: "${group}": supported values: ""`],
    ],
  ])('%s %j', (plural, parts, errors) => expect(faults(plural, parts)).toEqual(errors));

  it('a ServiceAccount must be named as one', () => {
    expect(faults('rolebindings', { ...to('Role'), ...account({ name: 'Robot' }) })[0]).toMatch(
      /^subjects\[0\]\.name: Invalid value: "Robot": a lowercase RFC 1123/,
    );
  });

  it('the role of a binding never changes, its subjects may', () => {
    const old = { metadata: { name: 'x' }, roleRef: { apiGroup: group, kind: 'Role', name: 'r' } };
    expect(faults('rolebindings', { ...to('Role'), ...user() }, old)).toEqual([]);
    expect(faults('rolebindings', to('ClusterRole', 'cluster-admin'), old)[0]).toMatch(
      /^roleRef: Invalid value: .*: cannot change roleRef$/,
    );
  });
});
