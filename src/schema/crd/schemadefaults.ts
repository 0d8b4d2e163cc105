import { builtinCatalog, invalidValue } from '../../api/index.ts';
import type { FieldError, Schema } from '../../api/index.ts';
import { compile } from '../structural/node.ts';
import { prune } from '../structural/prune.ts';
import { findingsOf } from '../structural/validate.ts';

/** Defaults that the very schema which gives them would prune or refuse. */
export function defaultErrors(schema: Schema, path: string): FieldError[] {
  const { items, properties } = schema;
  return [
    ...(schema.default === undefined ? [] : ownErrors(schema, `${path}.default`)),
    ...(items ? defaultErrors(items, `${path}.items`) : []),
    ...Object.entries(properties ?? {}).flatMap(([name, one]) => defaultErrors(one, `${path}.properties[${name}]`)),
  ];
}

function ownErrors(schema: Schema, path: string): FieldError[] {
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
