import { apiVersionOf, badRequest } from '../api/index.ts';
import { isObject } from '../base/index.ts';
import { bodyOf } from './body.ts';
import { strategyOf } from './builtin/index.ts';
import type { Call } from './call.ts';
import type { Draft } from './draft.ts';
import { shaped } from './shape.ts';

/** The object in the body of a create or update: of the right type, pruned, with defaults filled in. */
export function draftOf(call: Call): Draft {
  const { value, duplicates } = bodyOf(call.request, call.options.fieldValidation !== 'Ignore');
  return settled(call, typed(call, value), duplicates);
}

/** Brings an object into the shape of its kind; unknown and repeated fields are dropped, warned of or refused. */
export function settled(call: Call, value: Record<string, unknown>, duplicates: readonly string[]): Draft {
  const draft = shaped(call, value as Draft, duplicates);
  strategyOf(call.kind).defaults?.(draft);
  return draft;
}

function typed(call: Call, value: Record<string, unknown>): Record<string, unknown> {
  const { kind } = call;
  const expected = apiVersionOf(kind);
  const implied = kind.custom ? undefined : kind;
  const apiVersion = value['apiVersion'] || (implied && expected);
  const name = value['kind'] || implied?.kind;
  if (!name) throw badRequest(`Object 'Kind' is missing in '${JSON.stringify(value).slice(0, 1024)}'`);
  if (apiVersion !== expected) {
    const found = shown(apiVersion);
    throw badRequest(`the API version in the data (${found}) does not match the expected API version (${expected})`);
  }
  if (name !== kind.kind) {
    throw badRequest(`${shown(name)} in version "${kind.version}" cannot be handled as a ${kind.kind}`);
  }
  const metadata = isObject(value['metadata']) ? value['metadata'] : {};
  return { ...value, apiVersion, kind: name, metadata };
}

function shown(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? '');
}

/** An object must be about the place that its URL names. */
export function placed(call: Call, draft: Draft): Draft {
  const { target, kind } = call;
  const { metadata } = draft;
  if (!kind.namespaced) delete metadata.namespace;
  else if (!metadata.namespace) metadata.namespace = target.namespace;
  else if (metadata.namespace !== target.namespace) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  }
  return draft;
}

/** The name in the body is the name on the URL, or absent. */
export function named(call: Call, draft: Draft): Draft {
  const { name } = call.target;
  if (!draft.metadata.name) draft.metadata.name = name;
  else if (draft.metadata.name !== name) {
    throw badRequest(`the name of the object (${draft.metadata.name}) does not match the name on the URL (${name})`);
  }
  return draft;
}
