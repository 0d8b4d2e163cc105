import type { Pod } from '../cluster/objects.ts';

/** By which the pods of an indexed job tell their number. */
export const indexAnnotation = 'batch.kubernetes.io/job-completion-index';

/** The number of a pod of an indexed job. */
export function indexOf({ metadata }: Pod): number {
  return Number(metadata.annotations?.[indexAnnotation] ?? -1);
}

interface IndexRange {
  readonly completions: number | undefined;
  readonly active: readonly Pod[];
  readonly succeeded: readonly Pod[];
}

/** The lowest numbers that nobody has done or does, as many as wanted. */
export function nextIndexes({ completions = 0, active, succeeded }: IndexRange, count: number): readonly number[] {
  const taken = new Set([...active, ...succeeded].map(indexOf));
  const free: number[] = [];
  for (let i = 0; i < completions && free.length < count; i++) if (!taken.has(i)) free.push(i);
  return free;
}

/** `0-2,5`: which numbers are done. */
export function completedText(succeeded: readonly Pod[]): string {
  const done = [...new Set(succeeded.map(indexOf))].sort((a, b) => a - b);
  const ranges: { from: number; to: number }[] = [];
  for (const index of done) {
    const last = ranges.at(-1);
    if (last && last.to === index - 1) last.to = index;
    else ranges.push({ from: index, to: index });
  }
  return ranges.map(({ from, to }) => (from === to ? String(from) : `${from}-${to}`)).join(',');
}
