import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { attributesOf, refusalOf } from './attributes.ts';
import type { Attributes, RequestParts, ResourceAttributes } from './attributes.ts';
import { roleOf } from './rbac.ts';
import { describeRules, missingRules, ruleAllows, rulesOf } from './rule.ts';
import type { PolicyRule } from './rule.ts';

const rule = (of: Partial<PolicyRule>): PolicyRule => rulesOf([of])[0] as PolicyRule;
const clear = (part: string): string => (part === '-' ? '' : part);

/** `get apps/deployments/scale ns/web`, with `-` for what is empty; or `get /metrics`. */
function wants(text: string): Attributes {
  const [verb = '', what = '', where = '-/-'] = text.split(' ');
  if (what.startsWith('/')) return { verb, path: what };
  const [group = '', resource = '', subresource = ''] = what.split('/');
  const [namespace = '', name = ''] = where.split('/');
  return { verb, group: clear(group), resource, subresource, namespace: clear(namespace), name: clear(name) };
}

const readPods = { verbs: ['get', 'list'], apiGroups: [''], resources: ['pods', 'pods/log'] };
const table: readonly [Partial<PolicyRule>, string, boolean][] = [
  [readPods, 'get -/pods ns/a', true],
  [readPods, 'list -/pods ns/-', true],
  [readPods, 'get -/pods/log ns/a', true],
  [readPods, 'get -/pods/exec ns/a', false],
  [readPods, 'get -/pods/status ns/a', false],
  [readPods, 'watch -/pods ns/-', false],
  [readPods, 'GET -/pods ns/a', false],
  [readPods, 'get -/Pods ns/a', false],
  [readPods, 'get apps/pods ns/a', false],
  [readPods, 'get /pods', false],
  [readPods, 'delete -/pods ns/a', false],
  [readPods, 'deletecollection -/pods ns/-', false],
  [{ ...readPods, resources: ['*/log'] }, 'get -/pods/log ns/a', true],
  [{ ...readPods, resources: ['*/log'] }, 'get -/pods ns/a', false],
  [{ ...readPods, resources: ['*/log'] }, 'get -/pods/catalog ns/a', false],
  [{ ...readPods, resources: ['pods/*'] }, 'get -/pods/log ns/a', false],
  [{ ...readPods, resources: ['*'] }, 'get -/secrets/anything ns/a', true],
  [{ ...readPods, resources: ['*'] }, 'get apps/deployments ns/a', false],
  [{ ...readPods, apiGroups: ['*'] }, 'get apps/pods ns/a', true],
  [{ ...readPods, apiGroups: [] }, 'get -/pods ns/a', false],
  [{ ...readPods, verbs: ['*'] }, 'impersonate -/pods ns/a', true],
  [{ ...readPods, verbs: [] }, 'get -/pods ns/a', false],
  [{ ...readPods, verbs: ['ge*'] }, 'get -/pods ns/a', false],
  [{ ...readPods, resourceNames: ['a'] }, 'get -/pods ns/a', true],
  [{ ...readPods, resourceNames: ['a'] }, 'get -/pods ns/b', false],
  [{ ...readPods, resourceNames: ['a'] }, 'list -/pods ns/-', false],
  [{ ...readPods, resourceNames: ['a'] }, 'list -/pods ns/a', true],
  [{ ...readPods, resourceNames: ['*'] }, 'get -/pods ns/b', false],
  [{ ...readPods, nonResourceURLs: ['/pods'] }, 'get /pods', true],
  [{ verbs: ['get'], nonResourceURLs: ['/metrics'] }, 'get /metrics', true],
  [{ verbs: ['get'], nonResourceURLs: ['/metrics'] }, 'get /metrics/', false],
  [{ verbs: ['get'], nonResourceURLs: ['/metrics'] }, 'post /metrics', false],
  [{ verbs: ['get'], nonResourceURLs: ['/logs/*'] }, 'get /logs/a/b', true],
  [{ verbs: ['get'], nonResourceURLs: ['/logs/*'] }, 'get /logs', false],
  [{ verbs: ['get'], nonResourceURLs: ['/logs*'] }, 'get /logs', true],
  [{ verbs: ['get'], nonResourceURLs: ['*'] }, 'get /anything', true],
  [{ verbs: ['get'], nonResourceURLs: ['/*/pods'] }, 'get /a/pods', false],
  [{ verbs: ['get'], nonResourceURLs: ['/metrics'] }, 'get -/metrics -/-', false],
];

const some = (...values: string[]) => fc.uniqueArray(fc.constantFrom(...values), { maxLength: 2 });

describe('a rule', () => {
  it.each(table)('%j: %s → %j', (of, request, allowed) => {
    expect(ruleAllows(rule(of), wants(request))).toBe(allowed);
    expect(roleOf([rule(of)]).allows(wants(request))).toBe(allowed);
  });

  it.each([
    [[{ verbs: 'get', apiGroups: [''], resources: ['pods'] }]],
    [[{ verbs: ['get'], apiGroups: '', resources: ['pods'] }]],
    [[{ verbs: ['get'], apiGroups: [''], resources: ['pods'], resourceNames: 'b' }]],
    [[{ verbs: ['get'], apiGroups: [''], resources: ['pods'], resourceNames: [7] }]],
    [{ 0: readPods }],
    ['*'],
    [[null, 'x', ['get']]],
    [undefined],
  ])('a damaged rule allows nothing: %j', (value) => {
    expect(rulesOf(value).some((one) => ruleAllows(one, wants('get -/pods ns/a')))).toBe(false);
  });

  const anyRule = fc.record({
    verbs: some('get', 'list', '*'),
    apiGroups: some('', 'apps', '*'),
    resources: some('pods', 'pods/log', '*/log', '*', 'deployments'),
    resourceNames: some('a', 'b'),
    nonResourceURLs: some('/a', '/a/*', '*'),
  });
  const anyResource: fc.Arbitrary<ResourceAttributes> = fc.record({
    verb: fc.constantFrom('get', 'list', 'patch'),
    group: fc.constantFrom('', 'apps'),
    resource: fc.constantFrom('pods', 'deployments'),
    subresource: fc.constantFrom('', 'log'),
    namespace: fc.constantFrom('', 'ns'),
    name: fc.constantFrom('', 'a', 'c'),
  });
  const anyPath = fc.record({ verb: fc.constantFrom('get', 'post'), path: fc.constantFrom('/a', '/a/b', '/b') });
  const anyRequest: fc.Arbitrary<Attributes> = fc.oneof(anyResource, anyPath);

  it('says the same when it is arranged in a role', () => {
    fc.assert(
      fc.property(fc.array(anyRule, { maxLength: 5 }), anyRequest, (rules, request) => {
        expect(roleOf(rules).allows(request)).toBe(rules.some((one) => ruleAllows(one, request)));
      }),
    );
  });

  it('covers only what it allows: a user who has all that is wanted never gets a new permission', () => {
    fc.assert(
      fc.property(fc.array(anyRule, { maxLength: 4 }), anyRule, anyRequest, (granted, wanted, request) => {
        if (missingRules(granted, [wanted]).length > 0 || !ruleAllows(wanted, request)) return;
        expect(granted.some((one) => ruleAllows(one, request))).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('missing rules', () => {
  const cases: readonly [string, Partial<PolicyRule>[], Partial<PolicyRule>[], string][] = [
    ['nothing wanted', [], [], ''],
    ['granted exactly', [readPods], [readPods], ''],
    [
      'granted by two rules together',
      [
        { ...readPods, verbs: ['get'] },
        { ...readPods, verbs: ['list'] },
      ],
      [readPods],
      '',
    ],
    [
      'one verb more',
      [readPods],
      [{ ...readPods, resources: ['pods'], verbs: ['get', 'delete', 'patch'] }],
      '{APIGroups:[""], Resources:["pods"], Verbs:["delete" "patch"]}',
    ],
    [
      'names do not cover all names',
      [{ ...readPods, resourceNames: ['a'] }],
      [{ ...readPods, resources: ['pods'] }],
      '{APIGroups:[""], Resources:["pods"], Verbs:["get" "list"]}',
    ],
    ['all names cover names', [readPods], [{ ...readPods, resourceNames: ['a'] }], ''],
    [
      'another name',
      [{ ...readPods, resourceNames: ['a'] }],
      [{ ...readPods, resources: ['pods'], verbs: ['get'], resourceNames: ['a', 'b'] }],
      '{APIGroups:[""], Resources:["pods"], ResourceNames:["b"], Verbs:["get"]}',
    ],
    [
      'a star is more than every known verb',
      [readPods],
      [{ ...readPods, resources: ['pods'], verbs: ['*'] }],
      '{APIGroups:[""], Resources:["pods"], Verbs:["*"]}',
    ],
    [
      'a star of resources',
      [{ ...readPods, resources: ['pods'] }],
      [{ ...readPods, resources: ['*'], verbs: ['get'] }],
      '{APIGroups:[""], Resources:["*"], Verbs:["get"]}',
    ],
    ['subresources by star', [{ ...readPods, resources: ['*/log'] }], [{ ...readPods, resources: ['pods/log'] }], ''],
    [
      'a URL under a star',
      [{ verbs: ['get'], nonResourceURLs: ['/logs/*'] }],
      [{ verbs: ['get'], nonResourceURLs: ['/logs/a', '/logs/*'] }],
      '',
    ],
    [
      'a URL beside',
      [{ verbs: ['get'], nonResourceURLs: ['/logs/*'] }],
      [{ verbs: ['get'], nonResourceURLs: ['/logs', '/*'] }],
      '{NonResourceURLs:["/*"], Verbs:["get"]}\n{NonResourceURLs:["/logs"], Verbs:["get"]}',
    ],
  ];
  it.each(cases)('%s', (_, granted, wanted, missing) => {
    expect(describeRules(missingRules(granted.map(rule), wanted.map(rule)))).toBe(missing);
  });
});

describe('the attributes of a request', () => {
  const pods = { group: '', plural: 'pods', subresource: '', namespace: 'ns', name: '' };
  const named = { ...pods, name: 'a' };
  const cases: readonly [string, Partial<RequestParts>, string][] = [
    ['a list', { target: pods }, 'list -/pods ns/-'],
    ['a watch', { target: pods, watch: true }, 'watch -/pods ns/-'],
    ['the old form of a watch', { target: { ...named, watch: true } }, 'watch -/pods ns/a'],
    ['a list of one name', { target: pods, selectedName: 'a' }, 'list -/pods ns/a'],
    ['a get', { target: named }, 'get -/pods ns/a'],
    ['a watch of one object', { target: named, watch: true }, 'watch -/pods ns/a'],
    ['a HEAD', { method: 'HEAD', target: named }, 'get -/pods ns/a'],
    ['a creation', { method: 'POST', target: pods }, 'create -/pods ns/-'],
    ['a creation that selects a name', { method: 'POST', target: pods, selectedName: 'a' }, 'create -/pods ns/-'],
    ['a replacement', { method: 'PUT', target: named }, 'update -/pods ns/a'],
    ['a patch', { method: 'PATCH', target: named }, 'patch -/pods ns/a'],
    ['a deletion', { method: 'DELETE', target: named }, 'delete -/pods ns/a'],
    ['a deletion of many', { method: 'DELETE', target: pods }, 'deletecollection -/pods ns/-'],
    [
      'a deletion of many, of one name',
      { method: 'DELETE', target: pods, selectedName: 'a' },
      'deletecollection -/pods ns/-',
    ],
    ['a subresource', { method: 'POST', target: { ...named, subresource: 'eviction' } }, 'create -/pods/eviction ns/a'],
    ['an unknown method', { method: 'BREW', target: named }, 'brew -/pods ns/a'],
    ['a namespace', { target: { ...pods, plural: 'namespaces', namespace: '', name: 'ns' } }, 'get -/namespaces ns/ns'],
    [
      'another kind called namespaces',
      { target: { ...pods, group: 'x', plural: 'namespaces', namespace: '', name: 'n' } },
      'get x/namespaces -/n',
    ],
    ['a path', { target: undefined, path: '/metrics' }, 'get /metrics'],
    ['a post to a path', { method: 'POST', target: undefined, path: '/metrics' }, 'post /metrics'],
  ];
  it.each(cases)('%s', (_, parts, wanted) => {
    expect(attributesOf({ method: 'GET', path: '/x', target: undefined, ...parts })).toEqual(wants(wanted));
  });
});

describe('the message of a refusal', () => {
  it.each([
    ['list -/pods x/-', 'User "jane" cannot list resource "pods" in API group "" in the namespace "x"'],
    [
      'get apps/deployments/scale -/a',
      'User "jane" cannot get resource "deployments/scale" in API group "apps" at the cluster scope',
    ],
    ['get /metrics', 'User "jane" cannot get path "/metrics"'],
    ['get /<script>', 'User "jane" cannot get path "/&lt;script&gt;"'],
  ])('%s', (request, message) => expect(refusalOf('jane', wants(request))).toBe(message));
});
