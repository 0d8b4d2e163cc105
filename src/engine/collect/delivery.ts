import type { Condition, ManifestStatus, Work } from '../../api/index.ts';
import { bareRefusal } from '../dispatch/index.ts';
import { healthyCondition } from './health.ts';

/** The state of a template in one member, the worst that is true of it there. */
export type MemberState = 'failing' | 'unhealthy' | 'suspended' | 'progressing' | 'inEffect' | 'unknown';

/** The state of a template in one member, the member's own words, and since when. */
export interface Delivery {
  readonly state: MemberState;
  readonly message?: string;
  readonly since?: string;
}

/** The parts of a Work that say how its object is in the member. */
export interface WorkReport {
  readonly metadata: Pick<Work['metadata'], 'deletionTimestamp'>;
  readonly spec: Pick<Work['spec'], 'suspendDispatching'>;
  readonly status?: {
    readonly conditions?: readonly Omit<Condition, 'reason'>[];
    readonly manifestStatuses?: readonly Pick<ManifestStatus, 'health' | 'status'>[];
  };
}

/**
 * Tells whether the object is delivered and healthy. Failing: the member does not have it as wanted. Unhealthy: it is
 * past its deadline or failed. Suspended: a suspension keeps something from the member. Progressing: it is inside its
 * deadline.
 */
export function deliveryOf({ metadata, spec, status }: WorkReport): Delivery {
  const applied = conditionOf(status?.conditions, 'Applied');
  const refusal = applied?.status === 'False' ? bareRefusal(applied.message) : undefined;
  if (metadata.deletionTimestamp)
    return { state: 'progressing', message: refusal ? `is being removed: ${refusal}` : 'is being removed' };
  if (refusal !== undefined) return { state: 'failing', message: refusal };
  return (
    healthIn(status?.conditions, spec.suspendDispatching === true) ?? { state: applied ? 'inEffect' : 'progressing' }
  );
}

function healthIn(conditions: Conditions, isSuspended: boolean): Delivery | undefined {
  const health = conditionOf(conditions, healthyCondition);
  const words = health && { message: health.message, since: health.lastTransitionTime };
  if (health?.status === 'False') return { state: 'unhealthy', ...words };
  if (isSuspended) return { state: 'suspended' };
  return words && { state: 'progressing', ...words };
}

type Conditions = NonNullable<WorkReport['status']>['conditions'];

function conditionOf<T extends Pick<Condition, 'type'>>(all: readonly T[] | undefined, type: string): T | undefined {
  return all?.find((condition) => condition.type === type);
}
