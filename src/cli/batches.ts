import { UsageError } from './failure.ts';

/** Splits a list into batches of `--batch`: a number, or a percentage of all, rounded down to at least 1. */
export function batchesOf<T>(items: readonly T[], batch: string | undefined): readonly (readonly T[])[] {
  const size = batch === undefined ? items.length : sizeOf(batch, items.length);
  return Array.from({ length: Math.ceil(items.length / Math.max(1, size)) }, (_, i) =>
    items.slice(i * size, (i + 1) * size),
  );
}

/** At least one: a share of little is never nothing. */
function sizeOf(batch: string, total: number): number {
  const parts = /^(\d+)(%?)$/.exec(batch);
  const number = Number(parts?.[1]);
  const share = parts?.[2] === '%';
  if (!parts || number === 0 || (share && number > 100)) {
    throw new UsageError('--batch must be a number (5) or a percentage (20%)');
  }
  return share ? Math.max(1, Math.floor((total * number) / 100)) : number;
}
