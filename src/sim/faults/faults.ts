import { isObject } from '../../base/index.ts';

/** Writes of a kind that are refused, and with which code. */
export interface RefusalFault {
  /** A kind, a plural or a short name, with `.group` where it is needed. */
  readonly kind: string;
  readonly code: 403 | 422;
}

/** The faults of a simulated member at the moment. Kept in memory: a restart removes all. */
export interface Faults {
  /** Every connection is reset, except for the control path. */
  readonly down: boolean;
  /** Connections are accepted and nothing is ever answered, except on the control path. */
  readonly partition: boolean;
  /** Every request waits so long before it is looked at. */
  readonly latencyMilliseconds: number;
  /** How many of a hundred requests fail with 500. */
  readonly errorPercent: number;
  /** How many of a hundred requests are answered with 429. */
  readonly throttlePercent: number;
  readonly refuse: readonly RefusalFault[];
  /** The member's clock is ahead (behind, when negative) by so much. */
  readonly clockSkewSeconds: number;
}

/** A change of faults; fields that are absent stay as they are. The last two happen once. */
export interface FaultChange extends Partial<Faults> {
  /** Ends all watches that are open now. */
  readonly cutWatches?: boolean;
  /** Loses every object, as a cluster that was created again: same address and credentials. */
  readonly forget?: boolean;
}

/** Nothing is wrong. */
export const noFaults: Faults = Object.freeze({
  down: false,
  partition: false,
  latencyMilliseconds: 0,
  errorPercent: 0,
  throttlePercent: 0,
  refuse: [],
  clockSkewSeconds: 0,
});

/** A change of faults that is invalid. */
export class FaultsError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'FaultsError';
  }
}

type Check = (value: unknown) => boolean;

const isFlag: Check = (value) => typeof value === 'boolean';
const isPercent: Check = (value) => typeof value === 'number' && value >= 0 && value <= 100;
const isAmount: Check = (value) => typeof value === 'number' && Number.isFinite(value) && value >= 0;
const isNumber: Check = (value) => typeof value === 'number' && Number.isFinite(value);
const isRefusal: Check = (value) =>
  isObject(value) && typeof value['kind'] === 'string' && (value['code'] === 403 || value['code'] === 422);

const fields: Readonly<Record<keyof FaultChange, readonly [what: string, check: Check]>> = {
  down: ['true or false', isFlag],
  partition: ['true or false', isFlag],
  latencyMilliseconds: ['a number of milliseconds', isAmount],
  errorPercent: ['a number from 0 to 100', isPercent],
  throttlePercent: ['a number from 0 to 100', isPercent],
  refuse: ['a list of { "kind": KIND, "code": 403 or 422 }', (value) => Array.isArray(value) && value.every(isRefusal)],
  clockSkewSeconds: ['a number of seconds', isNumber],
  cutWatches: ['true or false', isFlag],
  forget: ['true or false', isFlag],
};

/** Reads a change that came from outside; throws FaultsError for what makes no sense. */
export function parseChange(value: unknown): FaultChange {
  if (!isObject(value)) throw new FaultsError('faults must be a JSON object');
  for (const name in value) {
    const field = Object.hasOwn(fields, name) ? fields[name as keyof FaultChange] : undefined;
    if (!field) throw new FaultsError(`there is no fault ${name}; there are ${Object.keys(fields).join(', ')}`);
    if (!field[1](value[name])) throw new FaultsError(`${name} must be ${field[0]}`);
  }
  return value;
}

/** The faults after a change. */
export function changed(faults: Faults, change: FaultChange): Faults {
  const { cutWatches: _, forget: __, ...lasting } = change;
  return { ...faults, ...lasting };
}
