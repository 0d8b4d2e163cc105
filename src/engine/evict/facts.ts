import { keyOf } from '../../api/index.ts';
import type { Binding, Cluster, Gates, Settings, View } from '../../api/index.ts';
import type { Action } from '../decision.ts';
import { failuresOf } from '../fleet/index.ts';
import type { Failures } from '../fleet/index.ts';
import { suspensionsOf } from '../suspension/index.ts';
import type { Suspensions } from '../suspension/index.ts';
import { gatherMoves } from './moves.ts';
import type { MoveFacts } from './moves.ts';

/** All that the eviction of one binding from its clusters depends on. */
export interface EvictionFacts {
  readonly binding: Binding;
  /** Every cluster of the fleet; the same array as long as no cluster changes. */
  readonly clusters: readonly Cluster[];
  readonly suspensions: Suspensions;
  /** The failures of the fleet, found when they are needed. */
  readonly failures: () => Failures;
  readonly settings: Settings;
  /** Since when the hub has been watching its members without a break; absent in plans. */
  readonly awakeSince?: string | undefined;
  /** Members that are called not ready and answered the last probe. */
  readonly answering?: ReadonlySet<string> | undefined;
  /** Only while a placement change moves the workload. */
  readonly moves?: MoveFacts;
  readonly gates: Pick<Gates, 'Failover' | 'GracefulEviction' | 'StatefulFailoverInjection'>;
  /** RFC 3339. */
  readonly now: string;
}

/**
 * `evict` takes clusters out of the binding and adds tasks for what remains to be cleared; `clear` ends tasks; `shrink`
 * keeps fewer replicas; `report` says that a move is overdue, or no longer is.
 */
export type EvictionAction = Action<'evict' | 'clear' | 'shrink' | 'report'>;

/** Gathers the facts; undefined when the binding does not exist. */
export function gatherEviction(view: View, key: string): EvictionFacts | undefined {
  const binding = view.get(key) as Binding | undefined;
  if (!binding) return undefined;
  const suspensions = suspensionsOf(view, binding, view.get(keyOf(binding.spec.resource)));
  const moves = gatherMoves(view, binding);
  const { clusters, gates, settings, awakeSince, answering, now } = view;
  const failures = (): Failures => failuresOf(view);
  return {
    binding,
    clusters,
    suspensions,
    failures,
    ...(moves && { moves }),
    gates,
    settings,
    awakeSince,
    answering,
    now,
  };
}
