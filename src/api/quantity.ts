import { remembering } from '../base/index.ts';

/** The one reader of Kubernetes quantities (`500m`, `1.5Gi`, `2e3`): exact, and bounded whatever a caller sends. */

const form = /^([+-]?)(\d+\.?\d*|\.\d+)(?:([KMGTPE]i)|([numkMGTPE])|[eE]([+-]?\d+))?$/;
const decimalPlaces: Readonly<Record<string, number>> = { n: -9, u: -6, m: -3, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 };
const binarySuffixes = ['Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];
/** Larger powers of ten are cut to this one: an exponent of a billion must not cost a number of a billion digits. */
const largestExponent = 30;
const longestText = 100;

/** An exact quantity: `digits` × 10^`exponent`. */
export interface Quantity {
  readonly digits: bigint;
  readonly exponent: number;
}

/** The quantity that a text or a number stands for; undefined when it is not a quantity. */
export function quantityOf(value: unknown): Quantity | undefined {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' ? parsed(text) : undefined;
}

const parsed = remembering((text): Quantity | undefined => {
  const match = text.length <= longestText ? form.exec(text) : null;
  if (!match) return undefined;
  const [, sign, number = '0', binarySuffix, decimalSuffix, power] = match;
  const [, fraction = ''] = number.split('.');
  const magnitude = BigInt(number.replace('.', '')) * (sign === '-' ? -1n : 1n);
  const factor = binarySuffix ? 1024n ** BigInt(binarySuffixes.indexOf(binarySuffix) + 1) : 1n;
  const shift = Number(power ?? decimalPlaces[decimalSuffix ?? ''] ?? 0);
  const bounded = Math.max(-largestExponent, Math.min(shift, largestExponent));
  return { digits: magnitude * factor, exponent: bounded - fraction.length };
});

/** Tells whether a text is a quantity. */
export function isQuantity(text: string): boolean {
  return parsed(text) !== undefined;
}

/** The nearest floating-point number of a quantity; undefined when the value is not a quantity. */
export function quantity(value: unknown): number | undefined {
  return typeof value === 'number' || typeof value === 'string' ? numberOf(String(value)) : undefined;
}

const numberOf = remembering((text): number | undefined => {
  const exact = parsed(text);
  return exact && approximate(exact);
});

/** The nearest floating-point number. */
export function approximate({ digits, exponent }: Quantity): number {
  return Number(`${digits}e${exponent}`);
}

/** Negative, zero or positive as a is less than, equal to or more than b. */
export function compareQuantities(a: Quantity, b: Quantity): number {
  const exponent = Math.min(a.exponent, b.exponent);
  const difference = scaled(a, exponent) - scaled(b, exponent);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** The sum, or with `sign` -1 the difference. */
export function addQuantities(a: Quantity, b: Quantity, sign: 1 | -1 = 1): Quantity {
  const exponent = Math.min(a.exponent, b.exponent);
  return { digits: scaled(a, exponent) + BigInt(sign) * scaled(b, exponent), exponent };
}

function scaled({ digits, exponent }: Quantity, to: number): bigint {
  return digits * 10n ** BigInt(exponent - to);
}

/** The quantity as a whole number, where it is one that fits 64 bits. */
export function integerOf(exact: Quantity): bigint | undefined {
  const whole = wholeOf(exact);
  if (whole === undefined || BigInt.asIntN(64, whole) !== whole) return undefined;
  return whole;
}

function wholeOf({ digits, exponent }: Quantity): bigint | undefined {
  if (exponent >= 0) return digits * 10n ** BigInt(exponent);
  const one = 10n ** BigInt(-exponent);
  return digits % one === 0n ? digits / one : undefined;
}

/** One, counted in billionths. */
export const unit = 1_000_000_000n;

/** The largest amount, by which the last range of a resource model ends: 2^63 - 1, in billionths. */
export const largestAmount = (2n ** 63n - 1n) * unit;

/**
 * A quantity in billionths, rounded up as Kubernetes does; undefined when it is not a quantity. Sums of amounts are
 * exact.
 */
export function amountOf(value: unknown): bigint | undefined {
  const exact = quantityOf(value);
  if (!exact) return undefined;
  const shift = exact.exponent + 9;
  if (shift >= 0) return exact.digits * 10n ** BigInt(shift);
  const divisor = 10n ** BigInt(-shift);
  const magnitude = exact.digits < 0n ? -exact.digits : exact.digits;
  const rounded = (magnitude + divisor - 1n) / divisor;
  return exact.digits < 0n ? -rounded : rounded;
}

/** A number of units of a resource as a quantity: CPU in milli, everything else whole. */
export function quantityText(resource: string, value: number): string {
  if (Number.isInteger(value)) return String(value);
  return resource === 'cpu' || resource.endsWith('.cpu')
    ? `${Math.ceil(Number((value * 1000).toFixed(6)))}m`
    : String(Math.ceil(value));
}

const powers = ['', 'k', 'M', 'G', 'T', 'P', 'E'];

/**
 * A sum as Kubernetes writes it: with the largest suffix that leaves a whole number, in powers of 1024 where the first
 * addend (`like`) is written so.
 */
export function sumText(sum: number, like: unknown): string {
  if (!Number.isInteger(sum)) return `${Math.ceil(Number((sum * 1000).toFixed(6)))}m`;
  if (sum === 0) return '0';
  const isBinary = typeof like === 'string' && like.endsWith('i');
  const base = isBinary ? 1024 : 1000;
  const power = powers.findLastIndex((_, index) => sum % base ** index === 0);
  const suffix = powers[power] ?? '';
  return `${sum / base ** power}${isBinary && power > 0 ? `${suffix.toUpperCase()}i` : suffix}`;
}
