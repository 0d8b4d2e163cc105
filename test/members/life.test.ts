import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { untilObject } from '../kit/until.ts';
import { made, named, podsLabelled, startMember } from './fleet.ts';
import type { Seen } from './fleet.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'sluice-sim-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('a member on disk', () => {
  test('is the same after a restart: address, credentials and objects', async () => {
    const dataDir = path.join(folder, 'same');
    const first = await startMember({ dataDir });
    await first.client.create(made('Deployment', 'web', { spec: podsLabelled('web') }));
    const web = await untilObject<Seen>(
      first.client,
      named('Deployment', 'web'),
      ({ status }) => status?.['availableReplicas'] === 1,
    );
    const { url, token, caBundle } = first.member;
    await first.close();

    const second = await startMember({ dataDir });
    expect({ url: second.member.url, token: second.member.token, caBundle: second.member.caBundle }).toEqual({
      url,
      token,
      caBundle,
    });
    expect((await second.client.get(named('Deployment', 'web'))).metadata.uid).toBe(web.metadata.uid);
    await second.client.patch(named('Deployment', 'web'), { spec: { replicas: 3 } }, { type: 'merge' });
    await untilObject<Seen>(
      second.client,
      named('Deployment', 'web'),
      ({ status }) => status?.['availableReplicas'] === 3,
    );
    await second.close();
    expect([...first.troubles, ...second.troubles]).toEqual([]);
  });

  test('moves to another port when somebody has taken its own', async () => {
    const dataDir = path.join(folder, 'moved');
    const first = await startMember({ dataDir });
    await first.close();
    const port = Number(new URL(first.member.url).port);
    const squatter = createServer();
    await new Promise<void>((resolve) => squatter.listen(port, '127.0.0.1', resolve));
    const second = await startMember({ dataDir });
    expect(second.member.url).not.toBe(first.member.url);
    expect((await second.client.get(named('Namespace', 'default'))).metadata.name).toBe('default');
    await second.close();
    await new Promise((resolve) => squatter.close(resolve));
  });

  test('is not started twice, and what fails leaves nothing behind', async () => {
    const dataDir = path.join(folder, 'twice');
    const first = await startMember({ dataDir });
    await expect(startMember({ dataDir })).rejects.toThrow(/lock|use/i);
    expect((await first.client.get(named('Namespace', 'default'))).metadata.name).toBe('default');
    await first.close();
  });

  test('forgets on disk too', async () => {
    const dataDir = path.join(folder, 'forgets');
    const first = await startMember({ dataDir });
    await first.client.create(made('ConfigMap', 'gone', {}));
    await first.member.setFaults({ forget: true });
    expect(await first.client.find(named('ConfigMap', 'gone'))).toBeUndefined();
    await first.close();
    const second = await startMember({ dataDir });
    expect(second.member.token).toBe(first.member.token);
    expect(await second.client.find(named('ConfigMap', 'gone'))).toBeUndefined();
    await second.close();
  });
});

test('a port that is asked for by number and taken is an error', async () => {
  const squatter = createServer();
  await new Promise<void>((resolve) => squatter.listen(0, '127.0.0.1', resolve));
  const { port } = squatter.address() as AddressInfo;
  await expect(startMember({ port })).rejects.toThrow('EADDRINUSE');
  await new Promise((resolve) => squatter.close(resolve));
});

test('without pods, workloads are ready without anything below them', async () => {
  const light = await startMember({ pods: false });
  const { client, troubles } = light;
  await client.create(made('Deployment', 'web', { spec: { replicas: 5, ...podsLabelled('web') } }));
  const ready = await untilObject<Seen>(
    client,
    named('Deployment', 'web'),
    ({ status }) => status?.['availableReplicas'] === 5,
  );
  expect(ready.status).toMatchObject({ observedGeneration: 1, replicas: 5, updatedReplicas: 5, readyReplicas: 5 });
  await client.patch(named('Deployment', 'web'), { spec: { replicas: 2 } }, { type: 'merge' });
  await untilObject<Seen>(client, named('Deployment', 'web'), ({ status }) => status?.['observedGeneration'] === 2);
  await client.create(made('Job', 'once', { spec: podsLabelled('once', { restartPolicy: 'Never' }) }));
  await untilObject<Seen>(client, named('Job', 'once'), ({ status }) => status?.['succeeded'] === 1);
  for (const kind of ['Pod', 'ReplicaSet']) {
    const { items } = await client.list({ ...named(kind, ''), kind });
    expect(items).toEqual([]);
  }
  await light.close();
  expect(troubles).toEqual([]);
});
