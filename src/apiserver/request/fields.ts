import { lookup } from '../../base/index.ts';
import { badRequest } from '../../api/index.ts';
import type { FieldError } from '../../api/index.ts';
import type { Draft } from '../../kinds/index.ts';
import { goFieldOf, schemaOf, unknownFieldWords } from '../../schema/index.ts';
import type { GoField, KindSchema } from '../../schema/index.ts';
import type { Call } from '../call.ts';
import { mostFieldWarnings } from '../respond/warnings.ts';

/** Drops, warns of or refuses fields that the kind does not know, fills in defaults, and refuses values of the wrong type. */
export function shaped(call: Call, draft: Draft, duplicates: readonly string[]): Draft {
  const { kind, parts, options } = call;
  const schema = schemaOf(kind, parts.catalog().definitions);
  if (duplicates.length === 0 && schema.isWellFormed(draft)) return asFlawless(draft);
  if (options.fieldValidation !== 'Ignore') reportFields(call, schema, { draft, duplicates });
  const known = schema.defaults(schema.prune(draft));
  if (kind.custom) checkMetadata(call, schema, known);
  else checkTypes(call, schema, known);
  return known;
}

/** Drafts in which the schema found nothing; what the hub itself fills in afterwards is right. */
const flawless = new WeakSet<Draft>();

/** What is made of a flawless draft by adding what the hub knows to be right is flawless, too. */
export function keepFlawless(draft: Draft, made: Draft): Draft {
  return flawless.has(draft) ? asFlawless(made) : made;
}

function asFlawless(draft: Draft): Draft {
  flawless.add(draft);
  return draft;
}

/** Need the schema not look at this draft again? */
export function isFlawless(draft: Draft): boolean {
  return flawless.has(draft);
}

interface Read {
  readonly draft: Draft;
  readonly duplicates: readonly string[];
}

function reportFields(call: Call, schema: KindSchema, { draft, duplicates }: Read): void {
  const words = [
    ...unknownFieldWords(schema.unknownFields(draft)),
    ...duplicates.map((field) => `duplicate field ${JSON.stringify(field)}`),
  ].slice(0, mostFieldWarnings);
  if (words.length === 0) return;
  if (call.options.fieldValidation === 'Warn') call.warnings.push(...words);
  else throw strictError(call, words);
}

function strictError(call: Call, words: readonly string[]): Error {
  const text = `strict decoding error: ${words.join(', ')}`;
  const isMerged = call.kind.custom && call.request.method === 'PATCH';
  return badRequest(isMerged ? text : `${handledAs(call)}: ${text}`);
}

function handledAs({ kind }: Call): string {
  return `${kind.kind} in version "${kind.version}" cannot be handled as a ${kind.kind}`;
}

/** Go cannot even read a built-in kind with a field of the wrong type, so it is no validation error but a bad request. */
function checkTypes(call: Call, schema: KindSchema, draft: Draft): void {
  const errors = schema.validate(draft);
  if (errors.length === 0) flawless.add(draft);
  const wrong = errors.find(({ type }) => type === 'typeInvalid');
  if (!wrong) return;
  const { kind, parts } = call;
  const field = goFieldOf(wrong.field, kind.definition ?? kind.kind, parts.catalog().definitions);
  throw badRequest(`${handledAs(call)}: ${unmarshalText(field, wrong)}`);
}

/** Of a custom resource Go reads only the metadata into a type of its own. */
function checkMetadata(call: Call, schema: KindSchema, draft: Draft): void {
  const wrong = schema.metadataErrors(draft).find(({ type }) => type === 'typeInvalid');
  if (!wrong) return;
  const field = goFieldOf(wrong.field, objectMeta, call.parts.catalog().definitions);
  throw badRequest(`${handledAs(call)}: ${unmarshalText(field, wrong)}`);
}

const objectMeta = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta';

function unmarshalText({ name, type }: GoField, { value, detail = '' }: FieldError): string {
  const wanted = /must be of type (\S+):/.exec(detail)?.[1];
  if (!wanted) return detail;
  if (wanted === 'byte') return `illegal base64 data at input byte ${String(value).search(/[^A-Za-z0-9+/]/)}`;
  const got = jsonNames[String(value)] ?? String(value);
  return `json: cannot unmarshal ${got} into Go struct field ${name} of type ${type}`;
}

const jsonNames: Readonly<Record<string, string>> = lookup({ integer: 'number', boolean: 'bool' });
