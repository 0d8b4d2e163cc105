import type {
  AggregatedStatusItem,
  Binding,
  BindingStatus,
  Condition,
  KubeObject,
  ManifestStatus,
  View,
  Work,
} from '../../api/index.ts';
import { equal } from '../../base/index.ts';
import { templateOf } from '../claim/index.ts';
import { conditionStatus, withCondition } from '../conditions.ts';
import { act, rest } from '../decision.ts';
import type { Decision } from '../decision.ts';
import { interpreterOf } from '../interpret/index.ts';
import type { Interpreter } from '../interpret/index.ts';
import { effectOf } from './effect.ts';
import { interpretationFailure, withInterpreted } from './interpreted.ts';
import { healthyCondition } from './health.ts';
import { outageDeadline, unreadyAmong } from './reach.ts';
import type { Unready } from './reach.ts';
import { existingClusters, worksOf } from '../render/index.ts';
import type { CollectAction } from './reflect.ts';

/** All that the status of a binding and of its template depends on. */
export interface CollectFacts {
  readonly binding: Binding;
  readonly template: KubeObject | undefined;
  readonly works: ReadonlyMap<string, Work>;
  readonly interpreter: Interpreter;
  /** Members of the binding that are not ready. */
  readonly unready: readonly Unready[];
  readonly now: string;
}

/** Gathers the facts; undefined when the binding does not exist. */
export function gatherCollect(view: View, key: string): CollectFacts | undefined {
  const binding = view.get(key) as Binding | undefined;
  if (!binding) return undefined;
  const template = templateOf(view, binding);
  const works = worksOf(view, binding);
  const unready = unreadyAmong(view, new Set([...existingClusters(binding), ...works.keys()]));
  const interpreter = interpreterOf(view, binding.spec.resource);
  return { binding, template, works, interpreter, unready, now: view.now };
}

/** What does the fleet say about this template? First the binding's status, then the template's. */
export function decideCollect(facts: CollectFacts): Decision<CollectAction> {
  const { binding } = facts;
  if (binding.metadata.deletionTimestamp) return rest('BindingDeleting');
  const items = withOnset(facts, itemsOf(facts));
  const { total, failure } = totalOf(facts, items);
  const status = bindingStatus(facts, items, failure);
  const actions: CollectAction[] = [];
  if (!equal(status, binding.status)) actions.push(reporting({ ...binding, status } as Binding));
  if (total) actions.push(reporting(total));
  const again = nextDeadline(facts);
  const later = again === undefined ? {} : { again };
  if (failure !== undefined) return { because: 'InterpreterFailed', actions, detail: failure, ...later };
  return { ...(actions.length ? act('Collected', ...actions) : rest('UpToDate')), ...later };
}

/** When the next outage of a member is past its deadline. */
function nextDeadline({ unready, now }: CollectFacts): string | undefined {
  const open = unready.map(outageDeadline).filter((due) => due > Date.parse(now));
  return open.length > 0 ? `${new Date(Math.min(...open)).toISOString().slice(0, 19)}Z` : undefined;
}

const reporting = (object: KubeObject): CollectAction => ({ do: 'report', write: { verb: 'updateStatus', object } });

interface Total {
  /** The template with its new status; undefined when it has it, or when there is nothing to say. */
  readonly total?: KubeObject | undefined;
  /** Why a script did not answer. */
  readonly failure?: string | undefined;
}

function totalOf(facts: CollectFacts, items: readonly AggregatedStatusItem[]): Total {
  const { binding, template, interpreter } = facts;
  if (!template) return {};
  const { value: status, error } = interpreter.aggregateStatus(template, { items, awaited: awaited(binding, items) });
  const failure = interpretationFailure(facts, template, error);
  if (!status || equal(status, (template as KubeObject & { status?: unknown }).status)) return { failure };
  return { total: { ...template, status } as KubeObject, failure };
}

function itemsOf({ works }: CollectFacts): readonly AggregatedStatusItem[] {
  const items: AggregatedStatusItem[] = [];
  for (const [clusterName, work] of works) {
    if (!work.metadata.deletionTimestamp) items.push(itemOf(clusterName, work));
  }
  return items.sort((a, b) => (a.clusterName < b.clusterName ? -1 : 1));
}

/**
 * Items with the time since which their object is unhealthy, where the policy counts it. A deadline that passes meanwhile
 * changes the state, not the time; an edit of the object starts anew.
 */
function withOnset({ binding, now }: CollectFacts, items: readonly AggregatedStatusItem[]): typeof items {
  if (!binding.spec.failover?.application) return items;
  const before = new Map(binding.status?.aggregatedStatus?.map((item) => [item.clusterName, item]));
  return items.map((item) => {
    if (item.health !== 'Unhealthy') return item;
    const known = before.get(item.clusterName);
    const isAnew = item.state === 'Progressing' && item.since !== known?.since;
    return { ...item, unhealthySince: (isAnew ? undefined : known?.unhealthySince) ?? now };
  });
}

/** Clusters that have reported nothing yet: a summary must not leave them out. */
function awaited(binding: Binding, items: readonly AggregatedStatusItem[]): readonly AggregatedStatusItem[] {
  const heard = new Set(items.map(({ clusterName }) => clusterName));
  return [...existingClusters(binding)]
    .filter((name) => !heard.has(name))
    .map((name) => unappliedItem(name, undefined));
}

function itemOf(clusterName: string, work: Work): AggregatedStatusItem {
  const { conditions, manifestStatuses } = work.status ?? {};
  const applied = conditions?.find((condition) => condition.type === 'Applied');
  if (applied?.status !== 'True') return unappliedItem(clusterName, applied?.message);
  return { ...appliedItem(clusterName, manifestStatuses?.[0]), ...troubleIn(conditions) };
}

/** Why the member's object is not healthy, for users who may read bindings but no Works. */
function troubleIn(conditions: readonly Condition[] | undefined): Partial<AggregatedStatusItem> {
  const condition = conditions?.find(({ type }) => type === healthyCondition);
  if (!condition) return {};
  const { status, reason, message, lastTransitionTime: since } = condition;
  return { state: status === 'False' ? 'Unhealthy' : 'Progressing', reason, message, since };
}

function appliedItem(clusterName: string, reported: ManifestStatus | undefined): AggregatedStatusItem {
  const { status, health = 'Unknown' } = reported ?? {};
  return { clusterName, applied: true, ...(status !== undefined && { status }), health };
}

function unappliedItem(clusterName: string, message: string | undefined): AggregatedStatusItem {
  return { clusterName, applied: false, ...(message && { appliedMessage: message }), health: 'Unknown' };
}

/** Tells whether every target has the object, and no other member. */
function isFullyApplied(binding: Binding, items: readonly AggregatedStatusItem[]): boolean {
  const targets = existingClusters(binding);
  if (targets.size === 0 || items.length !== targets.size) return false;
  return items.every((item) => item.applied && targets.has(item.clusterName));
}

function bindingStatus(
  facts: CollectFacts,
  items: readonly AggregatedStatusItem[],
  failure: string | undefined,
): BindingStatus {
  const { binding, now } = facts;
  const { aggregatedStatus: _, ...others } = binding.status ?? {};
  const scheduled = conditionStatus(others.conditions, 'Scheduled');
  if (scheduled === undefined && items.length === 0 && failure === undefined) return binding.status ?? {};
  const applied = wasPlaced(binding, items)
    ? withCondition(others.conditions, fullyApplied(isFullyApplied(binding, items)), now)
    : (others.conditions ?? []);
  const conditions = withInterpreted(withCondition(applied, effectOf(facts), now), failure, now);
  return { ...others, conditions, ...(items.length > 0 && { aggregatedStatus: items }) };
}

/** As in Karmada, a binding that was never placed does not say that its Works are missing. */
function wasPlaced({ status }: Binding, items: readonly AggregatedStatusItem[]): boolean {
  if (items.length > 0 || status?.lastScheduledTime !== undefined) return true;
  return conditionStatus(status?.conditions, 'Scheduled') === 'True';
}

function fullyApplied(full: boolean): { type: string; status: 'True' | 'False'; reason: string; message: string } {
  return {
    type: 'FullyApplied',
    status: full ? 'True' : 'False',
    reason: full ? 'FullyAppliedSuccess' : 'FullyAppliedFailed',
    message: full
      ? 'All works have been successfully applied'
      : 'Failed to apply all works, see status.aggregatedStatus for details',
  };
}
