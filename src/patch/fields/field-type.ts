import type { Definitions, KindInfo, Schema } from '../../api/index.ts';
import { hasMember } from '../../base/index.ts';
import { resolved, typeNameOf } from '../schema-walk.ts';

/** How values of a field are owned and merged; a field may allow several forms, and its value tells which. */
export interface FieldType {
  readonly scalar: Scalar | undefined;
  readonly list: ListType | undefined;
  readonly map: MapType | undefined;
}

/** The type of a single value; `untyped` takes any. */
export type Scalar = 'numeric' | 'string' | 'boolean' | 'untyped';

/** A list: one leaf, a set of scalars, or items found by their keys. */
export interface ListType {
  readonly relation: 'atomic' | 'set' | 'map';
  /** In order, as they stand in path elements. */
  readonly keys: readonly string[];
  readonly element: () => FieldType;
  readonly defaultOf: (key: string) => unknown;
}

/** An object: one leaf, or fields that are owned one by one. */
export interface MapType {
  readonly atomic: boolean;
  readonly fieldOf: (key: string) => Field | undefined;
  /** The type of keys that are not declared; undefined when there may be none. */
  readonly element: () => FieldType | undefined;
}

/** A declared field. */
export interface Field {
  /** Its path element; kept, because making the same key again costs more than all else. */
  readonly element: string;
  readonly type: FieldType;
  /** Belongs to a typed object, in which null is absence. */
  readonly typed: boolean;
  /** The value of the field where it is left out: a typed object always has its required fields and its structs. */
  readonly absent: unknown;
}

interface Compiler {
  readonly definitions: Definitions;
  readonly custom: boolean;
  readonly known: WeakMap<Schema, FieldType>;
  /** Schemas below one that preserves unknown fields do so too. */
  readonly preserve: boolean;
}

const objectMetaName = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta';

const atomicList: ListType = { relation: 'atomic', keys: [], element: () => untyped, defaultOf: () => undefined };

/** The type of any value as one leaf. */
const untyped: FieldType = {
  scalar: 'untyped',
  list: atomicList,
  map: { atomic: true, fieldOf: () => undefined, element: () => untyped },
};

/** No schema says anything: maps are granular, lists are leaves. */
const deduced: FieldType = {
  scalar: 'untyped',
  list: atomicList,
  map: { atomic: false, fieldOf: () => undefined, element: () => deduced },
};

/** A field that no comparison looks at. */
export const ignored: FieldType = { scalar: undefined, list: undefined, map: undefined };

/** The type with some of its fields made others. */
export function withFields(type: FieldType, fields: ReadonlyMap<string, Field>): FieldType {
  const { map } = type;
  return map ? { ...type, map: { ...map, fieldOf: (key) => fields.get(key) ?? map.fieldOf(key) } } : type;
}

const compilers = new WeakMap<Definitions, { readonly builtin: Compiler; readonly custom: Compiler }>();

/** The type of a kind's objects, compiled on first use and kept as long as its definitions are. */
export function typeOfKind(kind: Pick<KindInfo, 'schema' | 'custom'>, definitions: Definitions): FieldType {
  let both = compilers.get(definitions);
  if (!both) {
    both = { builtin: compilerOf(definitions, false), custom: compilerOf(definitions, true) };
    compilers.set(definitions, both);
  }
  if (!kind.custom) return typeOf(kind.schema, both.builtin);
  const known = both.custom.known.get(kind.schema);
  if (known) return known;
  const type = typeOf(withMetadata(kind.schema, definitions), both.custom);
  both.custom.known.set(kind.schema, type);
  return type;
}

function compilerOf(definitions: Definitions, custom: boolean): Compiler {
  return { definitions, custom, known: new WeakMap(), preserve: false };
}

/** The schema with metadata as ObjectMeta, even if a custom kind, or a resource embedded in one, declares it otherwise. */
function withMetadata(schema: Schema, definitions: Definitions): Schema {
  const metadata = hasMember(definitions, objectMetaName) ? { metadata: { $ref: objectMetaName } } : {};
  const identity = { apiVersion: { type: 'string' }, kind: { type: 'string' } } as const;
  return { ...schema, properties: { ...schema.properties, ...identity, ...metadata } };
}

function typeOf(schema: Schema, compiler: Compiler): FieldType {
  const known = compiler.known.get(schema);
  if (known) return known;
  const target = resolved(schema, compiler.definitions);
  const type =
    target === schema ? ownType(schema, compiler) : referredType(schema, target, { ...compiler, preserve: false });
  compiler.known.set(schema, type);
  return type;
}

function referredType(schema: Schema, target: Schema, compiler: Compiler): FieldType {
  if (typeNameOf(schema) === 'RawExtension') return untyped;
  const type = typeOf(target, compiler);
  const mapType = schema['x-kubernetes-map-type'];
  return mapType && type.map ? { ...type, map: { ...type.map, atomic: mapType === 'atomic' } } : type;
}

function ownType(schema: Schema, outer: Compiler): FieldType {
  const preserve = outer.preserve || schema['x-kubernetes-preserve-unknown-fields'] === true;
  const compiler = { ...outer, preserve };
  const none = { scalar: undefined, list: undefined, map: undefined };
  switch (schema.type) {
    case 'object':
      return { ...none, map: mapType(schema, compiler) };
    case 'array':
      return { ...none, list: listType(schema, compiler) };
    case 'integer':
    case 'number':
      return { ...none, scalar: 'numeric' };
    case 'boolean':
      return { ...none, scalar: 'boolean' };
    case 'string':
      return { ...none, scalar: schema.format && schema.format !== 'byte' ? 'untyped' : 'string' };
    default:
      return { scalar: 'untyped', list: listType(schema, compiler), map: mapType(schema, compiler) };
  }
}

function mapType(declared: Schema, compiler: Compiler): MapType {
  const embedded = declared['x-kubernetes-embedded-resource'] === true;
  const schema = embedded ? withMetadata(declared, compiler.definitions) : declared;
  const fields = new Map<string, Field | undefined>();
  return {
    atomic: schema['x-kubernetes-map-type'] === 'atomic',
    fieldOf: (key) => {
      if (fields.has(key)) return fields.get(key);
      const property = schema.properties && hasMember(schema.properties, key) ? schema.properties[key] : undefined;
      const field = property && fieldOf(key, { property, schema }, compiler);
      // Keys come from clients: only those that the schema declares may be kept.
      if (field) fields.set(key, field);
      return field;
    },
    element: () => elementOfMap(schema, compiler),
  };
}

function fieldOf(key: string, { property, schema }: { property: Schema; schema: Schema }, compiler: Compiler): Field {
  const type = typeOf(property, compiler);
  const element = `f:${key}`;
  if (compiler.custom) return { element, type, typed: false, absent: undefined };
  if (isValueStruct(typeNameOf(property))) return { element, type, typed: true, absent: {} };
  const required = schema.required?.includes(key) ?? false;
  return { element, type, typed: true, absent: required ? zeroOf(property, type) : undefined };
}

/** The zero value of a field that a typed object cannot leave out. */
function zeroOf({ type: declared }: Schema, { scalar }: FieldType): unknown {
  if (declared === 'string') return '';
  if (declared === 'boolean') return false;
  return scalar === 'numeric' ? 0 : null;
}

function elementOfMap(schema: Schema, compiler: Compiler): FieldType | undefined {
  const { additionalProperties, properties } = schema;
  if (typeof additionalProperties === 'object') return typeOf(additionalProperties, compiler);
  if (additionalProperties !== undefined) return additionalProperties ? deduced : undefined;
  const free = compiler.preserve || !properties || Object.keys(properties).length === 0;
  return free ? deduced : undefined;
}

function listType(schema: Schema, compiler: Compiler): ListType {
  const { relation, keys } = relationOf(schema);
  const { items } = schema;
  if (!items) return { ...atomicList, relation, keys };
  const item = resolved(items, compiler.definitions);
  return {
    relation,
    keys: keys.toSorted(),
    element: () => typeOf(items, compiler),
    defaultOf: (key) => keyDefault(key, item, compiler),
  };
}

/** The value of a key that an item leaves out: in a typed object a required field that is missing is zero. */
function keyDefault(key: string, { properties, required }: Schema, compiler: Compiler): unknown {
  const property = properties && hasMember(properties, key) ? properties[key] : undefined;
  if (property?.default !== undefined || compiler.custom || !required?.includes(key)) return property?.default;
  return property && zeroOf(property, typeOf(property, compiler));
}

/** A list that does not say how it is owned may still say how strategic merge patches it. */
function relationOf(schema: Schema): Pick<ListType, 'relation' | 'keys'> {
  const declared = schema['x-kubernetes-list-type'];
  if (declared) return { relation: declared, keys: schema['x-kubernetes-list-map-keys'] ?? [] };
  const strategy = schema['x-kubernetes-patch-strategy'];
  if (strategy !== 'merge' && strategy !== 'merge,retainKeys') return { relation: 'atomic', keys: [] };
  const mergeKey = schema['x-kubernetes-patch-merge-key'];
  return mergeKey ? { relation: 'map', keys: [mergeKey] } : { relation: 'set', keys: [] };
}

/** The form in which a value of this type is to be taken. */
export type Form = 'scalar' | 'list' | 'map';

/** A value that has none of the allowed forms, or is null, is taken in the first form that is allowed. */
export function formOf(value: unknown, type: FieldType): Form {
  if (Array.isArray(value)) {
    if (type.list) return 'list';
  } else if (typeof value === 'object') {
    if (value !== null && type.map) return 'map';
  } else if (value !== undefined && type.scalar) {
    return 'scalar';
  }
  if (type.map) return 'map';
  return type.scalar ? 'scalar' : 'list';
}

/** The type of a member that the map does not declare; where none is allowed, as if nothing were known. */
export function undeclared(map: MapType): FieldType {
  return map.element() ?? deduced;
}

/** The type of a member of a map. */
export function typeOfMember(map: MapType, key: string): FieldType {
  return map.fieldOf(key)?.type ?? undeclared(map);
}

/**
 * In a typed object some structs are always there, if only empty, while others are pointers that may be missing.
 * Ownership shows the difference: who sets a field inside the former does not come to own the struct itself.
 * Schemas do not tell them apart, but the names of the types nearly do.
 */
const byName = /(?:Spec|Status|Strategy|Meta)$/;

const pointers = new Set([
  'NodeConfigStatus',
  'NodeSwapStatus',
  'ModifyVolumeStatus',
  'PodExtendedResourceClaimStatus',
  'RollingUpdateStatefulSetStrategy',
  'ContainerResourceMetricStatus',
  'ExternalMetricStatus',
  'ObjectMetricStatus',
  'PodsMetricStatus',
  'ResourceMetricStatus',
]);

const values = new Set([
  'ContainerState',
  'CrossVersionObjectReference',
  'CustomResourceDefinitionNames',
  'DaemonEndpoint',
  'EndpointConditions',
  'EventSource',
  'MetricIdentifier',
  'MetricTarget',
  'NodeDaemonEndpoints',
  'NodeSystemInfo',
  'RoleRef',
  'UserInfo',
  'VolumeAttachmentSource',
  'VolumeResourceRequirements',
]);

/** Tells whether a field of this type is a struct that is always there. */
function isValueStruct(typeName: string): boolean {
  return values.has(typeName) || (byName.test(typeName) && !pointers.has(typeName));
}
