import { UsageError } from './failure.ts';

/** Parts a list into batches of `--batch`: a number, or a share of all. */
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
    throw new UsageError(
      `--batch: ${JSON.stringify(batch)} is no number of templates, as 5, and no share of them, as 20%`,
    );
  }
  return share ? Math.max(1, Math.floor((total * number) / 100)) : number;
}
