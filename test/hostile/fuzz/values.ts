/**
 * Values for a schema: valid ones, values at the boundary, and values that no schema wants.
 * Start with `valueFor`; `wildness` is the probability that a place gets a value that its schema does not allow.
 */
import type { Definitions, Schema } from '../../../src/api/index.ts';
import type { Dice } from './dice.ts';

/** Where values are drawn from, and how wild they are. */
export interface Grammar {
  readonly dice: Dice;
  readonly definitions: Definitions;
  readonly wildness: number;
}

const deepest = 7;

/** Keys that objects of JavaScript have by themselves. */
export const inheritedKeys = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf'];

const oddTexts: readonly string[] = [
  '',
  ' ',
  '\u0000',
  'a\nb',
  '\r\nX-Injected: 1',
  '\u001b[31mred',
  '\u202egnp.exe',
  '日本語',
  'é',
  'e\u0301',
  '\ud800',
  '😀'.repeat(40),
  '../../etc/passwd',
  '%2e%2e%2f',
  'a/b',
  '/',
  '*',
  '-1',
  '1e400',
  'true',
  'null',
  '{{.}}',
  '${x}',
  '$(A)',
  '\\',
  '"',
  "'",
  'a'.repeat(63),
  'a'.repeat(64),
  'a'.repeat(253),
  'a'.repeat(254),
  'A.b_c',
  '-a-',
  '2026-13-45T99:99:99Z',
  '0001-01-01T00:00:00Z',
  '*/0 * * * *',
  '60 24 32 13 8',
  '(((((((((((((((((((((a)))))',
  '[',
  '100%',
  '-5%',
  '1Ei',
  '1e19',
  '0.0000000001',
  '::1',
  '999.1.1.1',
  'https://[::1',
  'http://127.0.0.1:1/',
  ...inheritedKeys,
];

const oddNumbers: readonly number[] = [
  0,
  -0,
  1,
  -1,
  0.5,
  1e-320,
  127,
  65_535,
  65_536,
  2 ** 31 - 1,
  2 ** 31,
  -(2 ** 31) - 1,
  2 ** 53,
  2 ** 63,
  -(2 ** 63),
  1e21,
  1.7e308,
];

/** Any text, among them every kind that a parser may trip over. */
export function oddText(dice: Dice): string {
  if (dice.chance(0.01)) return 'x'.repeat(dice.pick([1024, 4096, 65_536, 262_145]));
  return dice.pick(oddTexts);
}

/** A value that fits no schema in particular. */
export function oddValue(dice: Dice, depth = 0): unknown {
  switch (dice.below(depth > 4 ? 3 : 7)) {
    case 0:
      return dice.pick<unknown>([null, true, false, [], {}]);
    case 1:
      return dice.pick(oddNumbers);
    case 2:
      return oddText(dice);
    case 3:
      return Array.from({ length: dice.below(4) }, () => oddValue(dice, depth + 1));
    case 4:
      return dice.chance(0.5) ? nested(dice) : raw(dice.pick([...rawTokens, ...rawObjects]));
    default:
      return oddObject(dice, depth);
  }
}

function oddObject(dice: Dice, depth: number): Record<string, unknown> {
  const object: Record<string, unknown> = {};
  for (let count = dice.below(4); count > 0; count--) put(object, oddText(dice), oddValue(dice, depth + 1));
  return object;
}

/** Sets a key as JSON.parse does: `__proto__` becomes a key like any other. */
export function put(object: Record<string, unknown>, key: string, value: unknown): void {
  Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
}

/** Arrays or objects in one another; now and then more levels than a stack has frames. */
function nested(dice: Dice): string {
  const levels = dice.chance(0.02) ? dice.pick([1000, 3000, 9999, 12_000]) : dice.below(40);
  const [open, close] = dice.pick([
    ['[', ']'],
    ['{"a":', '}'],
  ]) as [string, string];
  return raw(`${open.repeat(levels)}1${close.repeat(levels)}`);
}

const rawTokens = ['-0', '1e400', '-1e400', '1E+2', '9223372036854775808', '18446744073709551616', '0.1e-400', '1.0'];
const rawObjects = ['{"a":1,"a":2}', '{"":{"":{}}}', '"\\ud800"', '"\\u0000"', '[[],{},[{}]]'];

/** A piece of JSON that JSON.stringify cannot write; `jsonText` puts it in place. */
function raw(text: string): string {
  return `@@raw:${text}@@`;
}

/** The JSON text of a value, with raw pieces as they are. */
export function jsonText(value: unknown): string {
  const text = JSON.stringify(value) ?? 'null';
  if (!text.includes('@@raw:')) return text;
  return text.replaceAll(/"@@raw:((?:[^"\\]|\\.)*)@@"/g, (_, piece: string) => JSON.parse(`"${piece}"`) as string);
}

/** A value for a schema. */
export function valueFor(schema: Schema | undefined, grammar: Grammar, depth = 0): unknown {
  const { dice, wildness, definitions } = grammar;
  if (!schema || dice.chance(wildness)) return oddValue(dice);
  if (schema.$ref) return valueFor(definitions[schema.$ref], grammar, depth + 1);
  if (schema.enum && dice.chance(0.9)) return dice.pick(schema.enum);
  if (schema.default !== undefined && dice.chance(0.2)) return schema.default;
  if (schema['x-kubernetes-int-or-string']) return dice.pick<unknown>([0, 1, 80, '50%', 'http', -1]);
  return typedValue(schema, grammar, depth);
}

function typedValue(schema: Schema, grammar: Grammar, depth: number): unknown {
  const { dice } = grammar;
  switch (schema.type) {
    case 'object':
      return objectFor(schema, grammar, depth);
    case 'array':
      return arrayFor(schema, grammar, depth);
    case 'string':
      return textFor(schema, dice);
    case 'integer':
    case 'number':
      return numberFor(schema, dice);
    case 'boolean':
      return dice.chance(0.5);
    case undefined:
      return schema.properties ? objectFor(schema, grammar, depth) : oddValue(dice);
    default:
      throw schema.type satisfies never;
  }
}

function objectFor(schema: Schema, grammar: Grammar, depth: number): Record<string, unknown> {
  const { dice, wildness } = grammar;
  const object: Record<string, unknown> = {};
  const required = new Set(schema.required ?? []);
  const share = depth > deepest ? 0 : 0.9 / (depth + 1.5);
  for (const [key, part] of Object.entries(schema.properties ?? {})) {
    const isWanted = required.has(key) ? !dice.chance(wildness) : dice.chance(share);
    if (isWanted) put(object, key, valueFor(part, grammar, depth + 1));
  }
  addUnknown(object, schema, grammar, depth);
  return object;
}

function addUnknown(object: Record<string, unknown>, schema: Schema, grammar: Grammar, depth: number): void {
  const { dice, wildness } = grammar;
  const { additionalProperties: more } = schema;
  if (typeof more === 'object')
    for (let count = dice.below(3); count > 0; count--)
      put(object, dice.pick(['a', 'app', 'example.com/x', oddText(dice)]), valueFor(more, grammar, depth + 1));
  if (dice.chance(wildness)) put(object, oddText(dice), oddValue(dice));
  if (dice.chance(wildness)) put(object, dice.pick(inheritedKeys), oddValue(dice));
}

function arrayFor(schema: Schema, grammar: Grammar, depth: number): unknown[] {
  const { dice } = grammar;
  const count = depth > deepest ? (schema.minItems ?? 0) : dice.pick([0, 1, 1, 1, 2, 3]);
  return Array.from({ length: count }, () => valueFor(schema.items, grammar, depth + 1));
}

const goodTexts = ['a', 'b', 'web', 'nginx', 'member1', 'apps/v1', 'v1', 'Deployment', 'ConfigMap', 'Secret', 'red'];

function textFor(schema: Schema, dice: Dice): string {
  if (schema.format === 'date-time') return dice.pick(['2026-01-01T00:00:00Z', '2099-12-31T23:59:59.999999Z']);
  if (schema.format === 'byte') return dice.pick(['', 'YQ==', '!!', 'YQ']);
  if (schema.maxLength !== undefined && dice.chance(0.1)) return 'm'.repeat(schema.maxLength + dice.below(2));
  return dice.chance(0.8) ? dice.pick(goodTexts) : oddText(dice);
}

function numberFor(schema: Schema, dice: Dice): number {
  const bounds = [schema.minimum, schema.maximum].filter((bound) => bound !== undefined);
  if (bounds.length > 0 && dice.chance(0.4)) return dice.pick(bounds) + dice.pick([-1, 0, 1]);
  return dice.chance(0.7) ? dice.below(10) : dice.pick(oddNumbers);
}
