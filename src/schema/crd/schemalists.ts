import { ownMember } from '../../base/index.ts';
import { forbiddenField, invalidValue, notSupported, required } from '../../api/index.ts';
import type { FieldError, Schema } from '../../api/index.ts';

const listTypes = ['atomic', 'set', 'map'];
const mapTypes = ['atomic', 'granular'];

/** The errors of the list type, its keys and the map type of one schema. */
export function listErrors(schema: Schema, path: string): FieldError[] {
  const list = schema['x-kubernetes-list-type'];
  return [
    ...typeErrors(schema, 'map', path),
    ...typeErrors(schema, 'list', path),
    ...keyErrors(schema, path),
    ...(list === 'set' ? setErrors(schema, path) : []),
    ...(list === 'map' ? mapErrors(schema, path) : []),
    ...(list === 'set' || list === 'map' ? itemErrors(schema, list, path) : []),
  ];
}

function typeErrors(schema: Schema, which: 'list' | 'map', path: string): FieldError[] {
  const name = `x-kubernetes-${which}-type` as const;
  const value = schema[name];
  if (value === undefined) return [];
  const type = which === 'list' ? 'array' : 'object';
  const known = which === 'list' ? listTypes : mapTypes;
  const detail = `must be ${type} if ${name} is specified`;
  const errors: FieldError[] = [];
  if (!schema.type) errors.push(required(`${path}.type`, detail));
  else if (schema.type !== type) errors.push(invalidValue(`${path}.type`, schema.type, detail));
  if (!known.includes(value)) errors.push(notSupported(`${path}.${name}`, value, known));
  return errors;
}

function keyErrors(schema: Schema, path: string): FieldError[] {
  if (!schema['x-kubernetes-list-map-keys']?.length) return [];
  const list = schema['x-kubernetes-list-type'];
  const field = `${path}.x-kubernetes-list-type`;
  const detail = 'must be map if x-kubernetes-list-map-keys is non-empty';
  if (list === undefined) return [required(field, detail)];
  return list === 'map' ? [] : [invalidValue(field, list, detail)];
}

/** The items of a set are compared as wholes, so nothing may merge inside them. */
function setErrors({ items }: Schema, path: string): FieldError[] {
  const detail = 'must be atomic as item of a list with x-kubernetes-list-type=set';
  if (items?.type === 'array' && (items['x-kubernetes-list-type'] ?? 'atomic') !== 'atomic') {
    return [invalidValue(`${path}.items.x-kubernetes-list-type`, items['x-kubernetes-list-type'], detail)];
  }
  if (items?.type === 'object' && items['x-kubernetes-map-type'] !== 'atomic') {
    return [invalidValue(`${path}.items.x-kubernetes-map-type`, items['x-kubernetes-map-type'] ?? null, detail)];
  }
  return [];
}

function mapErrors(schema: Schema, path: string): FieldError[] {
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  const { items } = schema;
  const errors: FieldError[] = [];
  if (keys.length === 0) {
    const detail = 'must not be empty if x-kubernetes-list-type is map';
    errors.push(required(`${path}.x-kubernetes-list-map-keys`, detail));
  }
  if (!items) return [...errors, required(`${path}.items`, 'must have a schema if x-kubernetes-list-type is map')];
  if (items.type !== 'object') {
    const detail = "must be object if parent array's x-kubernetes-list-type is map";
    return [...errors, invalidValue(`${path}.items.type`, items.type ?? '', detail)];
  }
  if (new Set(keys).size < keys.length) {
    errors.push(invalidValue(`${path}.x-kubernetes-list-map-keys`, keys, 'must not contain duplicate entries'));
  }
  return [...errors, ...keys.flatMap((key) => mapKeyErrors(schema, key, path))];
}

function mapKeyErrors(schema: Schema, key: string, path: string): FieldError[] {
  const property = ownMember(schema.items?.properties, key);
  if (!property) {
    const detail = 'entries must all be names of item properties';
    return [invalidValue(`${path}.x-kubernetes-list-map-keys`, schema['x-kubernetes-list-map-keys'], detail)];
  }
  const isRequired = schema.items?.required?.includes(key) ?? false;
  return keyPropertyErrors(property, isRequired, `${path}.items.properties[${key}]`);
}

function keyPropertyErrors(property: Schema, isRequired: boolean, field: string): FieldError[] {
  const inKeys = 'this property is in x-kubernetes-list-map-keys, so it';
  const errors: FieldError[] = [];
  if (property.type === 'array' || property.type === 'object') {
    const detail = "must be a scalar type if parent array's x-kubernetes-list-type is map";
    errors.push(invalidValue(`${field}.type`, property.type, detail));
  }
  if (!isRequired && property.default === undefined) {
    errors.push(required(`${field}.default`, `${inKeys} must have a default or be a required property`));
  }
  if (property.nullable) errors.push(forbiddenField(`${field}.nullable`, `${inKeys} cannot be nullable`));
  return errors;
}

function itemErrors({ items }: Schema, list: string, path: string): FieldError[] {
  if (!items?.nullable) return [];
  return [forbiddenField(`${path}.items.nullable`, `cannot be nullable when x-kubernetes-list-type is ${list}`)];
}
