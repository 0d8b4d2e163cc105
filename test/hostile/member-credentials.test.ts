import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clusterApi, crds } from '../../src/api/index.ts';
import type { Cluster, MemberAccess } from '../../src/api/index.ts';
import { admission } from '../../src/admission/index.ts';
import { createHub } from '../../src/apiserver/index.ts';
import type { Hub } from '../../src/apiserver/index.ts';
import { Fleet } from '../../src/members/index.ts';
import { memoryStore } from '../../src/store/index.ts';
import type { Store } from '../../src/store/index.ts';

const user = { name: 'admin', groups: ['system:masters'] };
const encoded = (text: string): string => Buffer.from(text).toString('base64');
const secretRef = { namespace: 'karmada-cluster', name: 'm' };
const insecureSkipTLSVerification = true;

const cluster = (spec: object): Cluster => ({
  apiVersion: clusterApi,
  kind: 'Cluster',
  metadata: { name: 'm' },
  spec: { syncMode: 'Push', secretRef, insecureSkipTLSVerification, apiEndpoint: 'https://10.0.0.1:6443', ...spec },
});

const attacks: readonly [string, object, string][] = [
  ['http://', { apiEndpoint: 'http://10.0.0.1:6443' }, 'must be https://: without TLS'],
  ['HTTP://', { apiEndpoint: 'HTTP://10.0.0.1:6443' }, 'must be https://: without TLS'],
  ['a Secret of a tenant', { secretRef: { namespace: 'shop', name: 'm' } }, 'must be karmada-cluster: credentials'],
  ['a Secret of the system', { secretRef: { namespace: 'kube-system', name: 'm' } }, 'must be karmada-cluster'],
];

describe('a hub', () => {
  let store: Store;
  let hub: Hub;
  let memberAccess: MemberAccess = { allowInsecure: false };
  beforeAll(async () => {
    store = memoryStore();
    // The flags are those of the next start: an older release may have taken what this one does not.
    const admit = (review: Parameters<ReturnType<typeof admission>>[0]) =>
      admission({ controllers: new Set(), now: () => new Date(0), memberAccess })(review);
    hub = await createHub({ store, definitions: crds(), admit: [admit] });
  });
  afterAll(async () => {
    await hub.close();
    await store.close();
  });

  const path = '/apis/cluster.karmada.io/v1alpha1/clusters';
  const send = async (method: string, at: string, object: object, type = 'application/json') => {
    const headers = { 'content-type': type };
    const { status, object: answer } = await hub.handle({
      method,
      path: at,
      query: '',
      headers,
      user,
      object,
      wantsObjects: true,
    });
    return { status, message: (answer as { message?: string }).message ?? '' };
  };

  test.each(attacks)('refuses %s for a new Cluster', async (_, spec, words) => {
    const { status, message } = await send('POST', path, cluster(spec));
    expect(status).toBe(422);
    expect(message).toContain(words);
  });

  test('refuses the credentials for impersonation from elsewhere, too', async () => {
    const { status, message } = await send(
      'POST',
      path,
      cluster({ impersonatorSecretRef: { namespace: 'x', name: 'y' } }),
    );
    expect([status, message]).toEqual([422, expect.stringContaining('spec.impersonatorSecretRef.namespace')]);
  });

  test('takes them when it was told to', async () => {
    memberAccess = { allowInsecure: true, secretNamespace: 'vault' };
    const secret = { namespace: 'vault', name: 'm' };
    expect(await send('POST', path, cluster({ apiEndpoint: 'http://10.0.0.1', secretRef: secret }))).toMatchObject({
      status: 201,
    });
    memberAccess = { allowInsecure: false };
    const merge = 'application/merge-patch+json';
    expect(await send('PATCH', `${path}/m`, { spec: { region: 'eu' } }, merge)).toMatchObject({ status: 200 });
    const changed = await send('PATCH', `${path}/m`, { spec: { apiEndpoint: 'http://10.0.0.2' } }, merge);
    expect([changed.status, changed.message]).toEqual([422, expect.stringContaining('must be https://')]);
  });
});

describe('the controllers', () => {
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'm' }, data: { token: encoded('t') } };

  test.each(attacks)('do not connect by %s, however it came into the store', async (_, spec, words) => {
    const fleet = new Fleet();
    fleet.take(cluster(spec), secret);
    expect(fleet.get('m')).toBeUndefined();
    expect(fleet.faultOf('m')).toContain(words);
    await fleet.close();
  });

  test('connect when they were told to', async () => {
    const fleet = new Fleet({ access: { allowInsecure: true, secretNamespace: 'shop' } });
    fleet.take(cluster({ apiEndpoint: 'http://10.0.0.1', secretRef: { namespace: 'shop', name: 'm' } }), secret);
    expect([fleet.get('m')?.name, fleet.faultOf('m')]).toEqual(['m', undefined]);
    await fleet.close();
  });
});
