import { remembering } from '../../base/index.ts';

const form = /^([+-]?)(\d+\.?\d*|\.\d+)(?:([KMGTPE]i)|([numkMGTPE])|[eE]([+-]?\d+))?$/;
const decimal: Readonly<Record<string, number>> = { n: -9, u: -6, m: -3, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 };
const binary = ['Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];

/** Is this an amount as Kubernetes writes them: 100m, 1.5Gi, 1e3? */
export const isQuantity = remembering((text) => form.test(text));

/** An exact amount: `digits` × 10^`exponent`. */
export interface Quantity {
  readonly digits: bigint;
  readonly exponent: number;
}

/** Reads an amount; undefined when it is none. */
export function quantityOf(text: string): Quantity | undefined {
  const match = form.exec(text);
  if (!match) return undefined;
  const [, sign, number = '0', binarySuffix, decimalSuffix, power] = match;
  const [, fraction = ''] = number.split('.');
  const magnitude = BigInt(number.replace('.', '')) * (sign === '-' ? -1n : 1n);
  const factor = binarySuffix ? 1024n ** BigInt(binary.indexOf(binarySuffix) + 1) : 1n;
  const shift = Number(power ?? decimal[decimalSuffix ?? ''] ?? 0);
  return { digits: magnitude * factor, exponent: shift - fraction.length };
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

/** The amount as a whole number, where it is one that fits 64 bits. */
export function integerOf(quantity: Quantity): bigint | undefined {
  const whole = wholeOf(quantity);
  if (whole === undefined || BigInt.asIntN(64, whole) !== whole) return undefined;
  return whole;
}

/** The nearest floating-point number. */
export function approximate({ digits, exponent }: Quantity): number {
  return Number(`${digits}e${exponent}`);
}

function wholeOf({ digits, exponent }: Quantity): bigint | undefined {
  if (exponent >= 0) return digits * 10n ** BigInt(exponent);
  const unit = 10n ** BigInt(-exponent);
  return digits % unit === 0n ? digits / unit : undefined;
}

function scaled({ digits, exponent }: Quantity, to: number): bigint {
  return digits * 10n ** BigInt(exponent - to);
}
