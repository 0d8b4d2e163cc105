/** Replicas that a cluster keeps for now although the placement gives it fewer. */
export interface Kept {
  readonly cluster: string;
  readonly replicas: number;
  /** How many of them are ready, or were when their member was last heard of. */
  readonly ready: number;
}

/** Lowers what the clusters keep until it adds up to no more than `most`; replicas that are ready stay first. */
export function keptWithin(all: readonly Kept[], most: number): ReadonlyMap<string, number> {
  const inOrder = [...all].sort((a, b) => (a.cluster < b.cluster ? -1 : 1));
  const kept = new Map(inOrder.map(({ cluster }) => [cluster, 0]));
  let left = most;
  for (const part of [ready, rest]) {
    for (const one of inOrder) {
      const given = Math.min(left, part(one));
      kept.set(one.cluster, (kept.get(one.cluster) ?? 0) + given);
      left -= given;
    }
  }
  return kept;
}

const ready = (one: Kept): number => Math.max(0, Math.min(one.ready, one.replicas));
const rest = (one: Kept): number => one.replicas - ready(one);
