import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { at, textAt } from './driver.ts';
import { conformance } from './suite.ts';

/** Behaviour that Kubernetes' own end-to-end specs hold an API server to. */
conformance('what clients of Kubernetes expect', (hub) => {
  it.each(['invalid', '1x', '10'])('timeout=%s in the URL is a bad request', async (text) => {
    const reply = await hub.get(`/api/v1/namespaces?timeout=${text}`);
    expect(reply.status).toBe(400);
    expect(textAt(reply.body, 'message')).toContain(`invalid timeout specified in the request URL - time: invalid`);
    expect((await hub.get('/api/v1/namespaces?timeout=1m30s')).status).toBe(200);
  });

  it('a review is not shown as a table', async () => {
    const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io';
    const review = { spec: { nonResourceAttributes: { path: '/', verb: 'get' } } };
    const path = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';
    const reply = await hub.post(path, review, { accept, 'content-type': 'application/json' });
    // A hub without an authority of its own answers no reviews: it takes this for an object that lacks fields.
    expect([406, 422]).toContain(reply.status);
  });

  it('the approval of a certificate request may carry annotations', async () => {
    const name = `request-${randomUUID().slice(0, 8)}`;
    const path = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
    const spec = {
      request: Buffer.from('none').toString('base64'),
      signerName: 'example.com/test',
      usages: ['client auth'],
    };
    expect((await hub.post(path, { metadata: { name }, spec })).status).toBe(201);
    const condition = { type: 'Approved', status: 'True', reason: 'Test', message: 'ok' };
    const change = { metadata: { annotations: { why: 'test' } }, status: { conditions: [condition] } };
    const patched = await hub.patch(`${path}/${name}/approval`, change);
    expect(patched.status).toBe(200);
    expect(at(patched.body, 'metadata.annotations.why')).toBe('test');
    expect(at(patched.body, 'status.conditions.0.type')).toBe('Approved');
  });

  it('an applied object lists its fields in the order of Kubernetes', async () => {
    const ns = await hub.namespace();
    const container = { name: 'main', image: 'x' };
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'one' }, spec: { containers: [container] } };
    const path = `/api/v1/namespaces/${ns}/pods/one?fieldManager=test`;
    const made = await hub.patch(path, pod, 'apply');
    expect(made.status).toBe(201);
    expect(JSON.stringify(at(made.body, 'metadata.managedFields.0.fieldsV1'))).toBe(
      '{"f:spec":{"f:containers":{"k:{\\"name\\":\\"main\\"}":{".":{},"f:image":{},"f:name":{}}}}}',
    );
  });

  it('a rule that cannot be parsed is a syntax error', async () => {
    const group = `g${randomUUID().slice(0, 8)}.example.com`;
    const rules = [{ rule: 'self = 42' }];
    const openAPIV3Schema = {
      type: 'object',
      properties: { spec: { type: 'integer', 'x-kubernetes-validations': rules } },
    };
    const reply = await hub.post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
      metadata: { name: `colors.${group}` },
      spec: {
        group,
        scope: 'Namespaced',
        names: { plural: 'colors', singular: 'color', kind: 'Color' },
        versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }],
      },
    });
    expect(reply.status).toBe(422);
    expect(textAt(reply.body, 'message')).toContain('ERROR: <input>:1:6: Syntax error: ');
  });
});
