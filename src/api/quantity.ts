import { remembering } from '../base/index.ts';

const suffixes: Readonly<Record<string, number>> = {
  n: 1e-9,
  u: 1e-6,
  m: 1e-3,
  '': 1,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  E: 1e18,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
  Ei: 2 ** 60,
};
const form = /^([+-]?[0-9]+(?:\.[0-9]*)?|[+-]?\.[0-9]+)(?:([eE][+-]?[0-9]+)|([a-zA-Z]{0,2}))$/;

/** The number that a Kubernetes quantity (`500m`, `1Gi`, `2e3`) stands for; undefined when it is none. */
export function quantity(text: unknown): number | undefined {
  return numberOf(String(text));
}

const numberOf = remembering((text): number | undefined => {
  const parts = form.exec(text);
  if (!parts) return undefined;
  const [, digits, exponent, suffix = ''] = parts;
  if (exponent) return Number(`${digits}${exponent}`);
  const factor = suffixes[suffix];
  return factor === undefined ? undefined : Number(digits) * factor;
});

/** A number of units of a resource as a quantity: CPU in milli, everything else whole. */
export function quantityText(resource: string, value: number): string {
  if (Number.isInteger(value)) return String(value);
  return resource === 'cpu' || resource.endsWith('.cpu') ? `${Math.ceil(value * 1000)}m` : String(Math.ceil(value));
}
