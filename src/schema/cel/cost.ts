import type { ASTNode } from '@marcbachmann/cel-js';
import type { Schema } from '../../api/index.ts';
import { lookup, ownMember } from '../../base/index.ts';
import { itemsIn, sizeOf } from './cardinality.ts';
import { safeMatches } from './library/strings.ts';

/** The most that a part of an expression can cost, in the units of kube-apiserver, and what it results in. */
interface Estimate {
  readonly cost: number;
  /** Characters, items or entries of the result; 1 for a scalar, and for what nothing is known of. */
  readonly size: number;
  /** The schema of the result, where it is a part of the object. */
  readonly schema?: Schema | undefined;
}

type Scope = ReadonlyMap<string, Estimate>;

interface Inner {
  readonly op: string;
  readonly args: unknown;
}

const perCharacter = 0.1;
const perRegexCharacter = 0.25;
const listCost = 10;
const mapCost = 30;
const nothing: Estimate = { cost: 0, size: 1 };

/** The most that a rule on values of this schema can cost each time it is asked. */
export function costOf(ast: ASTNode, schema: Schema): number {
  const self: Estimate = { cost: 1, size: sizeOf(schema), schema };
  const scope: Scope = new Map([
    ['self', self],
    ['oldSelf', self],
  ]);
  return estimate(ast, scope).cost;
}

function estimate(node: Inner, scope: Scope): Estimate {
  const { op, args } = node;
  switch (op) {
    case 'value':
      return { cost: 0, size: typeof args === 'string' ? Math.max(1, args.length) : 1 };
    case 'id':
      return scope.get(args as string) ?? { cost: 1, size: 1 };
    case 'rcall':
      return memberCall(args as readonly [string, Inner, readonly Inner[]], scope);
    case 'call':
      return call(args as readonly [string, readonly Inner[]], scope);
    case 'list':
      return listOf(args as readonly Inner[], scope);
    case 'map':
      return { ...listOf((args as readonly (readonly Inner[])[]).flat(), scope), ...sized(args) };
    default:
      return operation(op, args as readonly unknown[], scope);
  }
}

function sized(entries: unknown): { readonly size: number } {
  return { size: (entries as readonly unknown[]).length };
}

function listOf(items: readonly Inner[], scope: Scope): Estimate {
  const cost = items.reduce((sum, item) => sum + estimate(item, scope).cost, listCost);
  return { cost, size: items.length };
}

function isNode(value: unknown): value is Inner {
  return typeof value === 'object' && value !== null && 'op' in value && 'args' in value;
}

function operation(op: string, args: readonly unknown[], scope: Scope): Estimate {
  if (op === '.' || op === '.?') return selected(args as readonly [Inner, string], scope);
  const parts = (Array.isArray(args) ? args : [args]).filter(isNode).map((one) => estimate(one, scope));
  const sum = parts.reduce((total, one) => total + one.cost, 0);
  return (operators[op] ?? compared)(parts, sum);
}

type Operator = (parts: readonly Estimate[], sum: number) => Estimate;

/** Comparisons go through the shorter of two values. */
const compared: Operator = ([a = nothing, b = nothing], sum) => ({
  cost: sum + Math.max(1, Math.ceil(Math.min(a.size, b.size) * perCharacter)),
  size: 1,
});

const logical: Operator = (_, sum) => ({ cost: sum, size: 1 });
const indexed: Operator = ([a], sum) => ({ ...partOf(itemsIn(a?.schema)), cost: sum + 1 });

const operators: Readonly<Record<string, Operator>> = lookup<Operator>({
  '&&': logical,
  '||': logical,
  '[]': indexed,
  '[?]': indexed,
  '?:': ([a = nothing, b = nothing, c = nothing]) => ({
    ...(b.size > c.size ? b : c),
    cost: a.cost + Math.max(b.cost, c.cost),
  }),
  in: ([, b = nothing], sum) => ({ cost: sum + b.size, size: 1 }),
  '+': ([a = nothing, b = nothing], sum) => ({
    cost: sum + Math.ceil((a.size + b.size) * perCharacter),
    size: a.size + b.size,
  }),
});

function selected([operand, name]: readonly [Inner, string], scope: Scope): Estimate {
  const whole = estimate(operand, scope);
  const schema = ownMember(whole.schema?.properties, name) ?? itemsIn(whole.schema);
  return { ...partOf(schema), cost: whole.cost + 1 };
}

function partOf(schema: Schema | undefined): Estimate {
  return schema ? { cost: 1, size: sizeOf(schema), schema } : { cost: 1, size: 1 };
}

function call([name, args]: readonly [string, readonly Inner[]], scope: Scope): Estimate {
  // A presence test costs what leads to its last step.
  if (name === 'has' && args[0]?.op === '.') return estimate((args[0].args as readonly Inner[])[0] as Inner, scope);
  const parts = args.map((one) => estimate(one, scope));
  const sum = parts.reduce((total, one) => total + one.cost, 0);
  const [first = nothing] = parts;
  if (name === 'dyn' || name === 'string') return { ...first, cost: sum + 1 };
  return { cost: sum + (reading.has(name) ? Math.ceil(first.size * perCharacter) : 1), size: 1 };
}

/** Functions that go through the text that they are given. */
const reading: ReadonlySet<string> = new Set([
  'url',
  'isURL',
  'ip',
  'cidr',
  'isIP',
  'isCIDR',
  'quantity',
  'isQuantity',
  'semver',
  'isSemver',
]);

/** The cost of each turn of a macro beside its body. */
const turns: Readonly<Record<string, number>> = lookup({
  all: 3,
  exists: 4,
  exists_one: 3,
  existsOne: 3,
  filter: 13,
  map: 12,
  transformList: 12,
  transformMap: mapCost + 2,
});

function memberCall([name, receiver, args]: readonly [string, Inner, readonly Inner[]], scope: Scope): Estimate {
  const target = estimate(receiver, scope);
  const turn = turns[name];
  if (turn !== undefined) return loop({ target, args, turn, keeps: name === 'filter' }, scope);
  const parts = args.map((one) => estimate(one, scope));
  const sum = target.cost + parts.reduce((total, one) => total + one.cost, 0);
  const [first = nothing] = parts;
  return { cost: sum + (memberCosts[name]?.(target, first) ?? 1), size: resultSizes.has(name) ? target.size : 1 };
}

const resultSizes: ReadonlySet<string> = new Set([
  'lowerAscii',
  'upperAscii',
  'substring',
  'trim',
  'replace',
  'split',
  'findAll',
  'join',
]);

type MemberCost = (target: Estimate, argument: Estimate) => number;

const textCost: MemberCost = ({ size }) => Math.ceil(size * perCharacter);
const twice: MemberCost = ({ size }) => 2 * Math.ceil(size * perCharacter);
const argumentCost: MemberCost = (_, { size }) => Math.ceil(size * perCharacter);
const matching: MemberCost = (target, argument) =>
  Math.ceil((target.size + 1) * perCharacter) * Math.ceil(argument.size * perRegexCharacter);
const listing: MemberCost = (target) => target.size * elementCost(target.schema);

/** The cost of functions on a value, as kube-apiserver counts it; of all others it is 1. */
const memberCosts: Readonly<Record<string, MemberCost>> = lookup<MemberCost>({
  matches: matching,
  [safeMatches]: matching,
  find: matching,
  findAll: matching,
  contains: (target, argument) => textCost(target, argument) * argumentCost(target, argument),
  startsWith: argumentCost,
  endsWith: argumentCost,
  lowerAscii: textCost,
  upperAscii: textCost,
  substring: textCost,
  trim: textCost,
  replace: twice,
  split: twice,
  isSorted: listing,
  sum: listing,
  max: listing,
  min: listing,
  indexOf: listing,
  lastIndexOf: listing,
});

function elementCost(list: Schema | undefined): number {
  const items = itemsIn(list);
  return items?.type === 'string' ? 1 + Math.ceil(sizeOf(items) * perCharacter) : 1;
}

interface Loop {
  readonly target: Estimate;
  readonly args: readonly Inner[];
  readonly turn: number;
  /** The result has the items of the list itself. */
  readonly keeps: boolean;
}

function loop({ target, args, turn, keeps }: Loop, scope: Scope): Estimate {
  const isMap = target.schema?.type === 'object';
  const item: Estimate = isMap ? { cost: 1, size: sizeOf({ type: 'string' }) } : partOf(itemsIn(target.schema));
  const inside = new Map(scope);
  const names = args.filter(({ op }, i) => op === 'id' && i < args.length - 1);
  for (const name of names) inside.set(name.args as string, item);
  const body = args.slice(names.length).reduce((sum, one) => sum + estimate(one, inside).cost, 0);
  const cost = target.cost + listCost + target.size * (turn + body);
  return keeps ? { ...target, cost } : { cost, size: target.size };
}
