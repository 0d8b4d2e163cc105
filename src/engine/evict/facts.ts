import { keyOf } from '../../api/index.ts';
import type { Binding, Cluster, Gates, View } from '../../api/index.ts';
import type { Action } from '../decision.ts';
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
  return { binding, clusters: view.clusters, suspensions, ...(moves && { moves }), gates: view.gates, now: view.now };
}
