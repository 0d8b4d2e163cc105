import { afterAll, beforeAll, expect, test } from 'vitest';
import { openHouse } from './kit.ts';
import type { House } from './kit.ts';

/** Specs that name clusters where their schema does not allow it: admission reads them before the schema is checked. */
const misfits = [
  { overrideRules: { a: 1 } },
  { overrideRules: [null] },
  { overrideRules: [{ targetCluster: { clusterNames: 7 } }] },
  { overrideRules: [{ targetCluster: { exclude: {} } }] },
  { overrideRules: [{ targetCluster: { fieldSelector: { matchExpressions: [0] } } }] },
  { overrideRules: [{ targetCluster: { labelSelector: { matchExpressions: 'x' } } }] },
];

/** Requests that the fuzzer found, made as small as they still failed. */
const findings: readonly (readonly [what: string, line: string, status: number, object?: object, type?: string])[] = [
  [
    'a finalizer that is null is an empty name, as Go reads it',
    'POST /api/v1/namespaces/default/configmaps',
    422,
    { metadata: { name: 'a', finalizers: ['example.com/x', null] } },
  ],
  [
    'the same in a kind of a definition',
    'POST /apis/policy.karmada.io/v1alpha1/namespaces/default/overridepolicies',
    422,
    {
      apiVersion: 'policy.karmada.io/v1alpha1',
      kind: 'OverridePolicy',
      metadata: { name: 'a', finalizers: [null] },
      spec: { overrideRules: [] },
    },
  ],
  [
    'an owner that is null has no name',
    'POST /api/v1/namespaces/default/configmaps',
    422,
    { metadata: { name: 'a', ownerReferences: [null] } },
  ],
  [
    'a port that is null is port 0',
    'POST /api/v1/namespaces/default/services',
    422,
    { metadata: { name: 'a' }, spec: { ports: [null] } },
  ],
  [
    'a container that is null has no name',
    'POST /api/v1/namespaces/default/pods',
    422,
    { metadata: { name: 'a' }, spec: { containers: [null] } },
  ],
  [
    'half of a surrogate pair in a name, which no file could hold, is U+FFFD, as Go reads it',
    'POST /apis/rbac.authorization.k8s.io/v1/clusterroles',
    201,
    { metadata: { name: '\ud800' }, rules: [] },
  ],
  [
    'an applied name that is an object, which cannot become text',
    'PATCH /apis/work.karmada.io/v1alpha2/namespaces/default/resourcebindings/a?fieldManager=m',
    400,
    { metadata: { name: { toString: 0 } } },
    'application/apply-patch+yaml',
  ],
  [
    'a definition without a kind',
    'POST /apis/apiextensions.k8s.io/v1/customresourcedefinitions',
    422,
    {
      metadata: { name: 'x.example.com' },
      spec: { group: 'example.com', names: {}, scope: 'Namespaced', versions: [] },
    },
  ],
  ...misfits.map(
    (spec) =>
      [
        `a policy in which ${JSON.stringify(spec)} has another shape than its schema`,
        'POST /apis/policy.karmada.io/v1alpha1/clusteroverridepolicies',
        422,
        { apiVersion: 'policy.karmada.io/v1alpha1', kind: 'ClusterOverridePolicy', metadata: { name: 'a' }, spec },
      ] as const,
  ),
];

let house: House;
beforeAll(async () => {
  house = await openHouse();
});
afterAll(() => house.close());

for (const [what, line, status, object, type = 'application/json'] of findings)
  test(`${what}: ${line} → ${status}`, async () => {
    const answer = await house.as('root/system:masters', line, { object, headers: { 'content-type': type } });
    expect(`${answer.status} ${answer.body}`).toMatch(new RegExp(`^${status} `));
    expect(house.faults).toEqual([]);
  });
