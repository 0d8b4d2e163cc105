import { isDeepStrictEqual } from 'node:util';
import { expect, it } from 'vitest';
import { at, textAt } from './driver.ts';
import type { Bench } from './suite.ts';
import { conformance, deployment } from './suite.ts';

const quota = (hard: object, spec: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'ResourceQuota',
  metadata: { name: 'limit' },
  spec: { hard, ...spec },
});

const pod = (name: string, cpu: string, spec: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name },
  spec: { containers: [{ name: 'main', image: 'x', resources: { requests: { cpu } } }], ...spec },
});

/** Reads the quota until it says that so much is used. */
async function untilUsed(hub: Bench, ns: string, used: object): Promise<void> {
  for (;;) {
    const reply = await hub.get(`/api/v1/namespaces/${ns}/resourcequotas/limit`);
    const found = at(reply.body, 'status.used');
    if (isDeepStrictEqual(found, used)) return;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

conformance('quotas', (hub) => {
  it('counts what is there, what comes and what goes', async () => {
    const ns = await hub.namespace();
    const path = `/apis/apps/v1/namespaces/${ns}/deployments`;
    await hub.post(path, deployment('first'));
    await hub.post(`/api/v1/namespaces/${ns}/resourcequotas`, quota({ 'count/deployments.apps': '2' }));
    await untilUsed(hub, ns, { 'count/deployments.apps': '1' });
    await hub.post(path, deployment('second'));
    await untilUsed(hub, ns, { 'count/deployments.apps': '2' });
    const refused = await hub.post(path, deployment('third'));
    expect(refused.status).toBe(403);
    expect(textAt(refused.body, 'message')).toBe(
      'deployments.apps "third" is forbidden: exceeded quota: limit, requested: count/deployments.apps=1, used: count/deployments.apps=2, limited: count/deployments.apps=2',
    );
    await hub.delete(`${path}/first`);
    await untilUsed(hub, ns, { 'count/deployments.apps': '1' });
    expect((await hub.post(path, deployment('third'))).status).toBe(201);
  });

  it('lets no two writes side by side use the last of it', async () => {
    const ns = await hub.namespace();
    await hub.post(`/api/v1/namespaces/${ns}/resourcequotas`, quota({ secrets: '3' }));
    await untilUsed(hub, ns, { secrets: '0' });
    const secret = (i: number): object => ({ apiVersion: 'v1', kind: 'Secret', metadata: { name: `s${i}` } });
    const replies = await Promise.all(
      Array.from({ length: 9 }, (_, i) => hub.post(`/api/v1/namespaces/${ns}/secrets`, secret(i))),
    );
    expect(replies.map(({ status }) => String(status)).toSorted()).toEqual([
      ...Array.from({ length: 3 }, () => '201'),
      ...Array.from({ length: 6 }, () => '403'),
    ]);
    await untilUsed(hub, ns, { secrets: '3' });
  });

  it('gives back what a refused or tried creation asked for', async () => {
    const ns = await hub.namespace();
    await hub.post(`/api/v1/namespaces/${ns}/resourcequotas`, quota({ secrets: '1' }));
    await untilUsed(hub, ns, { secrets: '0' });
    const path = `/api/v1/namespaces/${ns}/secrets`;
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'one' } };
    expect((await hub.post(`${path}?dryRun=All`, secret)).status).toBe(201);
    expect((await hub.post(path, { ...secret, metadata: { name: 'No' } })).status).toBe(422);
    expect((await hub.post(path, secret)).status).toBe(201);
    expect((await hub.post(path, secret)).status).toBe(403);
  });

  it('counts the requests of pods in scope, until they end', async () => {
    const ns = await hub.namespace();
    const scoped = { scopes: ['NotTerminating'] };
    await hub.post(`/api/v1/namespaces/${ns}/resourcequotas`, quota({ 'requests.cpu': '1', pods: '5' }, scoped));
    await untilUsed(hub, ns, { pods: '0', 'requests.cpu': '0' });
    const path = `/api/v1/namespaces/${ns}/pods`;
    expect((await hub.post(path, pod('a', '600m'))).status).toBe(201);
    expect((await hub.post(path, pod('short', '600m', { activeDeadlineSeconds: 60 }))).status).toBe(201);
    await untilUsed(hub, ns, { pods: '1', 'requests.cpu': '600m' });
    expect((await hub.post(path, pod('b', '600m'))).status).toBe(403);
    await hub.patch(`${path}/a/status`, { status: { phase: 'Succeeded' } });
    await untilUsed(hub, ns, { pods: '0', 'requests.cpu': '0' });
    expect((await hub.post(path, pod('b', '600m'))).status).toBe(201);
  });

  it('gives pods the requests and limits of a LimitRange, and holds them to its bounds', async () => {
    const ns = await hub.namespace();
    const limits = [
      {
        type: 'Container',
        default: { cpu: '500m' },
        defaultRequest: { cpu: '100m' },
        max: { cpu: '2' },
        min: { cpu: '50m' },
      },
      { type: 'Pod', maxLimitRequestRatio: { cpu: '10' } },
    ];
    const range = { apiVersion: 'v1', kind: 'LimitRange', metadata: { name: 'range' }, spec: { limits } };
    await hub.post(`/api/v1/namespaces/${ns}/limitranges`, range);
    const path = `/api/v1/namespaces/${ns}/pods`;
    const plain = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'plain' },
      spec: { containers: [{ name: 'main', image: 'x' }] },
    };
    const made = await hub.post(path, plain);
    expect(made.status).toBe(201);
    expect(at(made.body, 'spec.containers.0.resources')).toEqual({
      limits: { cpu: '500m' },
      requests: { cpu: '100m' },
    });
    expect(at(made.body, 'status.qosClass')).toBe('Burstable');
    expect(at(made.body, 'metadata.annotations')).toEqual({
      'kubernetes.io/limit-ranger':
        'LimitRanger plugin set: cpu request for container main; cpu limit for container main',
    });
    const small = await hub.post(path, pod('small', '10m'));
    expect(small.status).toBe(403);
    expect(textAt(small.body, 'message')).toBe(
      'pods "small" is forbidden: [minimum cpu usage per Container is 50m, but request is 10m, cpu max limit to request ratio per Pod is 10, but provided ratio is 50.000000]',
    );
  });

  it('puts a status right that somebody else has written', async () => {
    const ns = await hub.namespace();
    await hub.post(`/api/v1/namespaces/${ns}/resourcequotas`, quota({ 'count/secrets': '9' }));
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'one' } };
    await hub.post(`/api/v1/namespaces/${ns}/secrets`, secret);
    await untilUsed(hub, ns, { 'count/secrets': '1' });
    const status = { status: { used: { 'count/secrets': '7' } } };
    await hub.patch(`/api/v1/namespaces/${ns}/resourcequotas/limit/status`, status);
    await untilUsed(hub, ns, { 'count/secrets': '1' });
  });
});
