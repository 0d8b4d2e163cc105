import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { until, untilGone, untilObject } from '../kit/until.ts';
import { made, named, podsLabelled, startMember } from './fleet.ts';
import type { DrivenMember, Seen } from './fleet.ts';

let one: DrivenMember;
let other: DrivenMember;

beforeAll(async () => {
  [one, other] = await Promise.all([startMember(), startMember({ name: 'member2' })]);
});
afterAll(async () => {
  await Promise.all([one.close(), other.close()]);
  expect([...one.troubles, ...other.troubles]).toEqual([]);
});

const seen = (kind: string, name: string, isThere: (status: NonNullable<Seen['status']>) => boolean): Promise<Seen> =>
  untilObject<Seen>(one.client, named(kind, name), ({ status }) => status !== undefined && isThere(status));

async function podsOf(app: string): Promise<readonly Seen[]> {
  return (await one.client.listAll<Seen>({ apiVersion: 'v1', kind: 'Pod' }, { labelSelector: `app=${app}` })).items;
}

const create = (kind: string, name: string, spec: object): Promise<unknown> =>
  one.client.create(made(kind, name, { spec }));

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
    await create('Deployment', 'web', { replicas: 2, ...podsLabelled('web') });
    const ready = await seen('Deployment', 'web', (status) => status['availableReplicas'] === 2);
    expect(ready.status).toMatchObject({ observedGeneration: 1, replicas: 2, updatedReplicas: 2, readyReplicas: 2 });
    const pods = await podsOf('web');
    expect(pods).toHaveLength(2);
    for (const pod of pods)
      expect(pod.status).toMatchObject({ phase: 'Running', podIP: expect.stringMatching(/^10\.244\./) as string });

    const scale = { spec: { replicas: 4 } };
    await one.client.patch(named('Deployment', 'web'), scale, { type: 'merge', subresource: 'scale' });
    await seen('Deployment', 'web', (status) => status['availableReplicas'] === 4);

    await one.client.delete(named('Deployment', 'web'), { propagationPolicy: 'Background' });
    await until('the pods are gone', async () => (await podsOf('web')).length === 0);
    const sets = await one.client.listAll({ apiVersion: 'apps/v1', kind: 'ReplicaSet' }, { labelSelector: 'app=web' });
    expect(sets.items).toEqual([]);
  });

  test('replaces the pods of a Deployment by those of its new template, and keeps the old one as history', async () => {
    await create('Deployment', 'roll', { replicas: 3, ...podsLabelled('roll') });
    await seen('Deployment', 'roll', (status) => status['availableReplicas'] === 3);
    const image = { spec: { template: { spec: { containers: [{ name: 'main', image: 'roll:2' }] } } } };
    await one.client.patch(named('Deployment', 'roll'), image, { type: 'strategic' });
    await seen(
      'Deployment',
      'roll',
      (status) => status['observedGeneration'] === 2 && status['updatedReplicas'] === 3 && status['replicas'] === 3,
    );
    await until('only new pods are left', async () => {
      const pods = await podsOf('roll');
      return pods.length === 3 && pods.every((pod) => JSON.stringify(pod.spec).includes('roll:2'));
    });
    const sets = await one.client.listAll<Seen>(
      { apiVersion: 'apps/v1', kind: 'ReplicaSet' },
      { labelSelector: 'app=roll' },
    );
    const replicas = Object.fromEntries(
      sets.items.map((set) => [
        set.metadata.annotations?.['deployment.kubernetes.io/revision'],
        set.spec?.['replicas'],
      ]),
    );
    expect(replicas).toEqual({ 1: 0, 2: 3 });
  });

  test('gives a Deployment the ReplicaSet and the pods that its predecessor left behind', async () => {
    await create('Deployment', 'heir', { replicas: 2, ...podsLabelled('heir') });
    await seen('Deployment', 'heir', (status) => status['availableReplicas'] === 2);
    const before = (await podsOf('heir')).map(({ metadata }) => metadata.uid);
    await one.client.delete(named('Deployment', 'heir'), { propagationPolicy: 'Orphan' });
    await untilGone(one.client, named('Deployment', 'heir'));
    await create('Deployment', 'heir', { replicas: 2, ...podsLabelled('heir') });
    await seen('Deployment', 'heir', (status) => status['availableReplicas'] === 2);
    expect((await podsOf('heir')).map(({ metadata }) => metadata.uid)).toEqual(before);
  });

  test('says of a Deployment whose pods never become ready that it makes no progress', async () => {
    const template = podsLabelled('stuck', {}, { 'sim.sluice.dev/outcome': 'CrashLoopBackOff' });
    await create('Deployment', 'stuck', { progressDeadlineSeconds: 1, ...template });
    const late = await seen('Deployment', 'stuck', (status) =>
      JSON.stringify(status['conditions']).includes('ProgressDeadlineExceeded'),
    );
    expect(late.status).toMatchObject({ unavailableReplicas: 1, replicas: 1 });
    await one.client.delete(named('Deployment', 'stuck'));
  });

  test('runs a StatefulSet in order, with claims of its own', async () => {
    const claim = {
      metadata: { name: 'data' },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    };
    const mounts = { containers: [{ name: 'main', image: 'db', volumeMounts: [{ name: 'data', mountPath: '/d' }] }] };
    const spec = { serviceName: 'db', replicas: 2, volumeClaimTemplates: [claim], ...podsLabelled('db', mounts) };
    await create('StatefulSet', 'db', spec);
    const ready = await seen('StatefulSet', 'db', (status) => status['readyReplicas'] === 2);
    expect(ready.status?.['currentRevision']).toBe(ready.status?.['updateRevision']);
    expect((await podsOf('db')).map(({ metadata }) => metadata.name)).toEqual(['db-0', 'db-1']);
    const bound = await seen('PersistentVolumeClaim', 'data-db-1', (status) => status['phase'] === 'Bound');
    expect(bound.spec).toMatchObject({ storageClassName: 'standard', volumeName: `pvc-${bound.metadata.uid ?? ''}` });

    const annotation = { spec: { template: { metadata: { annotations: { again: 'yes' } } } } };
    await one.client.patch(named('StatefulSet', 'db'), annotation, { type: 'merge' });
    const updated = await seen(
      'StatefulSet',
      'db',
      (status) =>
        status['observedGeneration'] === 2 &&
        status['updatedReplicas'] === 2 &&
        status['currentRevision'] === status['updateRevision'],
    );
    expect(updated.status?.['updateRevision']).not.toBe(ready.status?.['updateRevision']);
  });

  test('puts a pod of a DaemonSet on every node that it may run on', async () => {
    await create('DaemonSet', 'agent', podsLabelled('agent'));
    await seen('DaemonSet', 'agent', (status) => status['numberAvailable'] === 3);
    const nodes = new Set((await podsOf('agent')).map((pod) => pod.spec?.['nodeName']));
    expect(nodes).toEqual(new Set(['member1-node1', 'member1-node2', 'member1-node3']));

    const here = { spec: { template: { spec: { nodeSelector: { 'kubernetes.io/hostname': 'member1-node2' } } } } };
    await one.client.patch(named('DaemonSet', 'agent'), here, { type: 'merge' });
    await seen('DaemonSet', 'agent', (status) => status['desiredNumberScheduled'] === 1 && status['numberReady'] === 1);
  });

  test('completes a job, and fails one whose pods do', async () => {
    const pod = { restartPolicy: 'Never' };
    const { template } = podsLabelled('once', pod) as { readonly template: object };
    await create('Job', 'once', { completions: 3, parallelism: 2, template });
    const done = await seen('Job', 'once', (status) => status['completionTime'] !== undefined);
    expect(done.status).toMatchObject({
      succeeded: 3,
      startTime: expect.any(String) as string,
      conditions: [
        { type: 'SuccessCriteriaMet', status: 'True' },
        { type: 'Complete', status: 'True' },
      ],
    });
    const failing = podsLabelled('bad', pod, { 'sim.sluice.dev/outcome': 'Failed' }) as { readonly template: object };
    await create('Job', 'bad', { backoffLimit: 1, template: failing.template });
    const failed = await seen('Job', 'bad', (status) =>
      JSON.stringify(status['conditions'] ?? '').includes('"Failed"'),
    );
    expect(failed.status).toMatchObject({ failed: 2 });
    expect(failed.status?.['completionTime']).toBeUndefined();
  });

  test('starts the jobs of a CronJob when they are due, and none while it is suspended', async () => {
    const { template } = podsLabelled('tick', { restartPolicy: 'Never' }) as { readonly template: object };
    const jobTemplate = { spec: { template } };
    await create('CronJob', 'paused', { schedule: '@every 1s', suspend: true, jobTemplate });
    await create('CronJob', 'tick', { schedule: '@every 1s', jobTemplate });
    await seen('CronJob', 'tick', (status) => status['lastSuccessfulTime'] !== undefined);
    const paused = await one.client.get<Seen>(named('CronJob', 'paused'));
    expect(paused.status?.['lastScheduleTime']).toBeUndefined();
    await one.client.delete(named('CronJob', 'tick'));
  });

  test('gives addresses to load balancers and ingresses, and endpoints to services', async () => {
    await create('Deployment', 'front', { replicas: 2, ...podsLabelled('front') });
    await create('Service', 'front', { type: 'LoadBalancer', selector: { app: 'front' }, ports: [{ port: 80 }] });
    await create('Ingress', 'front', { defaultBackend: { service: { name: 'front', port: { number: 80 } } } });
    const address = { loadBalancer: { ingress: [{ ip: expect.stringMatching(/^198\.1[89]\./) as string }] } };
    const hasAddress = (status: object): boolean => JSON.stringify(status).includes('"ip"');
    expect((await seen('Service', 'front', hasAddress)).status).toMatchObject(address);
    expect((await seen('Ingress', 'front', hasAddress)).status).toMatchObject(address);
    const behind = await untilObject<
      Seen & { readonly subsets?: readonly { readonly addresses?: readonly object[] }[] }
    >(one.client, named('Endpoints', 'front'), ({ subsets }) => subsets?.[0]?.addresses?.length === 2);
    expect(behind.subsets?.[0]).toMatchObject({ ports: [{ port: 80 }] });
    await one.client.delete(named('Service', 'front'));
    await untilGone(one.client, named('EndpointSlice', 'front-sim'));
  });

  test('scales by the load that an annotation tells, and counts for a disruption budget', async () => {
    await create('Deployment', 'busy', { replicas: 1, ...podsLabelled('busy') });
    await create('PodDisruptionBudget', 'busy', { minAvailable: 2, selector: { matchLabels: { app: 'busy' } } });
    const target = { type: 'Utilization', averageUtilization: 50 };
    await create('HorizontalPodAutoscaler', 'busy', {
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'busy' },
      maxReplicas: 4,
      metrics: [{ type: 'Resource', resource: { name: 'cpu', target } }],
    });
    const load = { metadata: { annotations: { 'sim.sluice.dev/load-cpu': '150' } } };
    await one.client.patch(named('Deployment', 'busy'), load, { type: 'merge' });
    await seen('Deployment', 'busy', (status) => status['availableReplicas'] === 3);
    const scaled = await seen('HorizontalPodAutoscaler', 'busy', (status) => status['currentReplicas'] === 3);
    expect(scaled.status).toMatchObject({
      desiredReplicas: 3,
      currentMetrics: [{ resource: { current: { averageUtilization: 50 } } }],
    });
    const budget = await seen('PodDisruptionBudget', 'busy', (status) => status['disruptionsAllowed'] === 1);
    expect(budget.status).toMatchObject({ expectedPods: 3, currentHealthy: 3, desiredHealthy: 2 });
  });

  test('runs on the nodes that are left when one is deleted', async () => {
    await create('Deployment', 'spread', { replicas: 3, ...podsLabelled('spread') });
    await seen('Deployment', 'spread', (status) => status['availableReplicas'] === 3);
    await one.client.delete(named('Node', 'member1-node3'));
    await until('all pods run elsewhere', async () => {
      const pods = await podsOf('spread');
      const running = pods.filter(({ status }) => status?.['phase'] === 'Running');
      return running.length === 3 && pods.every(({ spec }) => spec?.['nodeName'] !== 'member1-node3');
    });
    await one.client.create(made('Node', 'member1-node3', {}));
    await seen('Node', 'member1-node3', (status) =>
      JSON.stringify(status['conditions'] ?? '').includes('KubeletReady'),
    );
  });

  test('leaves a pod that fits nowhere waiting, and says why', async () => {
    const resources = { requests: { cpu: '9' } };
    await create('Pod', 'big', { containers: [{ name: 'c', image: 'c', resources }] });
    const waiting = await seen('Pod', 'big', (status) => status['conditions'] !== undefined);
    expect(waiting.status).toMatchObject({
      phase: 'Pending',
      conditions: [{ reason: 'Unschedulable', message: '0/3 nodes are available: 3 Insufficient cpu.' }],
    });
    const node = { spec: { unschedulable: true } };
    await one.client.patch(named('Node', 'member1-node1'), node, { type: 'merge' });
    await until('the message follows the nodes', async () =>
      JSON.stringify(await one.client.get(named('Pod', 'big'))).includes('1 node(s) were unschedulable'),
    );
    await one.client.patch(named('Node', 'member1-node1'), { spec: { unschedulable: null } }, { type: 'merge' });
  });
});
