import type { CrdVersion, CustomResourceDefinition, Schema, ValidationRule } from '../../src/api/index.ts';

/** An object of the kind under test, made from a spec; with `before` it is an update of what that spec made. */
export interface ObjectCase {
  readonly name: string;
  readonly spec: object;
  readonly before?: object;
  /** Whole members of the object beside its spec. */
  readonly more?: { readonly metadata?: object; readonly [member: string]: unknown };
}

const object = (properties: Record<string, Schema>, more: Schema = {}): Schema => ({
  type: 'object',
  properties,
  ...more,
});
const text: Schema = { type: 'string' };
const integer: Schema = { type: 'integer' };
const ruled = (schema: Schema, ...rules: ValidationRule[]): Schema => ({
  ...schema,
  'x-kubernetes-validations': rules,
});
const items = (schema: Schema, more: Schema = {}): Schema => ({ type: 'array', items: schema, ...more });
const keyed: Schema = {
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['name'],
};
const entry = object({ name: { ...text, maxLength: 20 }, n: integer }, { required: ['name'] });

/** Every property is a schema of its own; a case sets one or a few of them. */
const properties: Record<string, Schema> = {
  integer,
  number: { type: 'number' },
  text,
  flag: { type: 'boolean' },
  list: items(text, { maxItems: 50 }),
  map: { type: 'object', additionalProperties: integer, maxProperties: 50 },
  small: { type: 'integer', minimum: 1, maximum: 5 },
  open: { type: 'number', minimum: 1, exclusiveMinimum: true, maximum: 2, exclusiveMaximum: true },
  tenths: { type: 'number', multipleOf: 0.1 },
  threes: { type: 'integer', multipleOf: 3 },
  short: { type: 'string', maxLength: 3 },
  long: { type: 'string', minLength: 3 },
  pattern: { type: 'string', pattern: '^[a-z]+$' },
  choice: { type: 'string', enum: ['a', 'b'] },
  numbers: { type: 'integer', enum: [1, 2] },
  few: items(text, { minItems: 1, maxItems: 2 }),
  one: items(text, { maxItems: 1 }),
  sized: { type: 'object', additionalProperties: text, minProperties: 1, maxProperties: 2 },
  set: items(text, { 'x-kubernetes-list-type': 'set', maxItems: 10 }),
  keyed: items(entry, { ...keyed, maxItems: 10 }),
  port: { 'x-kubernetes-int-or-string': true },
  portLong: { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] },
  none: { type: 'string', nullable: true },
  required: object({ a: text, b: text }, { required: ['a', 'b'] }),
  oneOf: object({ a: text, b: text }, { oneOf: [{ required: ['a'] }, { required: ['b'] }] }),
  anyOf: object({ a: text, b: text }, { anyOf: [{ required: ['a'] }, { required: ['b'] }] }),
  allOf: object(
    { a: integer },
    { allOf: [{ properties: { a: { minimum: 2 } } }, { properties: { a: { maximum: 5 } } }] },
  ),
  not: object({ a: text }, { not: { required: ['a'] } }),
  defaulted: object({ a: { ...text, default: 'x' }, b: object({ c: { ...integer, default: 7 } }, { default: {} }) }),
  kept: object({ a: object({ b: text }) }, { 'x-kubernetes-preserve-unknown-fields': true }),
  embedded: { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
  time: { type: 'string', format: 'date-time' },
  date: { type: 'string', format: 'date' },
  uuid: { type: 'string', format: 'uuid' },
  ipv4: { type: 'string', format: 'ipv4' },
  ipv6: { type: 'string', format: 'ipv6' },
  cidr: { type: 'string', format: 'cidr' },
  uri: { type: 'string', format: 'uri' },
  email: { type: 'string', format: 'email' },
  hostname: { type: 'string', format: 'hostname' },
  bytes: { type: 'string', format: 'byte' },
  duration: { type: 'string', format: 'duration' },
  mac: { type: 'string', format: 'mac' },
  int32: { type: 'integer', format: 'int32' },
  ruled: ruled(
    object({
      a: integer,
      b: integer,
      s: { ...text, maxLength: 20 },
      l: items({ ...text, maxLength: 5 }, { maxItems: 5 }),
    }),
    { rule: '!has(self.a) || !has(self.b) || self.a <= self.b' },
    { rule: "!has(self.s) || self.s.startsWith('x')", message: 'must start with x', fieldPath: '.s' },
    {
      rule: '!has(self.a) || self.a < 100',
      messageExpression: "self.a > 500 ? 'a is huge' : 'a is large'",
      reason: 'FieldValueForbidden',
    },
    { rule: "!has(self.l) || self.l[0] == 'q'", message: 'starts with q' },
  ),
  frozen: ruled({ ...text, maxLength: 20 }, { rule: 'self == oldSelf', message: 'never changes' }),
  first: ruled(integer, { rule: 'oldSelf.hasValue() || self == 1', optionalOldSelf: true, message: 'starts at one' }),
  growing: items(ruled(entry, { rule: 'self.n >= oldSelf.n', message: 'only grows' }), { ...keyed, maxItems: 5 }),
  scalar: ruled(integer, { rule: 'self % 2 == 0', message: 'must be even', reason: 'FieldValueDuplicate' }),
  bound: ruled({ 'x-kubernetes-int-or-string': true }, { rule: 'self > 5' }),
};

/** The definition of the kind under test. */
export const trials: CustomResourceDefinition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'trials.schemas.example.com' },
  spec: {
    group: 'schemas.example.com',
    scope: 'Namespaced',
    names: { plural: 'trials', singular: 'trial', kind: 'Trial', listKind: 'TrialList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: {
          openAPIV3Schema: object({ spec: object(properties), status: object({ ready: { type: 'boolean' } }) }),
        },
      },
    ],
  },
};

const many = (key: string, values: readonly unknown[]): ObjectCase[] =>
  values.map((value) => ({ name: `${key}: ${JSON.stringify(value)}`, spec: { [key]: value } }));

/** Objects that are created, or changed, under every fieldValidation that matters. */
export const objectCases: readonly ObjectCase[] = [
  ...many('integer', [1, 1.5, '1', true, null, [], {}, 1e15]),
  ...many('number', [1, 1.5, '1']),
  ...many('text', ['', 1, null]),
  ...many('flag', [true, 'true', 0]),
  ...many('list', [['a'], ['a', 1], 'a', [null]]),
  ...many('map', [{ a: 1 }, { a: 'x' }, { a: null }, []]),
  ...many('small', [0, 1, 5, 6]),
  ...many('open', [1, 1.5, 2]),
  ...many('tenths', [0.3, 0.25]),
  ...many('threes', [3, 4]),
  ...many('short', ['abc', 'abcd', 'äöü', '😀😀😀']),
  ...many('long', ['ab', 'äöü']),
  ...many('pattern', ['abc', 'A']),
  ...many('choice', ['a', 'c', 1, null]),
  ...many('numbers', [1, 3, '1']),
  ...many('few', [[], ['a'], ['a', 'b', 'c']]),
  ...many('one', [['a', 'b']]),
  ...many('sized', [{}, { a: 'x', b: 'x', c: 'x' }]),
  ...many('set', [
    ['a', 'b'],
    ['a', 'b', 'a', 'a', 'b'],
  ]),
  ...many('keyed', [
    [{ name: 'a' }, { name: 'b' }],
    [{ name: 'a' }, { name: 'a', n: 1 }],
    [{}],
    ['x'],
    [{ name: 'a', z: 1 }],
  ]),
  ...many('port', [1, '1', true, 1.5, null]),
  ...many('portLong', ['x', false]),
  ...many('none', [null, 'x', 1]),
  ...many('required', [{}, { a: 'x' }, { a: null, b: 'x' }]),
  ...many('oneOf', [{}, { a: 'x' }, { a: 'x', b: 'x' }]),
  ...many('anyOf', [{}, { a: 'x', b: 'x' }]),
  ...many('allOf', [{ a: 3 }, { a: 1 }]),
  ...many('not', [{}, { a: 'x' }]),
  ...many('defaulted', [{}, { a: null }, { b: null }, { b: {} }, { a: 'y', b: { c: 1, d: 2 } }]),
  ...many('kept', [{ x: { y: 1 } }, { a: { b: 'x', c: 1 } }]),
  ...many('embedded', [
    {},
    { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a', unknown: 1 }, spec: { x: 1 } },
    { apiVersion: 'v1', kind: '' },
    { apiVersion: 1, kind: 'Pod' },
  ]),
  ...many('time', ['2024-01-02T03:04:05Z', '2024-01-02T03:04:05.6+02:00', '2024-13-01T00:00:00Z', '2024-01-01', '']),
  ...many('date', ['2024-02-29', '2023-02-29']),
  ...many('uuid', ['123e4567-e89b-12d3-a456-426614174000', 'x']),
  ...many('ipv4', ['1.2.3.4', '::1', '1.2.3.256']),
  ...many('ipv6', ['::1', '1.2.3.4', 'x']),
  ...many('cidr', ['10.0.0.0/8', '10.0.0.0', '10.0.0.0/33']),
  ...many('uri', ['http://a/b', '/a', 'a', 'a b']),
  ...many('email', ['a@b.c', 'a', 'A <a@b.c>']),
  ...many('hostname', ['a.example', 'a_b', '-a']),
  ...many('bytes', ['YQ==', 'YQ', '*']),
  ...many('duration', ['1h', '1 day', 'x']),
  ...many('mac', ['00:00:5e:00:53:01', 'x']),
  ...many('int32', [1, 4294967296]),
  ...many('ruled', [{ a: 1, b: 2 }, { a: 3, b: 2 }, { s: 'y' }, { a: 100 }, { l: ['q'] }, { l: ['r'] }, { l: [] }]),
  ...many('scalar', [2, 3]),
  ...many('bound', [6, 5, 'x']),
  ...many('nowhere', [1, { a: 1 }]),
  ...many('first', [1, 2]),
  { name: 'two unknown fields', spec: { x: 1, required: { a: 'x', b: 'y', z: 1 } } },
  { name: 'an unknown member', spec: {}, more: { extra: { a: 1 } } },
  { name: 'unknown metadata', spec: {}, more: { metadata: { labelz: {} } } },
  { name: 'metadata of the wrong type', spec: {}, more: { metadata: { labels: { a: 1 } } } },
  { name: 'a spec that is a list', spec: [] },
  { name: 'status is left alone', spec: {}, more: { status: { ready: 'x' } } },
  { name: 'frozen stays', before: { frozen: 'x' }, spec: { frozen: 'x', text: 'a' } },
  { name: 'frozen changes', before: { frozen: 'x' }, spec: { frozen: 'y' } },
  { name: 'frozen appears', before: {}, spec: { frozen: 'y' } },
  { name: 'first goes on', before: { first: 1 }, spec: { first: 2 } },
  {
    name: 'growing grows',
    before: { growing: [{ name: 'a', n: 1 }] },
    spec: {
      growing: [
        { name: 'b', n: 0 },
        { name: 'a', n: 2 },
      ],
    },
  },
  { name: 'growing shrinks', before: { growing: [{ name: 'a', n: 1 }] }, spec: { growing: [{ name: 'a', n: 0 }] } },
];

/** A definition that the server is to judge. */
export interface DefinitionCase {
  readonly name: string;
  readonly crd: CustomResourceDefinition;
}

const v1: CrdVersion = { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } };

function crd(
  spec: Partial<CustomResourceDefinition['spec']>,
  name = 'judged.schemas.example.com',
): CustomResourceDefinition {
  return {
    ...trials,
    metadata: { name },
    spec: {
      group: 'schemas.example.com',
      scope: 'Namespaced',
      names: { plural: 'judged', kind: 'Judged' },
      versions: [v1],
      ...spec,
    },
  };
}

const schemaCase = (name: string, schema: Schema): DefinitionCase => ({
  name: `schema: ${name}`,
  crd: crd({ versions: [{ ...v1, schema: { openAPIV3Schema: object({ spec: schema }) } }] }),
});
const ruleCase = (rule: string, more: Partial<ValidationRule> = {}): DefinitionCase =>
  schemaCase(
    `rule ${rule} ${JSON.stringify(more)}`,
    ruled(object({ a: integer, s: { ...text, maxLength: 9 } }), { rule, ...more }),
  );

/** Definitions that the server refuses; what it accepts would have to be cleaned up. */
export const definitionCases: readonly DefinitionCase[] = [
  { name: 'name', crd: crd({}, 'other.schemas.example.com') },
  { name: 'group without a dot', crd: crd({ group: 'example' }, 'judged.example') },
  { name: 'group with capitals', crd: crd({ group: 'A.example' }, 'judged.A.example') },
  { name: 'scope', crd: crd({ scope: 'World' as 'Cluster' }) },
  { name: 'no schema', crd: crd({ versions: [{ name: 'v1', served: true, storage: true }] }) },
  { name: 'version name', crd: crd({ versions: [{ ...v1, name: 'V1' }] }) },
  { name: 'kind', crd: crd({ names: { plural: 'judged', kind: 'Jud_ged', singular: 'j', listKind: 'List' } }) },
  { name: 'list kind', crd: crd({ names: { plural: 'judged', kind: 'Judged', listKind: 'Judged' } }) },
  { name: 'preserve', crd: crd({ preserveUnknownFields: true }) },
  { name: 'protected group', crd: crd({ group: 'x.k8s.io' }, 'judged.x.k8s.io') },
  { name: 'deprecation warning', crd: crd({ versions: [{ ...v1, deprecationWarning: 'x' }] }) },
  {
    name: 'scale',
    crd: crd({
      versions: [{ ...v1, subresources: { scale: { specReplicasPath: '.status.n', statusReplicasPath: 'x' } } }],
    }),
  },
  {
    name: 'selectable field',
    crd: crd({ versions: [{ ...v1, selectableFields: [{ jsonPath: '.spec.nope' }] }] }),
  },
  schemaCase('no type', object({ x: {} })),
  schemaCase('no items', { type: 'array' }),
  schemaCase('a type in a branch', object({}, { anyOf: [{ type: 'object' }] })),
  schemaCase('a field in a branch', object({}, { oneOf: [{ properties: { x: {} } }] })),
  schemaCase('a pattern', { type: 'string', pattern: 'a**' }),
  schemaCase('properties and more', object({ a: text }, { additionalProperties: text })),
  schemaCase('a default of the wrong type', object({ a: { ...integer, default: 'x' } })),
  schemaCase('a default to prune', object({ a: object({ b: text }, { default: { c: 1 } }) })),
  schemaCase('a map list without keys', items(entry, { 'x-kubernetes-list-type': 'map' })),
  schemaCase('a key that may be absent', items(object({ name: text }), keyed)),
  schemaCase('a key that is not there', items(object({ other: text }), keyed)),
  schemaCase('a set of objects', items(object({ a: text }), { 'x-kubernetes-list-type': 'set' })),
  schemaCase('unique items', items(text, { uniqueItems: true })),
  schemaCase('a list type of a text', { ...text, 'x-kubernetes-list-type': 'set' }),
  schemaCase('an embedded text', { ...text, 'x-kubernetes-embedded-resource': true }),
  {
    name: 'schema: metadata',
    crd: crd({
      versions: [{ ...v1, schema: { openAPIV3Schema: object({ metadata: object({ labels: object({}) }) }) } }],
    }),
  },
  ruleCase('self.a'),
  ruleCase('self.nope == 1'),
  ruleCase(' '),
  ruleCase('true', { reason: 'Why' }),
  ruleCase('true', { fieldPath: '.nope' }),
  ruleCase('true', { messageExpression: 'self.a' }),
  ruleCase('true', { optionalOldSelf: true }),
  ruleCase('true\n&& true'),
];
