import { builtinCatalog, forbiddenField, invalidValue, notSupported } from '../../api/index.ts';
import type { FieldError, Schema } from '../../api/index.ts';
import { ruleErrors } from '../cel/index.ts';
import { compile } from '../structural/node.ts';
import { prune } from '../structural/prune.ts';
import { findingsOf } from '../structural/validate.ts';
import { listErrors } from './schemalists.ts';
import { structuralErrors } from './structural.ts';

/** The errors of the schema of a version. */
export function schemaErrors(schema: Schema, path: string, hasStatus: boolean): FieldError[] {
  const structural = structuralErrors(schema, path);
  const errors = [
    ...rootErrors(schema, path, hasStatus),
    ...(structural.length > 0 ? structural : defaultErrors(schema, path)),
    ...openapiErrors(schema, { path, root: true, meta: false }),
  ];
  return errors.length > 0 ? errors : ruleErrors(schema, path);
}

/** With a status subresource the status is validated apart, so nothing at the root may speak of the whole. */
const allowedAtRoot: ReadonlySet<string> = new Set(
  [
    'description type format title maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength pattern',
    'maxItems minItems uniqueItems multipleOf required items properties externalDocs example nullable',
    'x-kubernetes-preserve-unknown-fields x-kubernetes-validations',
  ].flatMap((line) => line.split(' ')),
);

function rootErrors(schema: Schema, path: string, hasStatus: boolean): FieldError[] {
  const errors: FieldError[] = [];
  if (hasStatus && Object.keys(schema).some((key) => !allowedAtRoot.has(key))) {
    const names = [...allowedAtRoot].join(' ');
    const detail = `only [${names}] fields are allowed at the root of the schema if the status subresource is enabled`;
    errors.push(invalidValue(path, '', detail));
  }
  if (schema.nullable) errors.push(forbiddenField(`${path}.nullable`, 'nullable cannot be true at the root'));
  return errors;
}

interface SchemaContext {
  readonly path: string;
  readonly root: boolean;
  /** Inside apiVersion, kind or metadata of an object. */
  readonly meta: boolean;
  /** Why no default may stand here. */
  readonly noDefault?: string;
}

const types: readonly (string | undefined)[] = ['array', 'boolean', 'integer', 'number', 'object', 'string'];
const unsupported = ['id', 'additionalItems', 'patternProperties', 'definitions', 'dependencies', '$ref'] as const;
const metaFields: ReadonlySet<string> = new Set(['metadata', 'kind', 'apiVersion']);

function openapiErrors(schema: Schema, place: SchemaContext): FieldError[] {
  return [...ownErrors(schema, place), ...listErrors(schema, place.path), ...childErrors(schema, place)];
}

function ownErrors(schema: Schema, { path, meta, noDefault }: SchemaContext): FieldError[] {
  const errors: FieldError[] = unsupported
    .filter((key) => (schema as Record<string, unknown>)[key] !== undefined)
    .map((key) => forbiddenField(`${path}.${key}`, `${key} is not supported`));
  if (schema.type && !types.includes(schema.type)) {
    errors.push(notSupported(`${path}.type`, schema.type, types as readonly string[]));
  }
  if (schema.default !== undefined && noDefault) {
    errors.push(forbiddenField(`${path}.default`, `must not be set ${noDefault}`));
  }
  if (meta && schema['x-kubernetes-embedded-resource']) {
    errors.push(forbiddenField(`${path}.x-kubernetes-embedded-resource`, 'must not be used inside of resource meta'));
  }
  return [...errors, ...mapErrors(schema, path)];
}

function mapErrors(schema: Schema, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const { properties, additionalProperties } = schema;
  if (schema.uniqueItems) {
    const detail = 'uniqueItems cannot be set to true since the runtime complexity becomes quadratic';
    errors.push(forbiddenField(`${path}.uniqueItems`, detail));
  }
  if (properties && Object.keys(properties).length > 0 && (additionalProperties ?? true) !== true) {
    const detail = 'additionalProperties and properties are mutual exclusive';
    errors.push(forbiddenField(`${path}.additionalProperties`, detail));
  }
  if (schema['x-kubernetes-preserve-unknown-fields'] === false) {
    errors.push(invalidValue(`${path}.x-kubernetes-preserve-unknown-fields`, false, 'must be true or undefined'));
  }
  return errors;
}

function childErrors(schema: Schema, place: SchemaContext): FieldError[] {
  const { path, meta } = place;
  const { additionalProperties, items, not } = schema;
  const below = (one: Schema, to: string, more: Partial<SchemaContext> = {}): FieldError[] =>
    openapiErrors(one, { ...place, ...more, root: false, path: `${path}.${to}` });
  const inMeta = meta ? { noDefault: 'inside additionalProperties applying to object metadata' } : {};
  return [
    ...(typeof additionalProperties === 'object' ? below(additionalProperties, 'additionalProperties', inMeta) : []),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, one]) =>
      below(one, `properties[${name}]`, metaPlace(schema, place, name)),
    ),
    ...(items ? below(items, 'items') : []),
    ...(not ? below(not, 'not') : []),
    ...(['allOf', 'anyOf', 'oneOf'] as const).flatMap((key) =>
      (schema[key] ?? []).flatMap((one, i) => below(one, `${key}[${i}]`)),
    ),
  ];
}

function metaPlace(schema: Schema, { root }: SchemaContext, name: string): Partial<SchemaContext> {
  if (!metaFields.has(name) || !(root || schema['x-kubernetes-embedded-resource'])) return {};
  return root ? { meta: true, noDefault: `in top-level ${name}` } : { meta: true };
}

/** Defaults that the very schema which gives them would prune or refuse. */
function defaultErrors(schema: Schema, path: string): FieldError[] {
  const { items, properties } = schema;
  return [
    ...(schema.default === undefined ? [] : ownDefaultErrors(schema, `${path}.default`)),
    ...(items ? defaultErrors(items, `${path}.items`) : []),
    ...Object.entries(properties ?? {}).flatMap(([name, one]) => defaultErrors(one, `${path}.properties[${name}]`)),
  ];
}

function ownDefaultErrors(schema: Schema, path: string): FieldError[] {
  const value = schema.default;
  const node = compile(schema, { definitions: builtinCatalog().definitions, custom: true });
  const unknown = prune(node, value) === value ? [] : [invalidValue(path, value, 'must not have unknown fields')];
  const wrong = findingsOf(node, value).map(({ error }) => below(path, error));
  return [...unknown, ...wrong];
}

function below(path: string, error: FieldError): FieldError {
  const field = error.field === '' || error.field === '<nil>' ? path : `${path}.${error.field}`;
  return { ...error, field };
}
