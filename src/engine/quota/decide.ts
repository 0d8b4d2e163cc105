import {
  approximate,
  executionNamespace,
  keyOf,
  managedLabel,
  memberOfNamespace,
  quotaNameLabel,
  quotaNamespaceLabel,
  refOf,
  sumText,
  workApi,
  workFinalizer,
  workIdLabel,
  workName,
  workNameAnnotation,
  workNamespaceAnnotation,
} from '../../api/index.ts';
import type { FederatedResourceQuota, Quantity, ResourceList, View, Work } from '../../api/index.ts';
import { at, equal, isObject, uuidOf } from '../../base/index.ts';
import { conditionStatus } from '../conditions.ts';
import { act, rest } from '../decision.ts';
import type { Action, Decision } from '../decision.ts';
import { quotaWorksKey } from '../match/index.ts';
import { changedAt } from '../times.ts';
import { addUsage, usageIn } from './enforce.ts';
import type { Usage } from './enforce.ts';

/** A FederatedResourceQuota with the Works that bring its shares to members. */
export interface QuotaFacts {
  /** Undefined when it is gone and Works of it remain. */
  readonly quota: FederatedResourceQuota | undefined;
  /** The members of its assignments that can have Works. */
  readonly members: ReadonlySet<string>;
  readonly works: readonly Work[];
  /** The requests of all workloads of the namespace; undefined unless the quota is enforced. */
  readonly used: Usage | undefined;
  readonly now: string;
}

export type QuotaAction = Action<'assign' | 'withdraw' | 'report'>;

/** Gathers the facts; undefined when neither the quota nor Works of it exist. */
export function gatherQuota(view: View, key: string): QuotaFacts | undefined {
  const quota = view.get(key) as FederatedResourceQuota | undefined;
  const [namespace, name] = placeIn(key);
  const works: Work[] = [];
  view.each(quotaWorksKey(namespace, name), (work) => works.push(work as Work));
  if (!quota && works.length === 0) return undefined;
  const shares = quota?.spec.staticAssignments ?? [];
  const members = new Set(shares.map(({ clusterName }) => clusterName).filter((member) => isPrepared(view, member)));
  const used = quota && view.gates.FederatedQuotaEnforcement ? usageIn(view, namespace) : undefined;
  return { quota, members, works: works.sort(byMember), used, now: view.now };
}

/** The namespace and the name in the key of an object. */
function placeIn(key: string): readonly [namespace: string, name: string] {
  const [, , namespace = '', name = ''] = key.split('|');
  return [namespace, name];
}

const byMember = (a: Work, b: Work): number => ((a.metadata.namespace ?? '') < (b.metadata.namespace ?? '') ? -1 : 1);

/** Is the member in the fleet, and is there a namespace for its Works? */
function isPrepared(view: View, member: string): boolean {
  const cluster = view.clusters.find(({ metadata }) => metadata.name === member);
  const space = view.get(keyOf({ apiVersion: 'v1', kind: 'Namespace', name: executionNamespace(member) }));
  return [cluster, space].every((object) => object && !object.metadata.deletionTimestamp);
}

/** Do the members of its assignments have a ResourceQuota each, and does its status say what is used? */
export function decideQuota(facts: QuotaFacts): Decision<QuotaAction> {
  const { quota, works } = facts;
  const wanted = quota && !quota.metadata.deletionTimestamp ? wantedWorks(facts, quota) : [];
  const actions = [...assigned(facts, wanted), ...withdrawn(works, wanted)];
  if (actions.length > 0) return act('QuotaAssigned', ...actions);
  if (!quota) return rest('UpToDate');
  const status = statusOf(quota, facts);
  if (equal(status, quota.status)) return rest('UpToDate');
  return act('Collected', { do: 'report', write: { verb: 'updateStatus', object: { ...quota, status } } });
}

function assigned({ works, now }: QuotaFacts, wanted: readonly Work[]): readonly QuotaAction[] {
  return wanted.flatMap((work): readonly QuotaAction[] => {
    const present = works.find(({ metadata }) => metadata.namespace === work.metadata.namespace);
    if (!present) return [{ do: 'assign', write: { verb: 'create', object: work } }];
    if (present.metadata.deletionTimestamp || equal(work.spec, present.spec)) return [];
    const object = { ...present, spec: work.spec };
    return [{ do: 'assign', write: { verb: 'update', object: changedAt(now, object) } }];
  });
}

function withdrawn(works: readonly Work[], wanted: readonly Work[]): readonly QuotaAction[] {
  const kept = new Set(wanted.map(({ metadata }) => metadata.namespace));
  const gone = works.filter(({ metadata }) => !kept.has(metadata.namespace) && !metadata.deletionTimestamp);
  return gone.map((work) => ({ do: 'withdraw', write: { verb: 'delete', ref: refOf(work) } }));
}

function wantedWorks({ members }: QuotaFacts, quota: FederatedResourceQuota): readonly Work[] {
  const shares = quota.spec.staticAssignments ?? [];
  return shares.filter(({ clusterName }) => members.has(clusterName)).map((share) => workFor(quota, share));
}

function workFor(
  { metadata }: FederatedResourceQuota,
  { clusterName, hard }: { readonly clusterName: string; readonly hard: ResourceList },
): Work {
  const { name, namespace = '' } = metadata;
  const space = executionNamespace(clusterName);
  const work = workName({ kind: 'ResourceQuota', name, namespace });
  const id = uuidOf(`${metadata.uid}/${clusterName}`);
  const manifest = {
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: {
      name,
      namespace,
      labels: { [managedLabel]: 'true', [workIdLabel]: id },
      annotations: { [workNameAnnotation]: work, [workNamespaceAnnotation]: space },
    },
    spec: { hard },
  };
  return {
    apiVersion: workApi,
    kind: 'Work',
    metadata: {
      name: work,
      namespace: space,
      labels: { [quotaNamespaceLabel]: namespace, [quotaNameLabel]: name, [workIdLabel]: id },
      finalizers: [workFinalizer],
    },
    spec: { workload: { manifests: [manifest] } },
  };
}

type Status = NonNullable<FederatedResourceQuota['status']>;

function statusOf({ spec }: FederatedResourceQuota, { works, used }: QuotaFacts): Status {
  const aggregatedStatus = works.flatMap(reportOf);
  const sum = new Map<string, Quantity>();
  for (const report of aggregatedStatus) addUsage(sum, report.used);
  const overallUsed = amountsOf(used ?? sum, spec.overall);
  return { overall: spec.overall, overallUsed, ...(aggregatedStatus.length > 0 && { aggregatedStatus }) };
}

/** The amounts of the resources that a quota limits, written as its limits are. */
function amountsOf(usage: Usage, limits: ResourceList): ResourceList {
  const named = [...usage].filter(([resource]) => limits[resource] !== undefined);
  named.sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(named.map(([name, amount]) => [name, sumText(approximate(amount), limits[name])]));
}

function reportOf({ metadata, status }: Work): NonNullable<Status['aggregatedStatus']> {
  const report = status?.manifestStatuses?.[0]?.status;
  const clusterName = memberOfNamespace(metadata.namespace);
  if (!clusterName || conditionStatus(status?.conditions, 'Applied') !== 'True' || !isObject(report)) return [];
  const [hard, used] = [at(report, ['hard']), at(report, ['used'])];
  return [
    {
      clusterName,
      ...(isObject(hard) && { hard: hard as ResourceList }),
      ...(isObject(used) && { used: used as ResourceList }),
    },
  ];
}
