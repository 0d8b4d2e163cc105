/**
 * Bodies of writes: whole objects, the four kinds of patch, options of a deletion, and what is no JSON at all.
 * An object starts from a valid sample and is changed in a few places, or is drawn from the schema alone.
 */
import { apiVersionOf } from '../../../src/api/index.ts';
import type { KindInfo, Schema } from '../../../src/api/index.ts';
import { clone, isObject } from '../../../src/base/index.ts';
import { catalog } from './kinds.ts';
import { samples } from './samples.ts';
import type { Dice } from './dice.ts';
import { inheritedKeys, oddText, oddValue, put, valueFor } from './values.ts';
import type { Grammar } from './values.ts';

/** Stands for the resourceVersion or the uid that the object has when the request is sent. */
export const liveVersion = '@@resourceVersion@@';
export const liveUid = '@@uid@@';

/** Where a body is sent to. */
export interface Place {
  readonly kind: KindInfo;
  readonly namespace: string;
  readonly name: string;
}

type Map = Record<string, unknown>;

const grammarOf = (dice: Dice, wildness: number): Grammar => ({ dice, definitions: catalog.definitions, wildness });

/** A whole object of a kind. */
export function objectFor(dice: Dice, place: Place): unknown {
  const { kind } = place;
  const sample = samples[`${kind.group}/${kind.plural}`];
  const start: Map =
    sample && dice.chance(0.75)
      ? (clone(sample) as Map)
      : (valueFor(kind.schema, grammarOf(dice, dice.pick([0, 0, 0.01, 0.05, 0.3]))) as Map);
  if (!isObject(start)) return start;
  const object: Map = { ...start, apiVersion: apiVersionOf(kind), kind: kind.kind, metadata: metadataFor(dice, place) };
  for (let count = dice.pick([0, 0, 1, 1, 2, 4]); count > 0; count--) mutate(dice, object, kind.schema);
  return object;
}

function metadataFor(dice: Dice, { kind, name, namespace }: Place): Map {
  const metadata: Map = { name, labels: { fuzz: dice.pick(['a', 'b']) } };
  const maybe = (probability: number, key: string, value: () => unknown): void => {
    if (dice.chance(probability)) put(metadata, key, value());
  };
  if (kind.namespaced) maybe(0.7, 'namespace', () => namespace);
  maybe(0.04, 'generateName', () => dice.pick(['g-', oddText(dice)]));
  maybe(0.1, 'annotations', () => ({ [oddText(dice)]: oddText(dice), a: 'b' }));
  maybe(0.05, 'finalizers', () => dice.pick<unknown>([['example.com/f'], ['foregroundDeletion'], ['x', null]]));
  maybe(0.05, 'ownerReferences', () => [ownerFor(dice)]);
  maybe(0.5, 'resourceVersion', () => (dice.chance(0.9) ? liveVersion : oddValue(dice)));
  maybe(0.03, 'uid', () => dice.pick<unknown>([liveUid, oddValue(dice)]));
  maybe(0.03, 'managedFields', () => oddValue(dice));
  maybe(0.03, dice.pick([...Object.keys(metadata), ...inheritedKeys]), () => oddValue(dice));
  return metadata;
}

const ownerFor = (dice: Dice): Map => ({
  apiVersion: dice.pick(['v1', 'apps/v1', oddText(dice)]),
  kind: dice.pick(['ConfigMap', 'Deployment', 'Namespace', oddText(dice)]),
  name: dice.pick(['a', 'b']),
  uid: dice.pick(['0', liveUid, oddText(dice)]),
  blockOwnerDeletion: dice.chance(0.5),
});

/** Changes one place of a value, chosen by chance, as its schema says or as no schema does. */
function mutate(dice: Dice, value: unknown, schema: Schema | undefined): void {
  const known = resolved(schema);
  if (Array.isArray(value)) return mutateArray(dice, value, known?.items);
  if (isObject(value)) mutateObject(dice, value, known);
}

function mutateObject(dice: Dice, value: Map, known: Schema | undefined): void {
  const keys = Object.keys(value).filter((key) => !identity.has(key) || dice.chance(0.05));
  if (dice.chance(0.15) || keys.length === 0) {
    const key = dice.pick([...Object.keys(known?.properties ?? {}), ...inheritedKeys.slice(0, 2), oddText(dice)]);
    return put(value, key, valueFor(partOf(known, key), grammarOf(dice, 0.1)));
  }
  const key = dice.pick(keys);
  const part = partOf(known, key);
  if (isContainer(value[key]) && dice.chance(0.75)) return mutate(dice, value[key], part);
  if (dice.chance(0.2)) delete value[key];
  else put(value, key, valueFor(part, grammarOf(dice, 0.3)));
}

const isContainer = (value: unknown): boolean => typeof value === 'object' && value !== null;

function mutateArray(dice: Dice, value: unknown[], items: Schema | undefined): void {
  const at = dice.below(value.length + 1);
  const child: unknown = value[at];
  if (at === value.length) value.push(valueFor(items, grammarOf(dice, 0.1)));
  else if (typeof child === 'object' && child !== null && dice.chance(0.75)) mutate(dice, child, items);
  else value[at] = dice.chance(0.2) ? null : valueFor(items, grammarOf(dice, 0.3));
}

/** Changed rarely: an object without them is refused before anybody looks at the rest. */
const identity: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

const resolved = (schema: Schema | undefined): Schema | undefined =>
  schema?.$ref ? catalog.definitions[schema.$ref] : schema;

function partOf(schema: Schema | undefined, key: string): Schema | undefined {
  const known = resolved(schema);
  if (known?.properties && Object.hasOwn(known.properties, key)) return known.properties[key];
  return typeof known?.additionalProperties === 'object' ? known.additionalProperties : undefined;
}

/** A part of an object, as merge patches have it. */
export function mergePatchFor(dice: Dice, place: Place): unknown {
  if (dice.chance(0.05)) return oddValue(dice);
  const whole = objectFor(dice, place);
  if (!isObject(whole)) return whole;
  const patch: Map = {};
  for (const key of Object.keys(whole)) if (dice.chance(0.5)) put(patch, key, dice.chance(0.05) ? null : whole[key]);
  return patch;
}

/** A merge patch with directives of the strategic kind anywhere in it. */
export function strategicPatchFor(dice: Dice, place: Place): unknown {
  const patch = mergePatchFor(dice, place);
  for (let count = dice.below(3); count > 0; count--) direct(dice, patch);
  return patch;
}

function direct(dice: Dice, value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  const children = Object.values(value).filter((child) => typeof child === 'object' && child !== null);
  if (children.length > 0 && dice.chance(0.7)) return direct(dice, dice.pick(children));
  if (Array.isArray(value)) {
    value.push({ $patch: dice.pick(['delete', 'replace', oddText(dice)]), name: 'main' });
    return;
  }
  const field = dice.pick([...Object.keys(value), 'containers', 'finalizers']);
  const directives: readonly (readonly [string, unknown])[] = [
    ['$patch', dice.pick<unknown>(['delete', 'replace', 'merge', oddValue(dice)])],
    ['$retainKeys', dice.pick<unknown>([[field], oddValue(dice)])],
    [`$setElementOrder/${field}`, dice.pick<unknown>([[{ name: 'main' }], ['a'], oddValue(dice)])],
    [`$deleteFromPrimitiveList/${field}`, dice.pick<unknown>([['example.com/f'], oddValue(dice)])],
  ];
  put(value as Map, ...dice.pick(directives));
}

const pointers = [
  '',
  '/',
  '/-',
  '/spec',
  '/data',
  '/metadata',
  '/metadata/name',
  '/metadata/labels',
  '/metadata/labels/fuzz',
  '/metadata/finalizers/-',
  '/metadata/managedFields',
  '/spec/replicas',
  '/spec/template/spec/containers/0',
  '/spec/template/spec/containers/-1',
  '/spec/template/spec/containers/01',
  '/spec/template/spec/containers/1e3',
  '/spec/template/spec/containers/99999999',
  '/spec/resourceSelectors/0/name',
  '/spec/placement/clusterAffinity',
  '/spec/workload/manifests/0',
  '/spec/workload',
  '/spec/clusters',
  '/status',
  '/a~2b',
  '/a~0~1',
  'spec',
  '/__proto__/polluted',
  '/constructor/prototype/polluted',
  '/spec/__proto__',
];

/** A JSON patch: a list of operations, or something that is none. */
export function jsonPatchFor(dice: Dice, { kind }: Place): unknown {
  if (dice.chance(0.05)) return oddValue(dice);
  const grammar = grammarOf(dice, 0.2);
  return Array.from({ length: dice.pick([0, 1, 1, 2, 3, 12]) }, () => {
    const path = dice.chance(0.9) ? dice.pick(pointers) : oddText(dice);
    const value = dice.chance(0.6) ? valueFor(kind.schema.properties?.['spec'], grammar, 2) : oddValue(dice);
    const op = dice.pick<unknown>(['add', 'remove', 'replace', 'move', 'copy', 'test', 'add', oddValue(dice)]);
    return dice.chance(0.03) ? oddValue(dice) : { op, path, from: dice.pick(pointers), value };
  });
}

/** Options of a deletion. */
export function deleteOptionsFor(dice: Dice): unknown {
  const one = (good: readonly unknown[]): unknown => (dice.chance(0.8) ? dice.pick(good) : oddValue(dice));
  const options: Map = { kind: 'DeleteOptions', apiVersion: dice.pick(['v1', 'meta.k8s.io/v1', 'apps/v1']) };
  if (dice.chance(0.4)) options['propagationPolicy'] = one(['Foreground', 'Background', 'Orphan']);
  if (dice.chance(0.3)) options['gracePeriodSeconds'] = one([0, 1, -1, 30]);
  if (dice.chance(0.1)) options['orphanDependents'] = one([true, false]);
  if (dice.chance(0.2))
    options['preconditions'] = one([{ uid: liveUid }, { resourceVersion: liveVersion }, { uid: 'x' }]);
  if (dice.chance(0.1)) options['dryRun'] = one([['All'], ['None'], []]);
  if (dice.chance(0.05)) put(options, oddText(dice), oddValue(dice));
  return options;
}

/** Text that is almost what it should be: cut, doubled, or with one byte changed. */
export function broken(dice: Dice, text: string): string {
  const at = dice.below(text.length + 1);
  switch (dice.below(5)) {
    case 0:
      return text.slice(0, at);
    case 1:
      return text + text;
    case 2:
      return `\ufeff${text}`;
    case 3:
      return text.slice(0, at) + dice.pick(['\u0000', '}', '"', ',', '\\', '\ud800', 'NaN']) + text.slice(at + 1);
    default:
      return dice.pick([
        '',
        'null',
        '[]',
        '""',
        '0',
        'x',
        '{',
        '&a [*a]',
        'a: &x [1,2]\nb: *x',
        '!!js/function x',
        '--- {}\n--- {}',
      ]);
  }
}
