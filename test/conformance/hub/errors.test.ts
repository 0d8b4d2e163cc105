import { expect, it } from 'vitest';
import { at, textAt } from './driver.ts';
import { configMap, conformance, deployment } from './suite.ts';

conformance('errors', (hub) => {
  it('answers for paths and methods that lead nowhere', async () => {
    const unknown = await hub.get('/apis/example.com/v1/things');
    expect(unknown.status).toBe(404);
    const kind = await hub.get('/api/v1/nothings');
    expect(kind.status).toBe(404);
    const scoped = await hub.post('/api/v1/configmaps', configMap('a'));
    expect(scoped.status).toBe(405);
    const ns = await hub.namespace();
    const onObject = await hub.post(`/api/v1/namespaces/${ns}/configmaps/a`, configMap('a'));
    expect(onObject.status).toBe(405);
    expect((await hub.get('/nonsense')).status).toBe(404);
  });

  it('refuses bodies that it cannot read', async () => {
    const ns = await hub.namespace();
    const path = `/api/v1/namespaces/${ns}/configmaps`;
    expect((await hub.post(path, '{"apiVersion":')).status).toBe(400);
    expect((await hub.post(path, '[]')).status).toBe(400);
    const type = await hub.post(path, 'x', { 'content-type': 'text/csv' });
    expect(type.status).toBe(415);
    expect(type.body).toMatchObject({ kind: 'Status', reason: 'UnsupportedMediaType' });
  });

  it('refuses bodies of another kind, version, namespace or name', async () => {
    const ns = await hub.namespace();
    const path = `/api/v1/namespaces/${ns}/configmaps`;
    const version = await hub.post(path, { ...configMap('a'), apiVersion: 'apps/v1' });
    expect(version.status).toBe(400);
    expect(textAt(version.body, 'message')).toContain('no kind "ConfigMap" is registered for version "apps/v1"');
    const kind = await hub.post(path, { ...configMap('a'), kind: 'Secret' });
    expect(kind.status).toBe(400);
    const namespace = await hub.post(path, configMap('a', {}, { namespace: 'default' }));
    expect(namespace.status).toBe(400);
    expect(textAt(namespace.body, 'message')).toBe(
      'the namespace of the provided object does not match the namespace sent on the request',
    );
    await hub.post(path, configMap('a'));
    const name = await hub.put(`${path}/a`, configMap('b'));
    expect(name.status).toBe(400);
    expect(textAt(name.body, 'message')).toBe('the name of the object (b) does not match the name on the URL (a)');
  });

  it.each([
    ['Upper', 'a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters'],
    ['a_b', 'a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters'],
    ['x'.repeat(254), 'must be no more than 253'],
  ])('refuses the name %s', async (name, words) => {
    const ns = await hub.namespace();
    const reply = await hub.post(`/api/v1/namespaces/${ns}/configmaps`, configMap(name));
    expect(reply.status).toBe(422);
    expect(textAt(reply.body, 'message')).toContain(`ConfigMap "${name}" is invalid: metadata.name: Invalid value:`);
    expect(textAt(reply.body, 'message')).toContain(words);
    expect(reply.body).toMatchObject({
      reason: 'Invalid',
      details: { name, kind: 'ConfigMap', causes: [{ reason: 'FieldValueInvalid', field: 'metadata.name' }] },
    });
  });

  it('wants a name, and labels that are labels', async () => {
    const ns = await hub.namespace();
    const path = `/api/v1/namespaces/${ns}/configmaps`;
    const nameless = await hub.post(path, { apiVersion: 'v1', kind: 'ConfigMap', metadata: {} });
    expect(nameless.status).toBe(422);
    expect(textAt(nameless.body, 'message')).toContain(
      'metadata.name: Required value: name or generateName is required',
    );
    const labels = await hub.post(path, configMap('a', {}, { labels: { 'bad key': 'x', ok: 'not ok' } }));
    expect(labels.status).toBe(422);
    expect(at(labels.body, 'details.causes')).toHaveLength(2);
    expect(textAt(labels.body, 'message')).toContain(
      'metadata.labels: Invalid value: "bad key": name part must consist of',
    );
    expect(textAt(labels.body, 'message')).toContain('metadata.labels: Invalid value: "not ok": a valid label must be');
  });

  it('refuses values of the wrong type', async () => {
    const ns = await hub.namespace();
    const reply = await hub.post(
      `/apis/apps/v1/namespaces/${ns}/deployments`,
      deployment('web', { replicas: 'three' }),
    );
    expect(reply.status).toBe(400);
    expect(textAt(reply.body, 'message')).toContain(
      'Deployment in version "v1" cannot be handled as a Deployment: json: cannot unmarshal string into Go struct field',
    );
  });

  it('refuses, warns of or ignores fields that it does not know', async () => {
    const ns = await hub.namespace();
    const path = `/apis/apps/v1/namespaces/${ns}/deployments`;
    const body = deployment('web', { replicaz: 2 });
    const strict = await hub.post(`${path}?fieldValidation=Strict`, body);
    expect(strict.status).toBe(400);
    expect(textAt(strict.body, 'message')).toBe(
      'Deployment in version "v1" cannot be handled as a Deployment: strict decoding error: unknown field "spec.replicaz"',
    );
    const warned = await hub.post(`${path}?fieldValidation=Warn`, body);
    expect(warned.status).toBe(201);
    expect([warned.headers['warning']].flat()).toEqual(['299 - "unknown field \\"spec.replicaz\\""']);
    expect(at(warned.body, 'spec.replicaz')).toBeUndefined();
    await hub.delete(`${path}/web`);
    const ignored = await hub.post(`${path}?fieldValidation=Ignore`, body);
    expect(ignored.status).toBe(201);
    expect(ignored.headers['warning']).toBeUndefined();
    expect((await hub.post(`${path}?fieldValidation=Loose`, body)).status).toBe(422);
  });

  it('refuses or warns of fields that stand twice', async () => {
    const ns = await hub.namespace();
    const path = `/api/v1/namespaces/${ns}/configmaps`;
    const text = '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":{"k":"1","k":"2"}}';
    const strict = await hub.post(`${path}?fieldValidation=Strict`, text);
    expect(strict.status).toBe(400);
    expect(textAt(strict.body, 'message')).toContain('strict decoding error: duplicate field "data.k"');
    const warned = await hub.post(path, text);
    expect(warned.status).toBe(201);
    expect([warned.headers['warning']].flat()).toEqual(['299 - "duplicate field \\"data.k\\""']);
    expect(at(warned.body, 'data.k')).toBe('2');
  });

  it('does not read bodies without end', async () => {
    const ns = await hub.namespace();
    const reply = await hub.post(`/api/v1/namespaces/${ns}/configmaps`, configMap('a', { k: 'x'.repeat(3_200_000) }));
    expect(reply.status).toBe(413);
    expect(reply.body).toMatchObject({ reason: 'RequestEntityTooLarge' });
    expect(textAt(reply.body, 'message')).toContain('limit is 3145728');
  });
});

conformance('dry run', (hub) => {
  it('does everything but write', async () => {
    const ns = await hub.namespace();
    const path = `/api/v1/namespaces/${ns}/configmaps`;
    const made = await hub.post(`${path}?dryRun=All`, configMap('a', { k: '1' }));
    expect(made.status).toBe(201);
    expect(textAt(made.body, 'metadata.uid')).not.toBe('');
    expect((await hub.get(`${path}/a`)).status).toBe(404);
    const invalid = await hub.post(`${path}?dryRun=All`, configMap('A'));
    expect(invalid.status).toBe(422);

    const real = await hub.post(path, configMap('a', { k: '1' }));
    expect((await hub.post(`${path}?dryRun=All`, configMap('a'))).status).toBe(409);
    const put = await hub.put(`${path}/a?dryRun=All`, configMap('a', { k: '2' }));
    expect(at(put.body, 'data.k')).toBe('2');
    const patched = await hub.patch(`${path}/a?dryRun=All`, { data: { k: '3' } });
    expect(at(patched.body, 'data.k')).toBe('3');
    const applied = await hub.patch(
      `${path}/a?dryRun=All&fieldManager=m&force=true`,
      configMap('a', { k: '4' }),
      'apply',
    );
    expect(at(applied.body, 'data.k')).toBe('4');
    expect((await hub.delete(`${path}/a?dryRun=All`)).status).toBe(200);
    expect((await hub.delete(`${path}?dryRun=All`)).status).toBe(200);
    const after = await hub.get(`${path}/a`);
    expect(after.body).toEqual(real.body);
    expect((await hub.post(`${path}?dryRun=Some`, configMap('b'))).status).toBe(422);
  });
});

conformance('health', (hub) => {
  it.each(['/livez', '/readyz', '/healthz'])('%s', async (path) => {
    expect((await hub.get(path)).text).toBe('ok');
    expect((await hub.get(`${path}?verbose`)).text).toContain('[+]ping ok');
  });

  it('says its version', async () => {
    expect((await hub.get('/version')).body).toMatchObject({
      major: '1',
      gitVersion: expect.stringMatching(/^v1\.\d+/),
    });
  });
});
