import { afterAll, beforeAll, expect, test } from 'vitest';
import type { KubeObject, Ref } from '../../src/api/index.ts';
import { refOf } from '../../src/api/index.ts';
import { at } from '../../src/base/index.ts';
import { startLive } from '../kit/live.ts';
import type { Live } from '../kit/live.ts';
import { policy } from '../kit/objects.ts';
import { until } from '../kit/until.ts';

const select = [
  { apiVersion: 'batch/v1', kind: 'Job' },
  { apiVersion: 'v1', kind: 'Service' },
  { apiVersion: 'v1', kind: 'PersistentVolumeClaim' },
  { apiVersion: 'apps/v1', kind: 'Deployment' },
  { apiVersion: 'apps/v1', kind: 'StatefulSet' },
  { apiVersion: 'apps/v1', kind: 'DaemonSet' },
  { apiVersion: 'networking.k8s.io/v1', kind: 'Ingress' },
];

let live: Live;
beforeAll(async () => {
  live = await startLive();
  await live.untilReady();
  await live.apply(policy('all', { to: ['member1', 'member2'], select }));
});
afterAll(() => live.close());

function object(apiVersion: string, kind: string, spec: object): KubeObject {
  return { apiVersion, kind, metadata: { name: 'it', namespace: 'default' }, spec } as KubeObject;
}

/** Waits until the template on the hub says this of itself. */
async function says(ref: Ref, path: string, check: (value: unknown) => boolean): Promise<void> {
  await until(`${ref.kind} says so under ${path}`, async () =>
    check(at(await live.user.find(ref), ['status', ...path.split('.')])),
  );
}

test('a Job is complete on the hub when it is in every member', async () => {
  const containers = [{ name: 'c', image: 'busybox' }];
  const job = object('batch/v1', 'Job', { template: { spec: { restartPolicy: 'Never', containers } } });
  await live.apply(job);
  await says(refOf(job), 'conditions', (conditions) => JSON.stringify(conditions ?? []).includes('"Complete"'));
  await says(refOf(job), 'succeeded', (succeeded) => succeeded === 2);
});

test('a Job that gives itself no time after its end goes from the hub and from the members', async () => {
  const pod = { restartPolicy: 'Never', containers: [{ name: 'c', image: 'busybox' }] };
  const job = object('batch/v1', 'Job', { ttlSecondsAfterFinished: 0, template: { spec: pod } });
  const brief = { ...job, metadata: { ...job.metadata, name: 'brief' } };
  await live.apply(brief);
  await until('it is gone from the hub', async () => (await live.user.find(refOf(brief))) === undefined);
  await until('it is gone from the members', async () => (await live.placesOf(refOf(brief))).length === 0);
});

test('a Service has the addresses of all members', async () => {
  const service = object('v1', 'Service', { type: 'LoadBalancer', ports: [{ port: 80 }] });
  await live.apply(service);
  await says(refOf(service), 'loadBalancer.ingress', (ingress) => Array.isArray(ingress) && ingress.length === 2);
});

const pods = {
  selector: { matchLabels: { app: 'it' } },
  template: { metadata: { labels: { app: 'it' } }, spec: { containers: [{ name: 'c', image: 'nginx:1.25' }] } },
};

test('a Deployment counts the replicas of all members, also after it is scaled', async () => {
  const deployment = object('apps/v1', 'Deployment', { replicas: 3, ...pods });
  await live.apply(deployment);
  for (const path of ['replicas', 'readyReplicas', 'updatedReplicas', 'availableReplicas'])
    await says(refOf(deployment), path, (count) => count === 6);
  await live.user.patch(refOf(deployment), { spec: { replicas: 2 } }, { type: 'merge' });
  for (const path of ['replicas', 'readyReplicas', 'updatedReplicas', 'availableReplicas'])
    await says(refOf(deployment), path, (count) => count === 4);
});

test('a StatefulSet counts the replicas of all members', async () => {
  const set = object('apps/v1', 'StatefulSet', { replicas: 2, serviceName: 'it', ...pods });
  await live.apply(set);
  for (const path of ['replicas', 'readyReplicas', 'updatedReplicas', 'currentReplicas'])
    await says(refOf(set), path, (count) => count === 4);
});

test('a DaemonSet counts the nodes of all members', async () => {
  const set = object('apps/v1', 'DaemonSet', pods);
  await live.apply(set);
  const [first, second] = await Promise.all(
    ['member1', 'member2'].map(async (member) => {
      const inMember = async () => at(await live.member(member).find(refOf(set)), ['status', 'desiredNumberScheduled']);
      return until(`the DaemonSet runs in ${member}`, async () => (await inMember()) as number | undefined);
    }),
  );
  for (const path of ['desiredNumberScheduled', 'currentNumberScheduled', 'numberReady', 'updatedNumberScheduled'])
    await says(refOf(set), path, (count) => count === (first ?? 0) + (second ?? 0));
});

test('a NodePort Service is applied in all members', async () => {
  const service = object('v1', 'Service', { type: 'NodePort', ports: [{ port: 80 }] });
  const named = { ...service, metadata: { ...service.metadata, name: 'ports' } };
  await live.apply(named);
  const binding = { apiVersion: 'work.karmada.io/v1alpha2', kind: 'ResourceBinding', namespace: 'default' };
  await until('the binding says that it is applied in both', async () => {
    const items = at(await live.user.find({ ...binding, name: 'ports-service' }), ['status', 'aggregatedStatus']);
    return Array.isArray(items) && items.length === 2 && items.every((item) => at(item, ['applied']) === true);
  });
});

test('an Ingress has the addresses of all members', async () => {
  const backend = { service: { name: 'it', port: { number: 80 } } };
  const ingress = object('networking.k8s.io/v1', 'Ingress', { defaultBackend: backend });
  await live.apply(ingress);
  await says(refOf(ingress), 'loadBalancer.ingress', (found) => Array.isArray(found) && found.length === 2);
});

test('a claim that names no class is bound, and can grow in the members', async () => {
  const sized = (storage: string): object => ({ accessModes: ['ReadWriteOnce'], resources: { requests: { storage } } });
  const claim = object('v1', 'PersistentVolumeClaim', sized('1Gi'));
  await live.apply(claim);
  await says(refOf(claim), 'phase', (phase) => phase === 'Bound');
  await live.user.patch(refOf(claim), { spec: { resources: { requests: { storage: '2Gi' } } } }, { type: 'merge' });
  for (const member of ['member1', 'member2']) {
    const storage = ['spec', 'resources', 'requests', 'storage'];
    await until(
      `it has grown in ${member}`,
      async () => at(await live.member(member).find(refOf(claim)), storage) === '2Gi',
    );
    expect(at(await live.member(member).get(refOf(claim)), ['spec', 'storageClassName'])).toBe('standard');
  }
});
