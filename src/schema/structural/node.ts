import type { Definitions, Schema } from '../../api/index.ts';
import { lookup } from '../../base/index.ts';
import { checksOf } from './checks.ts';
import type { Check } from './checks.ts';
import { maskOf, typeTextOf } from './jsontype.ts';

/**
 * A schema made ready to walk: references followed, types as bits, checks as functions.
 * Invariant: a node is complete once `compile` returns; recursive schemas yield cyclic nodes.
 */
export interface Node {
  readonly schema: Schema;
  /** Bits of the JSON types allowed; 0 allows all. */
  readonly types: number;
  readonly typeText: string;
  readonly nullable: boolean;
  readonly properties: ReadonlyMap<string, Node>;
  /** The node of additionalProperties; `closed` when it is false. */
  readonly additional: Node | undefined;
  readonly closed: boolean;
  readonly items: Node | undefined;
  readonly required: readonly string[];
  readonly preserve: boolean;
  /** A whole object of its own: apiVersion and kind are due, metadata is that of any object. */
  readonly embedded: boolean;
  readonly objectMeta: Node | undefined;
  readonly checks: readonly Check[];
  readonly allOf: readonly Node[];
  readonly anyOf: readonly Node[];
  readonly oneOf: readonly Node[];
  readonly not: Node | undefined;
  readonly branches: boolean;
  readonly custom: boolean;
}

type NodeDraft = { -readonly [K in keyof Node]: Node[K] };

/** The facts that a compilation needs beside the schema. */
export interface CompileOptions {
  readonly definitions: Definitions;
  /** A custom resource keeps null and required literally; a built-in kind reads them as Go does. */
  readonly custom: boolean;
}

const objectMetaName = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta';
const noNodes: ReadonlyMap<string, Node> = new Map();
const compiled = { custom: new WeakMap<Schema, Node>(), builtin: new WeakMap<Schema, Node>() };

/** The node of a schema; the same schema object is compiled once. */
export function compile(schema: Schema, options: CompileOptions): Node {
  const target = schema.$ref === undefined ? schema : definitionOf(schema.$ref, options.definitions);
  const known = options.custom ? compiled.custom : compiled.builtin;
  const found = known.get(target);
  if (found) return found;
  const draft = emptyNode(target, options);
  if (!options.custom && schema.$ref) draft.required = draft.required.filter((key) => !mayBeZero(schema.$ref, key));
  known.set(target, draft);
  fill(draft, options);
  return draft;
}

const jsonSchema = 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps';
const alternatives = lookup<Schema['type']>({ [`${jsonSchema}OrBool`]: 'boolean', [`${jsonSchema}OrArray`]: 'array' });
const mixed = new WeakMap<Schema, Schema>();

/**
 * The schema that a reference names. Definitions describe a schema that may also be a boolean or a list as anything at all;
 * here it is a schema, so that what is written below `items` and `additionalProperties` has the types that the hub reads.
 */
function definitionOf(reference: string, definitions: Definitions): Schema {
  const found = definitions[reference] ?? {};
  const other = alternatives[reference];
  if (!other) return found;
  const known = mixed.get(found);
  if (known) return known;
  const { type: _type, ...rest } = definitions[jsonSchema] ?? {};
  const made: Schema = { ...rest, oneOf: [{ type: 'object' }, { type: other }] };
  mixed.set(found, made);
  return made;
}

/** The node of a kind's objects: like any node of its schema, but the root is an object of its own. */
export function compileRoot(schema: Schema, options: CompileOptions): Node {
  if (!options.custom) return compile(schema, options);
  return compile({ ...schema, 'x-kubernetes-embedded-resource': true }, options);
}

function emptyNode(schema: Schema, { custom }: CompileOptions): NodeDraft {
  return {
    schema,
    types: maskOf(schema),
    typeText: typeTextOf(schema),
    nullable: !custom || (schema.nullable ?? false),
    properties: noNodes,
    additional: undefined,
    closed: schema.additionalProperties === false,
    items: undefined,
    required: schema.required ?? [],
    preserve: schema['x-kubernetes-preserve-unknown-fields'] ?? false,
    embedded: custom && (schema['x-kubernetes-embedded-resource'] ?? false),
    objectMeta: undefined,
    checks: [],
    allOf: [],
    anyOf: [],
    oneOf: [],
    not: undefined,
    branches: false,
    custom,
  };
}

function fill(draft: NodeDraft, options: CompileOptions): void {
  const { schema } = draft;
  const { properties, additionalProperties, items } = schema;
  if (properties) {
    draft.properties = new Map(Object.entries(properties).map(([name, sub]) => [name, compile(sub, options)]));
  }
  if (additionalProperties !== undefined && additionalProperties !== false) {
    draft.additional = compile(additionalProperties === true ? {} : additionalProperties, options);
  }
  if (items) draft.items = compile(items, options);
  if (draft.embedded) draft.objectMeta = objectMetaOf(options);
  draft.checks = checksOf(schema, options.custom);
  fillBranches(draft, options);
}

function fillBranches(draft: NodeDraft, options: CompileOptions): void {
  const { schema } = draft;
  // The alternatives of a built-in IntOrString or Quantity are in the type bits already.
  const typesOnly = (some: readonly Schema[] = []): boolean =>
    !draft.custom && draft.types !== 0 && some.every((one) => Object.keys(one).every((key) => key === 'type'));
  const nodes = (some: readonly Schema[] = []): Node[] => (typesOnly(some) ? [] : some.map((s) => compile(s, options)));
  draft.allOf = (schema.allOf ?? []).map((one) => compile(one, options));
  draft.anyOf = nodes(schema.anyOf);
  draft.oneOf = nodes(schema.oneOf);
  draft.not = schema.not && compile(schema.not, options);
  draft.branches = draft.allOf.length + draft.anyOf.length + draft.oneOf.length > 0 || draft.not !== undefined;
}

/** Metadata is read as Go reads it, whatever the resource is. */
function objectMetaOf(options: CompileOptions): Node | undefined {
  const schema = options.definitions[objectMetaName];
  return schema && compile(schema, { ...options, custom: false });
}

/**
 * Fields that the published schemas call required because Go always writes them, and whose absence
 * the real server reads as a zero that it accepts.
 */
const zeroes: Readonly<Record<string, readonly string[]>> = {
  'io.k8s.api.apps.v1.ControllerRevision': ['revision'],
  'io.k8s.api.authentication.v1.TokenRequestSpec': ['audiences'],
  'io.k8s.api.batch.v1.PodFailurePolicyOnPodConditionsPattern': ['status'],
  'io.k8s.api.core.v1.DaemonEndpoint': ['Port'],
  'io.k8s.api.core.v1.HTTPHeader': ['value'],
  'io.k8s.api.core.v1.ISCSIPersistentVolumeSource': ['lun'],
  'io.k8s.api.core.v1.ISCSIVolumeSource': ['lun'],
  'io.k8s.api.core.v1.PersistentVolumeClaimTemplate': ['spec'],
  'io.k8s.api.core.v1.Sysctl': ['value'],
  'io.k8s.api.discovery.v1.EndpointSlice': ['endpoints'],
  'io.k8s.api.events.v1.Event': ['eventTime'],
};

/** Tells whether this field of a built-in definition may be absent although its schema requires it. */
function mayBeZero(definition: string | undefined, field: string): boolean {
  return definition !== undefined && (zeroes[definition]?.includes(field) ?? false);
}
