import { fnv32a } from '../../base/index.ts';

/** A party to a division of replicas. */
export interface Share {
  readonly name: string;
  /** A whole number above 0. */
  readonly weight: number;
}

/** The order among equals: chosen for each template, so that remainders do not pile up on the same cluster. */
export type TieOrder = 'ascending' | 'descending';

/**
 * The order for a template: by its name, so that it is known before the template exists, and the same when it is
 * created again.
 */
export function tieOrderOf({ namespace = '', name }: { readonly namespace?: string; readonly name: string }): TieOrder {
  return fnv32a(`${namespace}/${name}`) % 2 === 1 ? 'descending' : 'ascending';
}

interface Party extends Share {
  seats: number;
}

/**
 * Divides replicas by weight with Webster's method: each goes to the highest weight / (2 × replicas + 1), among equals
 * to who has fewer, then by name. The result depends on nothing but its arguments, names in any order.
 */
export function divide(replicas: number, shares: readonly Share[], order: TieOrder): ReadonlyMap<string, number> {
  const parties = shares.map((share) => ({ ...share, seats: 0 }));
  if (parties.length > 0) deal(parties, replicas, order);
  return new Map(parties.map(({ name, seats }) => [name, seats]));
}

function deal(parties: readonly Party[], replicas: number, order: TieOrder): void {
  let left = replicas - headStart(parties, replicas);
  for (; left > 0; left--) {
    const winner = parties.reduce((best, party) => (goesBefore(party, best, order) ? party : best));
    winner.seats++;
  }
}

/**
 * Seats that are certain without a contest, so that the work grows with the parties and not with the replicas.
 * Every claim weight / (2 × seat + 1) above one threshold is granted; the threshold is high enough that no more than
 * `replicas` claims pass it, and one seat each is left to the contest for the sake of rounding.
 */
function headStart(parties: readonly Party[], replicas: number): number {
  const total = parties.reduce((sum, { weight }) => sum + weight, 0);
  const sure = replicas - parties.length;
  if (sure <= 0) return 0;
  let granted = 0;
  for (const party of parties) {
    party.seats = Math.max(0, Math.ceil((party.weight * sure) / total - 0.5) - 1);
    granted += party.seats;
  }
  return granted;
}

function goesBefore(a: Party, b: Party, order: TieOrder): boolean {
  const claims = a.weight * (2 * b.seats + 1) - b.weight * (2 * a.seats + 1);
  if (claims !== 0) return claims > 0;
  if (a.seats !== b.seats) return a.seats < b.seats;
  return order === 'ascending' ? a.name < b.name : a.name > b.name;
}
