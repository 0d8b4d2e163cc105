import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { KubeObject } from '../../src/api/index.ts';
import { untilGone, untilObject } from '../kit/until.ts';
import { made, named, podsLabelled, startMember } from './fleet.ts';
import type { DrivenMember } from './fleet.ts';

/** The parts of built-in kinds that these tests look at. */
interface Seen extends KubeObject {
  readonly spec?: { readonly [name: string]: unknown };
  readonly status?: { readonly [name: string]: unknown };
}

let one: DrivenMember;
let other: DrivenMember;

beforeAll(async () => {
  [one, other] = await Promise.all([startMember(), startMember({ name: 'member2' })]);
});
afterAll(async () => {
  expect([...one.troubles, ...other.troubles]).toEqual([]);
  await Promise.all([one.close(), other.close()]);
});

const status = (object: Seen, name: string): unknown => object.status?.[name];

describe('a simulated member', () => {
  test('has nodes that are ready, and nothing of its neighbour', async () => {
    const nodes = await one.client.listAll<Seen>({ apiVersion: 'v1', kind: 'Node' });
    expect(nodes.items.map(({ metadata }) => metadata.name)).toEqual([
      'member1-node1',
      'member1-node2',
      'member1-node3',
    ]);
    await other.client.create(made('ConfigMap', 'here', { data: { a: 'b' } }));
    expect(await one.client.find(named('ConfigMap', 'here'))).toBeUndefined();
  });

  test('rolls a Deployment out, scales it, and lets everything go with it', async () => {
    const { client } = one;
    await client.create(made('Deployment', 'web', { spec: { replicas: 2, ...podsLabelled('web') } }));
    const ready = await untilObject<Seen>(
      client,
      named('Deployment', 'web'),
      (it) => status(it, 'availableReplicas') === 2,
    );
    expect(ready.status).toMatchObject({ observedGeneration: 1, replicas: 2, updatedReplicas: 2, readyReplicas: 2 });
    const pods = await client.listAll<Seen>({ apiVersion: 'v1', kind: 'Pod' }, { labelSelector: 'app=web' });
    expect(pods.items).toHaveLength(2);
    for (const pod of pods.items)
      expect(pod.status).toMatchObject({ phase: 'Running', podIP: expect.any(String) as string });

    await client.patch(named('Deployment', 'web'), { spec: { replicas: 4 } }, { type: 'merge', subresource: 'scale' });
    await untilObject<Seen>(client, named('Deployment', 'web'), (it) => status(it, 'availableReplicas') === 4);

    await client.delete(named('Deployment', 'web'), { propagationPolicy: 'Background' });
    for (const pod of pods.items) await untilGone(client, named('Pod', pod.metadata.name));
    const sets = await client.listAll({ apiVersion: 'apps/v1', kind: 'ReplicaSet' }, { labelSelector: 'app=web' });
    expect(sets.items).toEqual([]);
  });
});
