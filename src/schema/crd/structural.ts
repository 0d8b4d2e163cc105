import { fieldErrorText, forbiddenField, invalidValue, required } from '../../api/index.ts';
import type { FieldError, Schema } from '../../api/index.ts';
import { completenessErrors, junctionErrors, patternErrors } from './junctions.ts';

/** Where a schema stands; it decides the words for a missing type. */
type Level = 'root' | 'item' | 'field';

/**
 * The errors that keep a schema from being structural: every field has one type outside of anyOf, oneOf, allOf and not,
 * which may only narrow what is there. Pruning, defaulting and apply depend on it.
 */
export function structuralErrors(schema: Schema, path: string): FieldError[] {
  const errors = [...levelErrors(schema, 'root', path), ...completenessErrors(schema, path)];
  return errors.sort((a, b) => (fieldErrorText(a) < fieldErrorText(b) ? -1 : 1));
}

function levelErrors(schema: Schema, level: Level, path: string): FieldError[] {
  const { items, properties, additionalProperties } = schema;
  return [
    ...(schema.type === 'array' && !items ? [required(`${path}.items`, 'must be specified')] : []),
    ...(items ? levelErrors(items, 'item', `${path}.items`) : []),
    ...Object.entries(properties ?? {}).flatMap(([name, one]) =>
      levelErrors(one, 'field', `${path}.properties[${name}]`),
    ),
    ...(typeof additionalProperties === 'object'
      ? levelErrors(additionalProperties, 'field', `${path}.additionalProperties`)
      : []),
    ...extensionErrors(schema, level, path),
    ...junctionErrors(schema, path),
    ...patternErrors(schema, path),
    ...typeErrors(schema, level, path),
    ...metaErrors(schema, level, path),
  ];
}

const missing: Readonly<Record<Level, string>> = {
  root: 'must not be empty at the root',
  item: 'must not be empty for specified array items',
  field: 'must not be empty for specified object fields',
};

function typeErrors(schema: Schema, level: Level, path: string): FieldError[] {
  const { type } = schema;
  const field = `${path}.type`;
  if (schema['x-kubernetes-embedded-resource'] && type !== 'object') {
    const detail = 'must be object if x-kubernetes-embedded-resource is true';
    return [type ? invalidValue(field, type, detail) : required(field, detail)];
  }
  if (level === 'root' && type && type !== 'object') return [invalidValue(field, type, 'must be object at the root')];
  if (type || schema['x-kubernetes-int-or-string'] || schema['x-kubernetes-preserve-unknown-fields']) return [];
  return [required(field, missing[level])];
}

function extensionErrors(schema: Schema, level: Level, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const hasMore = schema.additionalProperties !== undefined;
  if (hasMore && level === 'root') {
    errors.push(forbiddenField(`${path}.additionalProperties`, 'must not be used at the root'));
  }
  if (hasMore && schema['x-kubernetes-embedded-resource']) {
    const detail = 'must not be used if x-kubernetes-embedded-resource is set';
    errors.push(forbiddenField(`${path}.additionalProperties`, detail));
  }
  if (!schema['x-kubernetes-int-or-string']) return errors;
  for (const name of ['x-kubernetes-preserve-unknown-fields', 'x-kubernetes-embedded-resource'] as const) {
    if (!schema[name]) continue;
    errors.push(invalidValue(`${path}.${name}`, true, 'must be false if x-kubernetes-int-or-string is true'));
  }
  return errors;
}

function metaErrors(schema: Schema, level: Level, path: string): FieldError[] {
  const embedded = schema['x-kubernetes-embedded-resource'] ?? false;
  const { properties = {} } = schema;
  if (level !== 'root' && !embedded) return [];
  const errors = (['kind', 'apiVersion'] as const)
    .filter((name) => properties[name] && properties[name].type !== 'string')
    .map((name) => invalidValue(`${path}.properties[${name}].type`, properties[name]?.type ?? '', 'must be string'));
  if (properties['metadata']) errors.push(...metadataErrors(properties['metadata'], level, path));
  const empty = embedded && !schema['x-kubernetes-preserve-unknown-fields'] && Object.keys(properties).length === 0;
  return empty ? [...errors, required(`${path}.properties`, emptyEmbedded)] : errors;
}

function metadataErrors(metadata: Schema, level: Level, path: string): FieldError[] {
  const at = `${path}.properties[metadata]`;
  const errors: FieldError[] = [];
  if (metadata.type !== 'object') errors.push(invalidValue(`${at}.type`, metadata.type ?? '', 'must be object'));
  if (level === 'root' && !onlyNames(metadata)) {
    const detail = 'must not specify anything other than name and generateName, but metadata is implicitly specified';
    errors.push(forbiddenField(at, detail));
  }
  return errors;
}

const emptyEmbedded =
  'must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields';
const allowedOfMetadata: ReadonlySet<string> = new Set(['type', 'properties', 'default', 'description']);

/** The schema of metadata may narrow name and generateName, nothing else. */
function onlyNames(metadata: Schema): boolean {
  const fields = Object.keys(metadata.properties ?? {});
  const fieldsFit = fields.every((name) => name === 'name' || name === 'generateName');
  return fieldsFit && Object.keys(metadata).every((key) => allowedOfMetadata.has(key));
}
