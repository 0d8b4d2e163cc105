import { keyOf, refOf } from '../../api/index.ts';
import type { KubeObject, View, Work } from '../../api/index.ts';
import { at } from '../../base/index.ts';
import { gatherDispatch, isOurs, isReady, saysAsSent } from '../dispatch/index.ts';
import type { DispatchFacts } from '../dispatch/index.ts';
import { lastReportOf } from '../move/index.ts';

/** How the copy of a workload in one cluster does. */
export interface Copy {
  /** The member has the object, or had it when it was last heard of. */
  readonly isThere: boolean;
  /** The member has what it is to have now, and reports that it is healthy. */
  readonly isHealthy: boolean;
  /** Replicas that are ready there, whatever they were started from. */
  readonly ready: number;
  /** Replicas that were ready when the member was last heard of. */
  readonly lastReady: number;
}

const absent: Copy = { isThere: false, isHealthy: false, ready: 0, lastReady: 0 };

/**
 * Reads the copy from the member itself, not from a status on the hub: a status may be older than what was sent last. A
 * member that is not ready has no healthy copy, since nobody can see it.
 */
export function copyIn(view: View, work: Work | undefined, assumesHealth: boolean): Copy {
  if (!work || work.metadata.deletionTimestamp) return absent;
  const facts = gatherDispatch(view, keyOf(refOf(work)));
  if (!facts) return absent;
  const { present } = facts;
  if (present === 'unknown') return lastKnown(work);
  return present === 'absent' || !isOurs(work, present) ? absent : seen(facts, present, assumesHealth);
}

function seen(facts: DispatchFacts, present: KubeObject, assumesHealth: boolean): Copy {
  const isHere = isReady(facts.cluster);
  const isDelivered = isHere && isCurrent(facts, present);
  const isHealthy = isDelivered && (assumesHealth || facts.interpreter.health(present).value === 'Healthy');
  const lastReady = readyIn(present, isHealthy);
  return { isThere: true, isHealthy, ready: isHere ? lastReady : 0, lastReady };
}

function lastKnown(work: Work): Copy {
  const { isThere, ready } = lastReportOf(work);
  return { ...absent, isThere, lastReady: ready };
}

/** A suspended member that has all of its manifest has nothing to wait for. */
function isCurrent({ manifest, interpreter }: DispatchFacts, present: KubeObject): boolean {
  return !present.metadata.deletionTimestamp && saysAsSent(present, manifest, interpreter);
}

/** A kind that counts no replicas has all that it is to have as soon as it is healthy. */
function readyIn(present: KubeObject, isHealthy: boolean): number {
  if (isHealthy) return Number.POSITIVE_INFINITY;
  const count = at(present, ['status', 'readyReplicas']);
  return typeof count === 'number' ? count : 0;
}
