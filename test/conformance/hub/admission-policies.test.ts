import { expect, it } from 'vitest';
import { at, textAt } from './driver.ts';
import type { Bench } from './suite.ts';
import { configMap, conformance } from './suite.ts';

const group = '/apis/admissionregistration.k8s.io/v1';
const rule = { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE', 'UPDATE'], resources: ['configmaps'] };

interface Policy {
  readonly spec: object;
  readonly binding?: object;
}

/** Makes a policy and a binding that hold for one namespace. */
async function policy(hub: Bench, ns: string, { spec, binding = {} }: Policy): Promise<void> {
  const matchConstraints = { resourceRules: [rule] };
  const policies = `${group}/validatingadmissionpolicies`;
  const made = await hub.post(policies, { metadata: { name: ns }, spec: { matchConstraints, ...spec } });
  expect(made.text).toContain(ns);
  expect(made.status).toBe(201);
  const namespaceSelector = { matchLabels: { 'kubernetes.io/metadata.name': ns } };
  const bound = { policyName: ns, validationActions: ['Deny'], matchResources: { namespaceSelector }, ...binding };
  const second = await hub.post(`${group}/validatingadmissionpolicybindings`, { metadata: { name: ns }, spec: bound });
  expect(second.status).toBe(201);
}

conformance('admission policies', (hub) => {
  it('refuse what breaks a rule, with its message', async () => {
    const ns = await hub.namespace();
    const validations = [{ expression: "object.data.size != 'large'", message: 'too large' }];
    await policy(hub, ns, { spec: { validations } });
    const path = `/api/v1/namespaces/${ns}/configmaps`;
    expect((await hub.post(path, { ...configMap('a'), data: { size: 'small' } })).status).toBe(201);
    const refused = await hub.post(path, { ...configMap('b'), data: { size: 'large' } });
    expect(refused.status).toBe(422);
    const words = `ValidatingAdmissionPolicy '${ns}' with binding '${ns}' denied request: too large`;
    expect(refused.body).toMatchObject({
      reason: 'Invalid',
      message: `configmaps "b" is forbidden: ${words}`,
      details: { causes: [{ message: words }] },
    });
    expect((await hub.patch(`${path}/a`, { data: { size: 'large' } })).status).toBe(422);
  });

  it('know variables, the old object, the namespace and the request', async () => {
    const ns = await hub.namespace();
    const variables = [
      { name: 'before', expression: 'has(oldObject.data) ? int(oldObject.data.n) : 0' },
      { name: 'grows', expression: 'int(object.data.n) >= variables.before' },
    ];
    const validations = [
      {
        expression: 'oldObject == null || variables.grows',
        messageExpression: "'not below ' + string(variables.before)",
      },
      { expression: 'namespaceObject.metadata.name == request.namespace', reason: 'Forbidden' },
    ];
    await policy(hub, ns, { spec: { variables, validations } });
    const path = `/api/v1/namespaces/${ns}/configmaps`;
    expect((await hub.post(path, { ...configMap('a'), data: { n: '3' } })).status).toBe(201);
    expect((await hub.patch(`${path}/a`, { data: { n: '4' } })).status).toBe(200);
    const refused = await hub.patch(`${path}/a`, { data: { n: '2' } });
    expect(textAt(refused.body, 'message')).toContain('denied request: not below 4');
  });

  it('warn where the binding says so', async () => {
    const ns = await hub.namespace();
    const validations = [{ expression: 'false', message: 'rather not' }];
    await policy(hub, ns, { spec: { validations }, binding: { validationActions: ['Warn'] } });
    const made = await hub.post(`/api/v1/namespaces/${ns}/configmaps`, configMap('a'));
    expect(made.status).toBe(201);
    expect(String(made.headers['warning'])).toContain(
      `Validation failed for ValidatingAdmissionPolicy '${ns}' with binding '${ns}': rather not`,
    );
  });

  it('take parameters from objects, and refuse everything while there are none', async () => {
    const ns = await hub.namespace();
    const validations = [{ expression: "object.data.n != params.data.forbidden || 'free' in params.data" }];
    const paramRef = { name: 'settings', namespace: ns, parameterNotFoundAction: 'Deny' };
    const spec = { paramKind: { apiVersion: 'v1', kind: 'ConfigMap' }, validations };
    const conditions = [{ name: 'other', expression: "object.metadata.name != 'settings'" }];
    await policy(hub, ns, { spec: { ...spec, matchConditions: conditions }, binding: { paramRef } });
    const path = `/api/v1/namespaces/${ns}/configmaps`;
    const missing = await hub.post(path, { ...configMap('a'), data: { n: '1' } });
    expect(textAt(missing.body, 'message')).toContain('failed to configure binding: no params found');
    await hub.patch(`${group}/validatingadmissionpolicybindings/${ns}`, {
      spec: { paramRef: { parameterNotFoundAction: 'Allow' } },
    });
    await hub.post(path, { ...configMap('settings'), data: { forbidden: '1' } });
    expect((await hub.post(path, { ...configMap('a'), data: { n: '1' } })).status).toBe(422);
    expect((await hub.post(path, { ...configMap('b'), data: { n: '2' } })).status).toBe(201);
  });

  it('fail or ignore an expression that cannot answer, as failurePolicy says', async () => {
    const ns = await hub.namespace();
    await policy(hub, ns, { spec: { validations: [{ expression: 'object.nothing.at.all == 1' }] } });
    const path = `/api/v1/namespaces/${ns}/configmaps`;
    const refused = await hub.post(path, configMap('a'));
    expect(textAt(refused.body, 'message')).toContain(
      "expression 'object.nothing.at.all == 1' resulted in error: no such key: nothing",
    );
    await hub.patch(`${group}/validatingadmissionpolicies/${ns}`, { spec: { failurePolicy: 'Ignore' } });
    expect((await hub.post(path, configMap('a'))).status).toBe(201);
  });

  it('are refused when an expression does not compile', async () => {
    const spec = { matchConstraints: { resourceRules: [rule] }, validations: [{ expression: 'object.' }] };
    const reply = await hub.post(`${group}/validatingadmissionpolicies`, { metadata: { name: 'broken' }, spec });
    expect(reply.status).toBe(422);
    expect(textAt(reply.body, 'message')).toContain('spec.validations[0].expression: Invalid value: "object."');
  });

  it('have the defaults of Kubernetes', async () => {
    const ns = await hub.namespace();
    await policy(hub, ns, { spec: { validations: [{ expression: 'true' }] } });
    const reply = await hub.get(`${group}/validatingadmissionpolicies/${ns}`);
    expect(at(reply.body, 'spec')).toMatchObject({
      failurePolicy: 'Fail',
      matchConstraints: {
        matchPolicy: 'Equivalent',
        namespaceSelector: {},
        objectSelector: {},
        resourceRules: [{ scope: '*' }],
      },
    });
  });
});
