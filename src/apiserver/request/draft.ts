/**
 * A draft is an object on its way from a request body into the store. This file reads it, brings it into the shape of its
 * kind and records who owns its fields; `validation.ts` judges it, `storage/stored-form.ts` writes it down.
 */
import { apiVersionOf, badRequest, hasReason } from '../../api/index.ts';
import type { FieldError, KindInfo, KubeObject } from '../../api/index.ts';
import { isObject, lookup, timestamp } from '../../base/index.ts';
import { strategyOf } from '../../kinds/index.ts';
import type { Draft } from '../../kinds/index.ts';
import { managerNameOf, trackUpdate } from '../../patch/index.ts';
import type { OwnershipScope } from '../../patch/index.ts';
import { goFieldOf, schemaOf, unknownFieldWords } from '../../schema/index.ts';
import type { GoField, KindSchema } from '../../schema/index.ts';
import type { Call } from '../call.ts';
import { mostFieldWarnings } from '../respond/warnings.ts';
import { bodyOf } from './body.ts';
import type { Body } from './body.ts';

/** The object in the body of a create or update: of the right type, without unknown fields, with defaults filled in. */
export function draftOf(call: Call): Draft {
  const { kind } = call;
  const { value, duplicates } = recognizedBody(call);
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
  return shaped(call, { ...value, apiVersion, kind: name, metadata } as Draft, duplicates);
}

function recognizedBody({ request, options, kind }: Call): Body {
  try {
    return bodyOf(request, options.fieldValidation !== 'Ignore');
  } catch (error) {
    if (!hasReason(error, 'BadRequest')) throw error;
    throw badRequest(`the object provided is unrecognized (must be of type ${kind.kind}): ${error.message}`);
  }
}

function checkType({ kind, parts }: Call, apiVersion: string, name: string): void {
  const expected = apiVersionOf(kind);
  if (!kind.custom && !parts.catalog().byKind(apiVersion, name)) {
    throw badRequest(`${handledAs(kind, name)}: ${unregistered(apiVersion, name)}`);
  }
  if (apiVersion !== expected) {
    throw badRequest(
      `the API version in the data (${apiVersion}) does not match the expected API version (${expected})`,
    );
  }
  if (name !== kind.kind) throw badRequest(handledAs(kind, name));
}

function handledAs({ version, kind }: KindInfo, name: string): string {
  return `${name} in version "${version}" cannot be handled as a ${kind}`;
}

/** Go's message for a kind that no group has. */
export function unregistered(apiVersion: string, kind: string): string {
  return `no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion)} in scheme "pkg/runtime/scheme.go:110"`;
}

function shown(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? '');
}

/** Checks that a draft has the namespace and the name of its URL, and fills in the namespace. A collection's URL has no name. */
export function placed(call: Call, draft: Draft): Draft {
  const { target, kind } = call;
  const { metadata } = draft;
  if (!kind.namespaced) delete metadata.namespace;
  else if (!metadata.namespace) metadata.namespace = target.namespace;
  else if (metadata.namespace !== target.namespace) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  }
  if (target.name === '' || metadata.name === target.name) return draft;
  if (!metadata.name) {
    throw badRequest(`the name of the object (${target.name} based on URL) was undeterminable: name must be provided`);
  }
  throw badRequest(
    `the name of the object (${shown(metadata.name)}) does not match the name on the URL (${target.name})`,
  );
}

/**
 * Brings a draft into the shape of its kind: drops, warns of or refuses unknown and repeated fields, refuses values of the
 * wrong type, fills in defaults.
 */
export function shaped(call: Call, draft: Draft, duplicates: readonly string[]): Draft {
  const { kind, parts, options } = call;
  const schema = schemaOf(kind, parts.catalog().definitions);
  let known = draft;
  if (duplicates.length === 0 && schema.isWellFormed(draft)) wellFormed.add(draft);
  else {
    if (options.fieldValidation !== 'Ignore') reportFields(call, schema, { draft, duplicates });
    known = schema.defaults(schema.prune(draft));
    if (kind.custom) checkMetadata(call, schema, known);
    else checkTypes(call, schema, known);
  }
  strategyOf(kind).defaults?.(known);
  return known;
}

/**
 * Drafts in which the schema found nothing wrong, so that `validation.ts` need not run it again. Later changes by the hub
 * itself keep a draft well formed; a plugin's changes make a new draft, which is shaped again.
 */
const wellFormed = new WeakSet<Draft>();

/** Tells whether a draft was found well formed, so that the schema need not check it again. */
export function isWellFormed(draft: Draft): boolean {
  return wellFormed.has(draft);
}

interface ReadFields {
  readonly draft: Draft;
  readonly duplicates: readonly string[];
}

function reportFields(call: Call, schema: KindSchema, { draft, duplicates }: ReadFields): void {
  const words = [
    ...unknownFieldWords(schema.unknownFields(draft)),
    ...duplicates.map((field) => `duplicate field ${JSON.stringify(field)}`),
  ].slice(0, mostFieldWarnings);
  if (words.length === 0) return;
  if (call.options.fieldValidation === 'Warn') {
    call.warnings.push(...words);
    return;
  }
  const text = `strict decoding error: ${words.join(', ')}`;
  const isMerged = call.kind.custom && call.request.method === 'PATCH';
  throw badRequest(isMerged ? text : `${handledAs(call.kind, call.kind.kind)}: ${text}`);
}

/**
 * Go cannot even read a built-in kind with a field of the wrong type, so it is a bad request instead of a validation
 * error.
 */
function checkTypes(call: Call, schema: KindSchema, draft: Draft): void {
  const errors = schema.validate(draft);
  if (errors.length === 0) wellFormed.add(draft);
  refuseWrongType(call, errors, call.kind.definition ?? call.kind.kind);
}

const objectMeta = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta';

/** Checks the metadata of a custom resource: Go reads only that into a type of its own. */
function checkMetadata(call: Call, schema: KindSchema, draft: Draft): void {
  refuseWrongType(call, schema.metadataErrors(draft), objectMeta);
}

function refuseWrongType({ kind, parts }: Call, errors: readonly FieldError[], definition: string): void {
  const wrong = errors.find(({ type }) => type === 'typeInvalid');
  if (!wrong) return;
  const field = goFieldOf(wrong.field, definition, parts.catalog().definitions);
  throw badRequest(`${handledAs(kind, kind.kind)}: ${unmarshalText(field, wrong)}`);
}

function unmarshalText({ name, type }: GoField, { value, detail = '' }: FieldError): string {
  const wanted = /must be of type (\S+):/.exec(detail)?.[1];
  if (!wanted) return detail;
  if (wanted === 'byte') return `illegal base64 data at input byte ${String(value).search(/[^A-Za-z0-9+/]/)}`;
  const got = jsonNames[String(value)] ?? String(value);
  return `json: cannot unmarshal ${got} into Go struct field ${name} of type ${type}`;
}

const jsonNames: Readonly<Record<string, string>> = lookup({ integer: 'number', boolean: 'bool' });

/** The resource whose fields are owned. */
export function ownershipScope({ kind, parts, target }: Call): OwnershipScope {
  return { kind, definitions: parts.catalog().definitions, subresource: target.subresource };
}

/** The draft with managedFields that say who owns the fields that the write changed. */
export function tracked(call: Call, draft: Draft, old: KubeObject | undefined): Draft {
  const { request, options, parts } = call;
  if (request.untracked && !old?.metadata.managedFields) return draft;
  const made = trackUpdate({
    ...ownershipScope(call),
    before: old as Draft | undefined,
    after: draft,
    manager: managerNameOf(options.fieldManager, request.headers['user-agent'] ?? ''),
    now: timestamp(parts.clock.now()),
  });
  if (wellFormed.has(draft)) wellFormed.add(made);
  return made;
}
