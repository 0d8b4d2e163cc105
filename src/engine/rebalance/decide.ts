import { keyOf } from '../../api/index.ts';
import type { Binding, KubeObject, ObservedWorkload, Ref, View, WorkloadRebalancer } from '../../api/index.ts';
import { equal } from '../../base/index.ts';
import { bindingOf, bindingRefOf, claimOf } from '../claim/index.ts';
import { act, rest } from '../decision.ts';
import type { Action, Decision } from '../decision.ts';

/** The binding of a workload that is to be rebalanced; without one, whether it is about to get one. */
export type Rebalanced = Binding | 'missing' | 'awaited';

/** All that the outcome of a WorkloadRebalancer depends on. */
export interface RebalanceFacts {
  readonly rebalancer: WorkloadRebalancer;
  /** The workloads of its spec, by key. */
  readonly found: ReadonlyMap<string, Rebalanced>;
  readonly now: string;
}

/** `trigger` asks for a new choice of clusters, `report` writes the status, `expire` deletes a rebalancer that is done. */
export type RebalanceAction = Action<'trigger' | 'report' | 'expire'>;

/** Gathers the facts; undefined when the rebalancer is gone. */
export function gatherRebalance(view: View, key: string): RebalanceFacts | undefined {
  const rebalancer = view.get(key) as WorkloadRebalancer | undefined;
  if (!rebalancer) return undefined;
  const found = new Map(rebalancer.spec.workloads.map((ref) => [keyOf(ref), bindingFor(view, ref)]));
  return { rebalancer, found, now: view.now };
}

/** The binding of a template by its name alone, where nobody has the template in this version. */
function bindingFor(view: View, { apiVersion, kind, namespace, name }: Ref): Rebalanced {
  const metadata = { name, ...(namespace && { namespace }) };
  const template = view.get(keyOf({ apiVersion, kind, ...metadata }));
  if (template) return bindingOf(view, template) ?? (claimOf(template) ? 'awaited' : 'missing');
  const named = { apiVersion, kind, metadata } as KubeObject;
  return (view.get(keyOf(bindingRefOf(named))) as Binding | undefined) ?? 'missing';
}

/**
 * Tells whether every workload has been asked to be scheduled again. Each one is asked for the time at which the
 * rebalancer was created, so that repeating this asks nothing twice. A result is final; a workload that leaves the spec
 * keeps only a success.
 */
export function decideRebalance(facts: RebalanceFacts): Decision<RebalanceAction> {
  const { rebalancer, found } = facts;
  if (rebalancer.metadata.deletionTimestamp) return rest('UpToDate');
  const open = openWorkloads(rebalancer).map((ref) => found.get(keyOf(ref)));
  const untriggered = open.filter((one): one is Binding => typeof one === 'object' && !isTriggered(rebalancer, one));
  if (untriggered.length > 0) return act('RebalanceTriggered', ...untriggered.map((one) => trigger(rebalancer, one)));
  if (open.includes('awaited')) return rest('RebalanceWaits');
  return reported(facts) ?? expired(facts);
}

/** The workloads of the spec without a result. */
function openWorkloads({ spec, status }: WorkloadRebalancer): readonly Ref[] {
  const done = new Set(status?.observedWorkloads?.flatMap(({ workload, result }) => (result ? keyOf(workload) : [])));
  return spec.workloads.filter((ref) => !done.has(keyOf(ref)));
}

function isTriggered({ metadata }: WorkloadRebalancer, { spec }: Binding): boolean {
  const since = Date.parse(metadata.creationTimestamp ?? '');
  return !(Date.parse(spec.rescheduleTriggeredAt ?? '') < since) && spec.rescheduleTriggeredAt !== undefined;
}

function trigger({ metadata }: WorkloadRebalancer, binding: Binding): RebalanceAction {
  const { creationTimestamp } = metadata;
  const spec = { ...binding.spec, ...(creationTimestamp && { rescheduleTriggeredAt: creationTimestamp }) };
  const object: Binding = { ...binding, spec };
  return { do: 'trigger', write: { verb: 'update', object } };
}

function reported({ rebalancer, found, now }: RebalanceFacts): Decision<RebalanceAction> | undefined {
  const { metadata, status } = rebalancer;
  const wanted = {
    observedWorkloads: observedWorkloads(rebalancer, found),
    observedGeneration: metadata.generation ?? 1,
  };
  const { finishTime: _, ...before } = status ?? {};
  if (equal(wanted, before)) return undefined;
  const object = { ...rebalancer, status: { ...wanted, finishTime: now } };
  return act('RebalanceDone', { do: 'report', write: { verb: 'updateStatus', object } });
}

function observedWorkloads(
  { spec, status }: WorkloadRebalancer,
  found: RebalanceFacts['found'],
): readonly ObservedWorkload[] {
  const listed = new Map(spec.workloads.map((ref) => [keyOf(ref), ref]));
  const known = (status?.observedWorkloads ?? []).filter(
    ({ workload, result }) => listed.has(keyOf(workload)) || result === 'Successful',
  );
  const names = new Set(known.map(({ workload }) => keyOf(workload)));
  const news = [...listed].flatMap(([key, workload]): readonly ObservedWorkload[] => {
    if (names.has(key)) return [];
    const isMissing = found.get(key) === 'missing';
    return [isMissing ? { workload, ...notFound } : { workload, result: 'Successful' }];
  });
  return [...known, ...news].sort((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1));
}

const notFound = { result: 'Failed', reason: 'ReferencedBindingNotFound' } as const;

const orderOf = ({ workload }: ObservedWorkload): string =>
  [workload.apiVersion, workload.kind, workload.namespace ?? '', workload.name].join(' ');

/** A rebalancer that is done is deleted after the time that it was given. */
function expired({ rebalancer, now }: RebalanceFacts): Decision<RebalanceAction> {
  const { metadata, spec, status } = rebalancer;
  if (spec.ttlSecondsAfterFinished === undefined || !status?.finishTime) return rest('RebalanceDone');
  const end = Date.parse(status.finishTime) + spec.ttlSecondsAfterFinished * 1000;
  if (end > Date.parse(now)) {
    return { ...rest('RebalanceDone'), again: new Date(end).toISOString().replace('.000Z', 'Z') };
  }
  const ref = { apiVersion: rebalancer.apiVersion, kind: rebalancer.kind, name: metadata.name };
  return act('RebalancerExpired', {
    do: 'expire',
    write: { verb: 'delete', ref, ...(metadata.uid && { uid: metadata.uid }) },
  });
}
