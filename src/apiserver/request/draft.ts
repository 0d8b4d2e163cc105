import { apiVersionOf, badRequest, hasReason } from '../../api/index.ts';
import { isObject } from '../../base/index.ts';
import { strategyOf } from '../../kinds/index.ts';
import type { Draft } from '../../kinds/index.ts';
import { bodyOf } from './body.ts';
import type { Body } from './body.ts';
import type { Call } from '../call.ts';
import { shaped } from './fields.ts';

/** The object in the body of a create or update: of the right type, pruned, with defaults filled in. */
export function draftOf(call: Call): Draft {
  const { value, duplicates } = recognized(call);
  return settled(call, typed(call, value), duplicates);
}

function recognized({ request, options, kind }: Call): Body {
  try {
    return bodyOf(request, options.fieldValidation !== 'Ignore');
  } catch (error) {
    if (!hasReason(error, 'BadRequest')) throw error;
    throw badRequest(`the object provided is unrecognized (must be of type ${kind.kind}): ${error.message}`);
  }
}

/** Brings an object into the shape of its kind; unknown and repeated fields are dropped, warned of or refused. */
export function settled(call: Call, value: Record<string, unknown>, duplicates: readonly string[]): Draft {
  const draft = shaped(call, value as Draft, duplicates);
  strategyOf(call.kind).defaults?.(draft);
  return draft;
}

function typed(call: Call, value: Record<string, unknown>): Record<string, unknown> {
  const { kind } = call;
  const implied = kind.custom ? undefined : kind;
  const apiVersion = value['apiVersion'] || (implied && apiVersionOf(kind));
  const name = value['kind'] || implied?.kind;
  if (!name) {
    const text = JSON.stringify(value);
    const words = `Object 'Kind' is missing in '${text.slice(0, 1024)}' (${text.slice(0, 30)})`;
    throw badRequest(`the object provided is unrecognized (must be of type ${kind.kind}): ${words}`);
  }
  checkType(call, shown(apiVersion), shown(name));
  const metadata = isObject(value['metadata']) ? value['metadata'] : {};
  return { ...value, apiVersion, kind: name, metadata };
}

function checkType({ kind, parts }: Call, apiVersion: string, name: string): void {
  const expected = apiVersionOf(kind);
  const misfit = `${name} in version "${kind.version}" cannot be handled as a ${kind.kind}`;
  if (!kind.custom && !parts.catalog().byKind(apiVersion, name)) {
    throw badRequest(`${misfit}: ${unregistered(apiVersion, name)}`);
  }
  if (apiVersion !== expected) {
    throw badRequest(
      `the API version in the data (${apiVersion}) does not match the expected API version (${expected})`,
    );
  }
  if (name !== kind.kind) throw badRequest(misfit);
}

/** What Go says of a kind that no group has. */
export function unregistered(apiVersion: string, kind: string): string {
  return `no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion)} in scheme "pkg/runtime/scheme.go:110"`;
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

/** The name in the body is the name on the URL. */
export function named(call: Call, draft: Draft): Draft {
  const { name } = call.target;
  if (!draft.metadata.name) {
    throw badRequest(`the name of the object (${name} based on URL) was undeterminable: name must be provided`);
  }
  if (draft.metadata.name !== name) {
    throw badRequest(
      `the name of the object (${shown(draft.metadata.name)}) does not match the name on the URL (${name})`,
    );
  }
  return draft;
}
