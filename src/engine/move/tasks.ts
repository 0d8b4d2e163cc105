import { moveAnnotation } from '../../api/index.ts';
import type { Binding, Gates, GracefulEvictionTask } from '../../api/index.ts';

/** The reason that marks a task of a move; every other task belongs to failover. */
export const moveReason = 'PlacementChanged';

const producer = 'Scheduler';

/** True for the task of a move: a copy that a placement change takes off a cluster, and that stays for now. */
export function isMove({ reason }: GracefulEvictionTask): boolean {
  return reason === moveReason;
}

const none: readonly GracefulEvictionTask[] = [];

/** The tasks of the moves that a binding is in the middle of. */
export function movesOf({ spec }: Binding): readonly GracefulEvictionTask[] {
  const { gracefulEvictionTasks } = spec;
  return gracefulEvictionTasks?.some(isMove) ? gracefulEvictionTasks.filter(isMove) : none;
}

/** Tells whether this binding is in the middle of a move. */
export function isMoving({ spec }: Binding): boolean {
  return spec.gracefulEvictionTasks?.some(isMove) === true;
}

/** A new task of a move. */
export function moveTask(fromCluster: string, replicas: number | undefined, now: string): GracefulEvictionTask {
  return {
    fromCluster,
    purgeMode: 'Gracefully',
    ...(replicas !== undefined && { replicas }),
    reason: moveReason,
    producer,
    creationTimestamp: now,
  };
}

/** Tells whether the copies of this binding stay until they are replaced. The gate and the binding's policy decide. */
export function isMovedGracefully({ GracefulMove }: Pick<Gates, 'GracefulMove'>, { metadata }: Binding): boolean {
  return GracefulMove && metadata.annotations?.[moveAnnotation] !== 'immediate';
}

/** Tells whether the old copy is removed before the new one is made. */
export function isPurgedFirst({ purgeMode }: GracefulEvictionTask): boolean {
  return purgeMode === 'Directly' || purgeMode === 'Immediately';
}

/** Tells whether an old copy stays on this cluster until it is replaced, by a move or by failover. */
export function keepsCopyOn({ spec }: Binding, cluster: string): boolean {
  return spec.gracefulEvictionTasks?.some((task) => task.fromCluster === cluster && !isPurgedFirst(task)) === true;
}

const seconds = 600;

/** When a move is overdue, in milliseconds since the epoch: its old copy stays, and says so. */
export function deadlineOf({ creationTimestamp, gracePeriodSeconds }: GracefulEvictionTask, now: string): number {
  return Date.parse(creationTimestamp ?? now) + (gracePeriodSeconds ?? seconds) * 1000;
}
