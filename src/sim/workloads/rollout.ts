import type { ReplicaSet } from '../cluster/objects.ts';

/** How far a rollout may go beyond and below the wanted number. */
export interface Fences {
  readonly maxSurge: number;
  readonly maxUnavailable: number;
}

/** A number, or a percentage of the replicas: rounded up for surge, down for unavailability. */
export function resolved(value: unknown, total: number, round: (value: number) => number): number {
  if (typeof value === 'number') return value;
  const percent = /^(\d+)%$/.exec(String(value))?.[1];
  return percent === undefined ? 0 : round((Number(percent) * total) / 100);
}

/** The fences of a Deployment; both at zero would never move, so one may be missing then. */
export function fencesOf(rolling: Readonly<Record<string, unknown>> | undefined, replicas: number): Fences {
  const maxSurge = resolved(rolling?.['maxSurge'] ?? '25%', replicas, Math.ceil);
  const maxUnavailable = resolved(rolling?.['maxUnavailable'] ?? '25%', replicas, Math.floor);
  return maxSurge === 0 && maxUnavailable === 0 ? { maxSurge, maxUnavailable: 1 } : { maxSurge, maxUnavailable };
}

/** The state from which a step of a rollout starts. */
export interface Rollout {
  readonly replicas: number;
  readonly fences: Fences;
  readonly current: ReplicaSet;
  readonly old: readonly ReplicaSet[];
}

const wantedOf = (set: ReplicaSet): number => set.spec.replicas ?? 0;
const availableOf = (set: ReplicaSet): number => set.status?.availableReplicas ?? 0;
const sum = (sets: readonly ReplicaSet[], of: (set: ReplicaSet) => number): number =>
  sets.reduce((total, set) => total + of(set), 0);

/** How many replicas the current set gets in the next step of a rolling update. */
export function currentSize({ replicas, fences, current, old }: Rollout): number {
  const wanted = wantedOf(current);
  if (wanted >= replicas) return replicas;
  const free = replicas + fences.maxSurge - wanted - sum(old, wantedOf);
  return Math.min(replicas, wanted + Math.max(0, free));
}

/** How many replicas each old set keeps in the next step: what does not work goes first, and never too many at once. */
export function oldSizes({ replicas, fences, current, old }: Rollout): readonly number[] {
  const least = replicas - fences.maxUnavailable;
  const missing = wantedOf(current) - availableOf(current);
  let removable = wantedOf(current) + sum(old, wantedOf) - least - Math.max(0, missing);
  const sizes = old.map((set) => {
    const broken = Math.max(0, Math.min(wantedOf(set) - availableOf(set), removable));
    removable -= broken;
    return wantedOf(set) - broken;
  });
  let spare = Math.min(removable, availableOf(current) + sum(old, availableOf) - least);
  return sizes.map((size) => {
    const dropped = Math.max(0, Math.min(size, spare));
    spare -= dropped;
    return size - dropped;
  });
}
