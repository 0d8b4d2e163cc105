import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { KubeObject, Ref } from '../../src/api/index.ts';
import { refOf } from '../../src/api/index.ts';
import type { Running } from '../../src/app/index.ts';
import { ApiClient, contextOf, discover, HttpsTransport, readKubeconfig } from '../../src/client/index.ts';
import type { Discovered } from '../../src/client/index.ts';
import { metricsPage, withSystem } from '../../tools/metrics.ts';
import { configMap, configMaps, deployment, deployments, memberCluster, policy } from '../kit/objects.ts';
import { until } from '../kit/until.ts';

/** A system in memory, from outside: `kubectl get --raw /metrics`, and what there was to count. */
let running: Running;
let hub: ApiClient;
let member: ApiClient;
let closing: () => void = () => {};
let closed: Promise<void> = Promise.resolve();

async function clientOf(kubeconfig: string, context: string): Promise<ApiClient> {
  const { connection } = contextOf(await readKubeconfig([kubeconfig]), context);
  let served: Discovered = { kinds: [], byKind: () => undefined, incomplete: [] };
  const client = new ApiClient({ transport: new HttpsTransport(connection), resources: () => served });
  served = await discover(client);
  return client;
}

beforeAll(async () => {
  const opened = Promise.withResolvers<Running>();
  closed = withSystem(['member1', 'member2'], async (system) => {
    opened.resolve(system);
    await new Promise<void>((resolve) => (closing = resolve));
  });
  closed.catch(opened.reject);
  running = await opened.promise;
  hub = await clientOf(running.kubeconfig, 'sluice');
  member = await clientOf(running.kubeconfig, 'member1');
});
afterAll(async () => {
  await Promise.all([hub.close(), member.close()]);
  closing();
  await closed;
});

async function metricsText(): Promise<string> {
  const { body } = await hub.raw({ method: 'GET', path: '/metrics', headers: { accept: 'text/plain' } });
  return String(body);
}

/** The value of a series, by its name and labels as they are printed; a histogram by its `_count`. */
async function valueOf(series: string): Promise<number | undefined> {
  const line = (await metricsText()).split('\n').find((text) => text.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.slice(series.length + 1));
}

async function untilValue(series: string, check: (value: number) => void): Promise<void> {
  await until(series, async () => {
    const value = await valueOf(series);
    if (value === undefined) throw new Error(`${series} is not there`);
    check(value);
    return true;
  });
}

const change = async (ref: Ref, patch: object): Promise<void> => void (await hub.patch(ref, patch, { type: 'merge' }));

async function untilIn(ref: Ref, check: (object: KubeObject) => void): Promise<void> {
  await until(`${ref.name} is in the member`, async () => {
    check(await member.get(ref));
    return true;
  });
}

test('docs/metrics.md is what a running control plane tells (`node tools/metrics.ts` writes it)', () => {
  const page = readFileSync(new URL('../../docs/metrics.md', import.meta.url), 'utf8');
  expect(page).toBe(metricsPage(running.metrics.families));
});

test('everything on the page is served, and has been counted where there was something to count', async () => {
  const web = deployment('web');
  const settings = configMap('settings');
  const lazy = policy('lazy', { to: 'member1', lazy: true, select: [configMaps({ name: 'settings' })] });
  await hub.create(policy('weak', { to: ['member1', 'member2'] }));
  await hub.create(lazy);
  await hub.create(web);
  await hub.create(settings);
  await untilIn(refOf(web), (object) => expect(object).toMatchObject({ spec: { replicas: 2 } }));
  await change(refOf(web), { spec: { replicas: 3 } });
  await untilIn(refOf(web), (object) => expect(object).toMatchObject({ spec: { replicas: 3 } }));
  const { uid } = (await member.get(refOf(web))).metadata;
  await member.delete(refOf(web));
  await untilIn(refOf(web), ({ metadata }) => expect(metadata.uid).not.toBe(uid));
  const strong = policy('strong', {
    to: 'member1',
    priority: 5,
    preemption: 'Always',
    select: [deployments({ name: 'web' })],
    suspend: { suspendDispatchingOnClusters: { clusterNames: ['member1'] } },
  });
  // The copy in member1 is suspended before it has the newest content, so a move would wait for it.
  await hub.create({ ...strong, metadata: { ...strong.metadata, annotations: { 'sluice.dev/move': 'immediate' } } });
  await untilIn(refOf(settings), () => {});
  await change(refOf(lazy), { spec: { placement: { clusterAffinity: { clusterNames: ['member2'] } } } });

  await change(refOf(memberCluster('member2')), { metadata: { labels: { zone: 'b' } } });

  const of = (words: string): string => `{result="success",apiversion="apps/v1",kind="Deployment",${words}}`;
  await untilValue(`create_resource_to_cluster${of('member_cluster="member1",recreate="false"')}`, (value) =>
    expect(value).toBe(1),
  );
  const atLeastOnce = [
    `create_resource_to_cluster${of('member_cluster="member1",recreate="true"')}`,
    `update_resource_to_cluster${of('member_cluster="member1",operationResult="updated"')}`,
    `delete_resource_from_cluster${of('member_cluster="member2"')}`,
    'resource_match_policy_duration_seconds_count',
    'resource_apply_policy_duration_seconds_count{result="success"}',
    'policy_apply_attempts_total{result="success"}',
    'policy_preemption_total{result="success"}',
    'binding_sync_work_duration_seconds_count{result="success"}',
    'work_sync_workload_duration_seconds_count{result="success"}',
    'karmada_scheduler_schedule_attempts_total{result="scheduled",schedule_type="ReconcileSchedule"}',
    'karmada_scheduler_schedule_attempts_total{result="scheduled",schedule_type="ScaleSchedule"}',
    'karmada_scheduler_e2e_scheduling_duration_seconds_count{result="scheduled",schedule_type="ReconcileSchedule"}',
    'karmada_scheduler_scheduling_algorithm_duration_seconds_count{schedule_step="All"}',
    'karmada_scheduler_queue_incoming_bindings_total{event="BindingAdd"}',
    'karmada_scheduler_queue_incoming_bindings_total{event="BindingUpdate"}',
    'karmada_scheduler_queue_incoming_bindings_total{event="ClusterChanged"}',
    'cluster_ready_state{member_cluster="member1"}',
    'cluster_node_number{member_cluster="member2"}',
    'cluster_ready_node_number{member_cluster="member2"}',
    'cluster_cpu_allocatable_number{member_cluster="member1"}',
    'cluster_memory_allocatable_bytes{member_cluster="member1"}',
    'cluster_pod_allocatable_number{member_cluster="member1"}',
    'cluster_sync_status_duration_seconds_count{member_cluster="member1"}',
    'sluice_templates{state="suspended"}',
    'sluice_templates{state="pending"}',
    'sluice_templates_bound_total',
    'sluice_writes_per_template{to="hub"}',
    'sluice_writes_per_template{to="member"}',
    'sluice_queue_seconds_count{queue="dispatcher member1",priority="normal"}',
    'sluice_controller_seconds_count{controller="detector"}',
    'sluice_client_request_seconds_count{server="member1",verb="create"}',
    'process_resident_memory_bytes',
  ];
  for (const series of atLeastOnce) await untilValue(series, (value) => expect(value).toBeGreaterThan(0));
  const atMostNow = ['scheduler_pending_bindings{queue="active"}', 'eviction_queue_depth{name="evictor"}'];
  for (const series of atMostNow) await untilValue(series, (value) => expect(value).toBe(0));
  const states = ['failing', 'unhealthy', 'suspended', 'pending', 'progressing', 'in effect'];
  const counts = await Promise.all(states.map((state) => valueOf(`sluice_templates{state="${state}"}`)));
  expect(counts).not.toContain(undefined);
  expect(counts.reduce<number>((sum, count) => sum + (count ?? 0), 0)).toBe(2);
  for (const retired of ['all', 'held', 'unplaced', 'upToDate'])
    expect(await valueOf(`sluice_templates{state="${retired}"}`)).toBe(undefined);

  const text = await metricsText();
  for (const { name } of running.metrics.families) expect(text).toContain(`# TYPE ${name} `);
});

test('a member that has left leaves no gauges behind', async () => {
  await hub.delete({ apiVersion: 'cluster.karmada.io/v1alpha1', kind: 'Cluster', name: 'member2' });
  await until(
    'member2 is gone',
    async () => (await valueOf('cluster_ready_state{member_cluster="member2"}')) === undefined,
  );
  expect(await valueOf('cluster_ready_state{member_cluster="member1"}')).toBe(1);
});
