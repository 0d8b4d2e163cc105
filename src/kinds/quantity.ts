import { integerOf, quantityOf } from '../api/index.ts';
import type { Quantity } from '../api/index.ts';
import { isObject, remembering } from '../base/index.ts';

const decimalSuffixes: readonly (readonly [string, number])[] = [
  ['E', 18],
  ['P', 15],
  ['T', 12],
  ['G', 9],
  ['M', 6],
  ['k', 3],
  ['', 0],
  ['m', -3],
  ['u', -6],
  ['n', -9],
];
const binarySuffixes = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];
const exponentForm = /[eE][+-]?\d+$/;

/**
 * A quantity as Kubernetes writes it: with the largest suffix that leaves a whole number, binary where it was binary.
 * `0.1` is `100m`, `1024Mi` is `1Gi`; a text that is not a quantity stays as it is.
 */
export function canonicalQuantity(value: unknown): unknown {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' ? canonicalText(text) : value;
}

const canonicalText = remembering((text) => {
  const quantity = exponentForm.test(text) ? undefined : quantityOf(text);
  if (!quantity) return text;
  return (text.endsWith('i') ? binaryText(quantity) : undefined) ?? decimalText(quantity) ?? text;
});

/** An exact quantity as Kubernetes writes it, in powers of 1024 where `like` is written so. */
export function quantityTextLike(quantity: Quantity, like: unknown): string {
  const isBinary = typeof like === 'string' && like.endsWith('i');
  return (isBinary ? binaryText(quantity) : undefined) ?? decimalText(quantity) ?? '0';
}

function decimalText({ digits, exponent }: Quantity): string | undefined {
  if (digits === 0n) return '0';
  for (const [suffix, power] of decimalSuffixes) {
    const places = exponent - power;
    if (places >= 0) return `${digits * 10n ** BigInt(places)}${suffix}`;
    const unit = 10n ** BigInt(-places);
    if (digits % unit === 0n) return `${digits / unit}${suffix}`;
  }
  return undefined;
}

/** Below 1024, and for fractions, a binary suffix says nothing. */
function binaryText(quantity: Quantity): string | undefined {
  let value = integerOf(quantity);
  if (value === undefined || (value < 1024n && value > -1024n)) return undefined;
  let step = 0;
  while (step < binarySuffixes.length - 1 && value % 1024n === 0n) {
    value /= 1024n;
    step++;
  }
  return `${value}${binarySuffixes[step] ?? ''}`;
}

/** Writes all quantities of a map in their canonical form. */
export function canonicalQuantities(map: unknown): void {
  if (!isObject(map)) return;
  for (const name of Object.keys(map)) map[name] = canonicalQuantity(map[name]);
}
