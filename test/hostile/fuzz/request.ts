/**
 * One request of the fuzzer, made of nothing but its seed: the same seed is the same request, on any hub.
 * Start with `requestOf`.
 */
import type { KindInfo } from '../../../src/api/index.ts';
import { broken, deleteOptionsFor, jsonPatchFor, mergePatchFor, objectFor, strategicPatchFor } from './bodies.ts';
import type { Place } from './bodies.ts';
import { Dice } from './dice.ts';
import { catalog } from './kinds.ts';
import { inheritedKeys, jsonText, oddText, oddValue } from './values.ts';

/** A request before it is sent; `body` may hold placeholders for what the object says when it is sent. */
export interface FuzzRequest {
  readonly seed: number;
  /** `create policy.karmada.io/propagationpolicies`, for the count of what was tried. */
  readonly label: string;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer;
  /** The object that placeholders are read from. */
  readonly object?: string;
}

/** The namespaces that hold the fuzzer's objects. */
export const namespaces = ['red', 'blue', 'karmada-es-member1'];
const names = ['a', 'b', 'web'];

/** Kinds by how much they interest us: ours three times as often as the others. */
const kinds: readonly KindInfo[] = catalog.kinds.flatMap((kind) =>
  kind.group.endsWith('karmada.io')
    ? [kind, kind, kind]
    : kind.verbs.includes('list') || kind.plural.includes('token')
      ? [kind]
      : [],
);

type Maker = (dice: Dice, place: Place) => Omit<FuzzRequest, 'seed' | 'label'>;

/** The request of a seed. */
export function requestOf(seed: number): FuzzRequest {
  const dice = new Dice(seed);
  const place = placeFor(dice);
  const verb = dice.pick(verbs);
  return { seed, label: `${verb} ${place.kind.group}/${place.kind.plural}`, ...makers[verb](dice, place) };
}

function placeFor(dice: Dice): Place {
  const kind = dice.pick(kinds);
  return { kind, namespace: dice.pick(namespaces), name: nameFor(dice, kind) };
}

/** Namespaces and definitions that the run needs are out of reach: they have names of their own. */
function nameFor(dice: Dice, { plural }: KindInfo): string {
  if (dice.chance(0.03)) return oddText(dice);
  if (plural === 'namespaces') return dice.pick(['fuzz-1', 'fuzz-2', 'fuzz-3']);
  if (plural === 'customresourcedefinitions') return dice.pick(['things.fuzz.example.com', 'x.fuzz.example.com']);
  return dice.pick(names);
}

const collectionOf = ({ kind, namespace }: Place): string => {
  const root = kind.group ? `/apis/${kind.group}/${kind.version}` : `/api/${kind.version}`;
  return kind.namespaced ? `${root}/namespaces/${namespace}/${kind.plural}` : `${root}/${kind.plural}`;
};

/** Names are cut before they exceed the size of headers that HTTP allows: that limit has a test of its own. */
const objectPathOf = (place: Place): string =>
  `${collectionOf(place)}/${encodeURIComponent(wellFormed(place.name).slice(0, 1000))}`;
const wellFormed = (text: string): string => text.toWellFormed();

const accepts = [
  'application/json',
  'application/json;as=Table;v=v1;g=meta.k8s.io,application/json',
  'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io',
  'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io',
  'application/yaml',
  'application/vnd.kubernetes.protobuf',
  'application/vnd.kubernetes.protobuf;type=x',
  '*/*',
  'text/html',
  'application/json;as=Nothing;v=v9;g=x',
  ';;;,,,=',
  'application/json;q=2;q=-1',
  `${'a/b,'.repeat(300)}*/*`,
];

function headersFor(dice: Dice, contentType?: string): Record<string, string> {
  const headers: Record<string, string> = { accept: dice.chance(0.92) ? 'application/json' : dice.pick(accepts) };
  if (contentType) headers['content-type'] = contentType;
  if (dice.chance(0.02))
    headers['content-type'] = dice.pick([
      '',
      'text/plain',
      'application/cbor',
      'a',
      ';',
      'application/json; charset=x',
    ]);
  if (dice.chance(0.01))
    headers['impersonate-user'] = dice.pick(['nobody', 'system:admin', 'system:serviceaccount:red:default']);
  if (dice.chance(0.01)) headers['impersonate-extra-%zz__proto__'] = 'x';
  return headers;
}

const parameters = [
  'watch',
  'limit',
  'continue',
  'labelSelector',
  'fieldSelector',
  'resourceVersion',
  'resourceVersionMatch',
  'timeoutSeconds',
  'allowWatchBookmarks',
  'sendInitialEvents',
  'includeObject',
  'dryRun',
  'fieldManager',
  'fieldValidation',
  'force',
  'propagationPolicy',
  'orphanDependents',
  'gracePeriodSeconds',
  'pretty',
  ...inheritedKeys,
];

const goodValues = new Map(
  Object.entries({
    labelSelector: ['fuzz=a', 'fuzz in (a,b)', '!fuzz', 'fuzz!=a,app', 'a=b=c', 'x in ()', 'fuzz notin (', ',,,'],
    fieldSelector: [
      'metadata.name=a',
      'metadata.namespace!=red',
      'spec.name=x',
      'status.phase=Running',
      '=',
      'a\\,b=c',
    ],
    fieldValidation: ['Strict', 'Warn', 'Ignore'],
    resourceVersion: ['0', '1', '999999999', '-1'],
    resourceVersionMatch: ['Exact', 'NotOlderThan'],
    dryRun: ['All'],
    continue: ['eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6MSwic3RhcnQiOiJhIn0', 'e30', 'bnVsbA', '!'],
  }),
);

function queryFor(dice: Dice, always: readonly (readonly [string, string])[] = []): string {
  const pairs = always.map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  for (let count = dice.pick([0, 0, 0, 0, 0, 0, 0, 1, 1, 2]); count > 0; count--) {
    const name = dice.pick(parameters.slice(1));
    const good = goodValues.get(name) ?? ['true', 'false', '1', '0', '-1', '5'];
    const value = dice.chance(0.85) ? dice.pick(good) : oddText(dice);
    pairs.push(`${name}=${dice.chance(0.98) ? encodeURIComponent(wellFormed(value)).slice(0, 2000) : '%zz'}`);
  }
  return pairs.join('&');
}

const protobuf = 'application/vnd.kubernetes.protobuf';

/** A body with its headers: JSON, the same as YAML, text with a fault, or bytes that claim to be protobuf. */
function bodyOf(dice: Dice, value: unknown, contentType = 'application/json'): Pick<FuzzRequest, 'headers' | 'body'> {
  if (dice.chance(0.01)) {
    const bytes = Buffer.from(Array.from({ length: dice.below(60) }, () => dice.below(256)));
    return { headers: headersFor(dice, protobuf), body: Buffer.concat([Buffer.from('k8s\0'), bytes]) };
  }
  const text = jsonText(value);
  const type = contentType === 'application/json' && dice.chance(0.1) ? 'application/yaml' : contentType;
  return { headers: headersFor(dice, type), body: Buffer.from(dice.chance(0.04) ? broken(dice, text) : text) };
}

const patchTypes = [
  ['application/json-patch+json', jsonPatchFor],
  ['application/merge-patch+json', mergePatchFor],
  ['application/strategic-merge-patch+json', strategicPatchFor],
  ['application/apply-patch+yaml', objectFor],
] as const;

const patchOf: Maker = (dice, place) => {
  // Kinds of definitions have no strategic patches: that answer needs no more than a few tries.
  const known =
    place.kind.custom && dice.chance(0.9) ? patchTypes.filter(([type]) => !type.includes('strategic')) : patchTypes;
  const [type, body] = dice.pick(known);
  const isApply = type === 'application/apply-patch+yaml';
  const always: [string, string][] = isApply ? [['fieldManager', dice.pick(['m1', 'm2'])]] : [];
  if (isApply && dice.chance(0.6)) always.push(['force', 'true']);
  const object = objectPathOf(place);
  return {
    method: 'PATCH',
    path: object,
    query: queryFor(dice, always),
    object,
    ...bodyOf(dice, body(dice, place), type),
  };
};

const putOf: Maker = (dice, place) => {
  const object = objectPathOf(place);
  return { method: 'PUT', path: object, query: queryFor(dice), object, ...bodyOf(dice, objectFor(dice, place)) };
};

/** The same write, on a part of the object. */
const subresourceOf: Maker = (dice, place) => {
  const { kind } = place;
  const write = dice.pick([patchOf, putOf, getOf])(dice, place);
  const own = [...(kind.status ? ['status'] : []), ...(kind.scale ? ['scale'] : []), ...kind.subresources];
  if (own.length === 0 && dice.chance(0.9)) return write;
  const part = own.length > 0 && dice.chance(0.95) ? dice.pick(own) : dice.pick(['status', 'scale', 'x', '__proto__']);
  const method = dice.chance(0.15) ? dice.pick(['POST', 'DELETE', 'PUT']) : write.method;
  const path = `${write.path}/${part}`;
  if (part !== 'scale' || write.method !== 'PUT') return { ...write, method, path };
  const metadata = { name: place.name, namespace: place.namespace };
  const scale = { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata, spec: { replicas: oddValue(dice) } };
  return { ...write, method, path, ...bodyOf(dice, scale) };
};

const getOf: Maker = (dice, place) => ({
  method: dice.chance(0.95) ? 'GET' : 'HEAD',
  path: objectPathOf(place),
  query: queryFor(dice),
  headers: headersFor(dice),
});

const listOf: Maker = (dice, place) => ({
  method: 'GET',
  path: dice.chance(0.8) ? collectionOf(place) : collectionOf(place).replace(/namespaces\/[^/]+\//, ''),
  query: queryFor(dice),
  headers: headersFor(dice),
});

/** Deleting all of a kind spares the objects that the run needs: only what carries the fuzzer's label goes. */
const clearOf: Maker = (dice, place) => ({
  method: 'DELETE',
  path: collectionOf(place),
  query: queryFor(dice, [['labelSelector', dice.pick(['fuzz=a', 'fuzz=b', 'fuzz in (a,b)'])]]),
  ...(dice.chance(0.5) ? bodyOf(dice, deleteOptionsFor(dice)) : { headers: headersFor(dice) }),
});

const oddPaths = [
  '/__proto__',
  '/constructor',
  '/toString',
  '/api/__proto__',
  '/api/v1/__proto__',
  '/api/v1/constructor/a',
  '/apis/__proto__',
  '/apis/__proto__/v1/x',
  '/apis/apps/__proto__/x',
  '/apis/constructor/v1',
  '/api/v1/namespaces/__proto__/pods',
  '/api/v1/namespaces/%2e%2e/pods',
  '/api/v1/namespaces/red/pods/..%2f..%2fsecrets',
  '/api/v1/namespaces/red/%70ods',
  '/api/v1/%ff',
  '/api/v1/%00',
  '/api/v1/watch/namespaces/red/configmaps',
  '/api/v1/watch/namespaces/red/configmaps/a',
  '/api/v1//pods',
  '//api/v1/pods',
  '/',
  '',
  '*',
  '/healthz/__proto__',
  '/livez/../readyz',
  '/openapi/v2',
  '/openapi/v3',
  '/openapi/v3/apis/__proto__',
  '/openapi/v3/apis/policy.karmada.io/v1alpha1',
  '/version/',
  '/metrics',
  '/restz',
  '/apis/apps/v1/namespaces/red/deployments/a/scale/more',
  '/api/v1/namespaces/red/serviceaccounts/default/token',
  `/${'a/'.repeat(3000)}`,
];

const anywhereOf: Maker = (dice, place) => ({
  method: dice.pick([
    'GET',
    'GET',
    'POST',
    'PUT',
    'DELETE',
    'PATCH',
    'OPTIONS',
    'HEAD',
    'TRACE',
    'PROPFIND',
    '__proto__',
  ]),
  path: dice.pick(oddPaths),
  query: queryFor(dice),
  ...(dice.chance(0.5) ? bodyOf(dice, objectFor(dice, place)) : { headers: headersFor(dice) }),
});

const makers = {
  create: (dice, place) => ({
    method: 'POST',
    path: collectionOf(place),
    query: queryFor(dice),
    ...bodyOf(dice, objectFor(dice, place)),
  }),
  update: putOf,
  patch: patchOf,
  subresource: subresourceOf,
  get: getOf,
  list: listOf,
  watch: (dice, place) => {
    const one = listOf(dice, place);
    const ends = dice.pick(['1', '0', '-1', '99999999999', '1']);
    return { ...one, query: `watch=true&timeoutSeconds=${ends}&${one.query}` };
  },
  delete: (dice, place) => {
    const object = objectPathOf(place);
    const body = dice.chance(0.6) ? bodyOf(dice, deleteOptionsFor(dice)) : { headers: headersFor(dice) };
    return { method: 'DELETE', path: object, query: queryFor(dice), object, ...body };
  },
  deletecollection: clearOf,
  anywhere: anywhereOf,
} as const satisfies Readonly<Record<string, Maker>>;

type Verb = keyof typeof makers;

const weights: Readonly<Record<Verb, number>> = {
  create: 29,
  update: 12,
  patch: 28,
  subresource: 9,
  get: 5,
  list: 6,
  watch: 3,
  delete: 4,
  deletecollection: 1,
  anywhere: 3,
};

const verbs = (Object.keys(weights) as Verb[]).flatMap((verb) => Array<Verb>(weights[verb]).fill(verb));
