const form = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+)|([KMGTPE]i|[numkMGTPE]?))$/;
const decimalPlaces: Readonly<Record<string, number>> = {
  n: -9,
  u: -6,
  m: -3,
  '': 0,
  k: 3,
  M: 6,
  G: 9,
  T: 12,
  P: 15,
  E: 18,
};
const binaryPowers = 'KMGTPE';
/** Beyond this power of ten an amount is as good as endless, or as nothing. */
const largestExponent = 30;
const longest = 100;

/** One unit of an amount: amounts are counted in billionths, so that sums are exact. */
export const unit = 1_000_000_000n;

/**
 * A Kubernetes quantity in billionths, rounded up as Kubernetes does; undefined when it is no quantity.
 * Exact where floating point is not: 0.1 three times is 0.3.
 */
export function amountOf(value: unknown): bigint | undefined {
  const text = typeof value === 'number' ? String(value) : value;
  const parts = typeof text === 'string' && text.length <= longest ? form.exec(text) : null;
  return parts ? amountOfParts(parts) : undefined;
}

function amountOfParts([, sign, whole = '', fraction = '', exponent, suffix = '']: RegExpExecArray):
  | bigint
  | undefined {
  const digits = whole + fraction;
  const power = exponent === undefined ? (decimalPlaces[suffix] ?? 0) : Number(exponent);
  if (digits === '') return undefined;
  const bounded = Math.max(-largestExponent, Math.min(power, largestExponent));
  const magnitude = scaled(BigInt(digits) * binaryFactor(suffix), bounded - fraction.length);
  return sign === '-' ? -magnitude : magnitude;
}

function binaryFactor(suffix: string): bigint {
  return suffix.endsWith('i') ? 1024n ** BigInt(binaryPowers.indexOf(suffix.charAt(0)) + 1) : 1n;
}

function scaled(digits: bigint, power: number): bigint {
  const shift = power + 9;
  if (shift >= 0) return digits * 10n ** BigInt(shift);
  const divisor = 10n ** BigInt(-shift);
  return (digits + divisor - 1n) / divisor;
}

/** The largest amount there is, by which the last range of a resource model ends: 2^63 - 1. */
export const largestAmount = (2n ** 63n - 1n) * unit;
