import { afterAll, beforeAll, expect, test } from 'vitest';
import type { KubeObject } from '../../src/api/index.ts';
import { refOf } from '../../src/api/index.ts';
import { singleEvents, eventRules } from '../../src/controllers/index.ts';
import { startLive } from '../kit/live.ts';
import type { Live } from '../kit/live.ts';
import {
  clusterRole,
  configMap,
  configMaps,
  deployment,
  deployments,
  memberCluster,
  override,
  policy,
  rollout,
} from '../kit/objects.ts';
import { until } from '../kit/until.ts';

interface Event extends KubeObject {
  readonly involvedObject: { readonly kind: string; readonly name: string };
  readonly reason: string;
  readonly type: string;
  readonly message: string;
  readonly source: { readonly component: string };
}

let live: Live;
beforeAll(async () => {
  live = await startLive({ gates: { Failover: true } });
  await live.untilReady();
});
afterAll(() => live.close());

async function events(): Promise<readonly Event[]> {
  return (await live.user.listAll<Event>({ apiVersion: 'v1', kind: 'Event' })).items;
}

/** Every event that was seen, as `Kind reason`. */
async function told(): Promise<ReadonlySet<string>> {
  return new Set((await events()).map(({ involvedObject, reason }) => `${involvedObject.kind} ${reason}`));
}

async function untilTold(...lines: readonly string[]): Promise<void> {
  await until(`told: ${lines.join(', ')}`, async () => {
    const seen = await told();
    expect(lines.filter((line) => !seen.has(line))).toEqual([]);
    return true;
  });
}

const web = deployment('web', { configMaps: ['settings'] });
const shop = deployment('shop', { configMaps: ['settings'] });

test('a workload on its way to the members', async () => {
  await live.apply(
    policy('web', { to: ['member1', 'member2'], propagateDeps: true, select: [deployments({ name: 'web' })] }),
    configMap('settings'),
    web,
  );
  await untilTold(
    ...['ApplyPolicy', 'GetReplicas', 'ScheduleBinding', 'SyncWork', 'Sync', 'AggregateStatus', 'GetDependencies'].map(
      (stem) => `Deployment ${stem}Succeed`,
    ),
    ...['ScheduleBinding', 'SyncWork', 'AggregateStatus', 'SyncScheduleResultToDependencies'].map(
      (stem) => `ResourceBinding ${stem}Succeed`,
    ),
    ...['SyncSucceed', 'WorkDispatching', 'ReflectStatusSucceed', 'InterpretHealthSucceed'].map(
      (reason) => `Work ${reason}`,
    ),
    ...['CreateExecutionSpace', 'TaintCluster'].map((stem) => `Cluster ${stem}Succeed`),
  );
});

test('an override that is applied, and one that cannot be', async () => {
  const select = { resourceSelectors: [deployments({ name: 'web' })] };
  await live.apply(override('op', { labelsOverrider: [{ operator: 'add', value: { place: 'here' } }] }, select));
  await untilTold('Deployment ApplyOverridePolicySucceed', 'ResourceBinding ApplyOverridePolicySucceed');
  await live.apply(override('op', { plaintext: [{ path: '/spec/none', operator: 'remove' }] }, select));
  await untilTold('Deployment ApplyOverridePolicyFailed', 'ResourceBinding ApplyOverridePolicyFailed');
  const failed = (await events()).find(({ reason }) => reason === 'ApplyOverridePolicyFailed');
  expect(failed?.message).toContain('OverridePolicy default/op: plaintext: error in remove');
  expect(failed?.source.component).toBe('override-manager');
  await live.user.delete(refOf(override('op', {}, select)));
});

test('suspending and resuming emit one event each', async () => {
  const dispatching = async (): Promise<readonly string[]> =>
    (await events())
      .filter(({ involvedObject, reason }) => reason === 'WorkDispatching' && involvedObject.name.startsWith('web-'))
      .map(({ message }) => message)
      .sort();
  const flows = 'Work is being dispatched to member clusters.';
  const suspended = 'Work dispatching is in a suspended state.';
  await live.apply(
    rollout('careful', { suspendDispatching: true }, { resourceSelectors: [deployments({ name: 'web' })] }),
  );
  await until(
    'both have an event of their suspension',
    async () => (await dispatching()).filter((message) => message === suspended).length === 2,
  );
  await live.user.delete(refOf(rollout('careful', undefined)));
  await live.settle();
  const counts = async (): Promise<readonly number[]> =>
    (await events())
      .filter(({ message, involvedObject }) => message === flows && involvedObject.name.startsWith('web-'))
      .map((event) => (event as Event & { readonly count: number }).count);
  // Events follow when everything else is at rest.
  await until('it is told that both flow again', async () => (await counts()).every((count) => count > 1));
  expect(await counts()).toEqual([2, 2]);
});

// Karmada's own tests look for the words before the comma.
const resolution = 'ConflictResolution conflicted (Overwrite vs Abort), Overwrite counts';
const preservation = 'PreserveResourcesOnDeletion conflicted (true vs false), true counts';

test('an event says that referrers of one dependency disagree', async () => {
  const other = policy('shop', {
    to: 'member1',
    propagateDeps: true,
    conflictResolution: 'Overwrite',
    select: [deployments({ name: 'shop' })],
  });
  await live.apply(other, shop);
  const conflicts = async (): Promise<readonly string[]> =>
    (await events()).filter(({ reason }) => reason === 'DependencyPolicyConflict').map(({ message }) => message);
  await until('it is told', async () => {
    expect(await conflicts()).toEqual([`those that need it disagree: ${resolution}`]);
    return true;
  });
  await live.apply({ ...other, spec: { ...other.spec, preserveResourcesOnDeletion: true } } as KubeObject);
  await until('it is told anew', async () => {
    expect(await conflicts()).toContain(`those that need it disagree: ${resolution}; ${preservation}`);
    return true;
  });
});

test('a takeover, a cluster that does not exist, an object in the way', async () => {
  await live.apply(
    policy('strong', { to: 'member1', priority: 9, preemption: 'Always', select: [deployments({ name: 'web' })] }),
    policy('lost', { to: 'mars', select: [configMaps({ name: 'lost' })] }),
    configMap('lost'),
    policy('roles', {
      scope: 'cluster',
      to: 'member2',
      select: [{ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', name: 'reader' }],
    }),
  );
  await live.member('member2').create(clusterRole('reader'));
  await live.apply(clusterRole('reader'));
  await untilTold(
    'Deployment PreemptPolicySucceed',
    'PropagationPolicy ClustersMissing',
    'ResourceBinding ScheduleBindingFailed',
    'ConfigMap ScheduleBindingFailed',
    'Work SyncFailed',
    'ClusterRole SyncFailed',
    'ClusterResourceBinding SyncWorkSucceed',
  );
  const own = (await events()).filter(({ involvedObject }) => involvedObject.kind === 'ClusterResourceBinding');
  expect(own.map(({ source }) => source.component)).toContain('cluster-resource-binding-controller');
});

test('a workload that must leave, and a member that does', async () => {
  await live.apply(
    policy('mobile', {
      to: ['member1', 'member2'],
      select: [deployments({ name: 'mobile' })],
      placement: { spreadConstraints: [{ spreadByField: 'cluster', minGroups: 1, maxGroups: 1 }] },
    }),
    deployment('mobile'),
  );
  await live.settle();
  const [from = ''] = await live.placesOf(refOf(deployment('mobile')));
  await live.user.patch(
    refOf(memberCluster(from)),
    { spec: { taints: [{ key: 'maintenance', effect: 'NoExecute' }] } },
    { type: 'merge' },
  );
  await untilTold('Deployment EvictWorkloadFromClusterSucceed', 'ResourceBinding EvictWorkloadFromClusterSucceed');
  await live.user.delete(refOf(memberCluster('member2')));
  await untilTold('Cluster RemoveExecutionSpaceSucceed');
});

test('the status of a quota is collected', async () => {
  const quota = {
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind: 'FederatedResourceQuota',
    metadata: { name: 'team', namespace: 'default' },
    spec: { overall: { cpu: '10' }, staticAssignments: [{ clusterName: 'member1', hard: { cpu: '1' } }] },
  } as KubeObject;
  await live.apply(quota);
  await untilTold('FederatedResourceQuota CollectOverallStatusSucceed');
});

test('the agent of a Pull member gets its rights', async () => {
  const remote = memberCluster('remote');
  await live.apply({ ...remote, spec: { syncMode: 'Pull' } } as KubeObject);
  await untilTold('Cluster GrantAgentAccessSucceed');
});

test('nothing was told that docs/events.md does not know, and little of it was left untold', async () => {
  const stems = [...new Set(eventRules.map(({ stem }) => stem))];
  const known = new Set([
    ...stems.flatMap((stem) => [`${stem}Succeed`, `${stem}Failed`]),
    ...singleEvents.map(({ reason }) => reason),
  ]);
  const reasons = new Set((await events()).filter(({ source }) => source.component !== '').map(({ reason }) => reason));
  expect([...reasons].filter((reason) => !known.has(reason))).toEqual([]);
  expect(stems.filter((stem) => !reasons.has(`${stem}Succeed`) && !reasons.has(`${stem}Failed`))).toEqual([
    'CleanupWork',
  ]);
});
