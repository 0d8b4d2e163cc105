import { clone, documentIn, isDeeper, isObject } from '../../base/index.ts';
import { badRequest, invalid, invalidValue, tooLarge, unsupportedMediaType } from '../../api/index.ts';
import { duplicateKeys } from './duplicate-keys.ts';
import type { HubRequest } from '../http.ts';
import { decodeProtobuf, protobufMediaType } from '../protobuf/decode.ts';

/** The largest body that is read. */
export const largestBody = 3 * 1024 * 1024;

/**
 * Levels of arrays and objects in a body. Go stops at 10,000; code that recurses here would run out of stack before, in this
 * request or whenever a controller handles the object.
 */
const mostLevels = 500;
/** Levels of what is derived from such a body: its managedFields, and an object of a controller that wraps it. */
const mostDerivedLevels = mostLevels + 20;
const tooDeep = 'exceeded max depth';

const mediaTypes = ['application/json', 'application/yaml', protobufMediaType];

/** A decoded body, which the caller owns, and the keys that stood twice in it. */
export interface Body {
  readonly value: Record<string, unknown>;
  readonly duplicates: readonly string[];
}

/** The body of a write; throws the 4xx of Kubernetes when it cannot be read. */
export function bodyOf(request: HubRequest, checkDuplicates: boolean): Body {
  if (request.object !== undefined) return { value: objectOf(clone(request.object)), duplicates: [] };
  const { body } = request;
  if (!body || body.length === 0) {
    throw badRequest("couldn't get version/kind; json parse error: unexpected end of JSON input (<empty>)");
  }
  if (body.length > largestBody) throw tooLarge(largestBody);
  const type = mediaTypeOf(request);
  if (type === protobufMediaType) return { value: decodeProtobuf(body), duplicates: [] };
  if (type === 'application/yaml') return fromYaml(body);
  if (type !== '' && type !== 'application/json' && type !== '*/*') throw unsupportedMediaType(mediaTypes);
  return fromJson(body, checkDuplicates);
}

/** The Content-Type without its parameters. */
export function mediaTypeOf(request: HubRequest): string {
  const type = request.headers['content-type'] ?? '';
  const semicolon = type.indexOf(';');
  return (semicolon < 0 ? type : type.slice(0, semicolon)).trim().toLowerCase();
}

const surrogate = /\\u[dD][89a-fA-F]/;
const escape = /\\(?:u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|(u[dD][89a-fA-F][\da-fA-F]{2})|.)/gs;

/**
 * The value of a JSON text that is not nested too deep. Half of a surrogate pair becomes U+FFFD, as in Go: no file
 * could contain it.
 */
function shallow(text: string): unknown {
  const wellFormed = surrogate.test(text)
    ? text.replaceAll(escape, (all, half: string | undefined) => (half ? String.raw`\ufffd` : all))
    : text;
  return checkLevels(JSON.parse(wellFormed));
}

function checkLevels(value: unknown): unknown {
  if (isDeeper(value, mostLevels) && isTooDeep(value)) throw new SyntaxError(tooDeep);
  return value;
}

/** managedFields are a little deeper than the fields that they speak of. */
function isTooDeep(value: unknown): boolean {
  const metadata = isObject(value) && isObject(value['metadata']) ? value['metadata'] : undefined;
  if (!metadata || !isObject(value)) return true;
  const { managedFields, ...rest } = metadata;
  return isDeeper(managedFields, mostDerivedLevels) || isDeeper({ ...value, metadata: rest }, mostLevels);
}

/** A JSON body; throws 400 when it is not a JSON object. */
function fromJson(body: Buffer, checkDuplicates: boolean): Body {
  let value: unknown;
  try {
    value = shallow(body.toString('utf8'));
  } catch (error) {
    throw badRequest(`couldn't get version/kind; json parse error: ${goWords(error)} (${summaryOf(body)})`);
  }
  return { value: objectOf(value), duplicates: checkDuplicates ? duplicateKeys(body, value) : [] };
}

/** The body of a patch; what is no JSON is the caller's fault. */
export function parsePatch(body: Buffer | undefined): unknown {
  try {
    return shallow(body?.toString('utf8') ?? '');
  } catch (error) {
    throw badRequest(`error decoding patch: ${goWords(error)}`);
  }
}

/** Throws 422 when a patch has made an object too deep. */
export function checkDepth<T>(patched: T): T {
  if (!isDeeper(patched, mostDerivedLevels)) return patched;
  throw invalid({ group: '', kind: '' }, '', [invalidValue('patch', '', tooDeep)]);
}

/** Go begins its messages with a small letter. */
function goWords(error: unknown): string {
  const words = messageOf(error);
  return words.slice(0, 1).toLowerCase() + words.slice(1);
}

const shown = 30;

/** The beginning of a body: as text when it looks like an object, else in hex. */
function summaryOf(body: Buffer): string {
  if (body.length === 0) return '<empty>';
  const start = body.subarray(0, shown).toString(body[0] === 0x7b ? 'utf8' : 'hex');
  return body.length > shown ? `${start} ...` : start;
}

const openBrace = 0x7b;

/**
 * The value of a JSON text; undefined when it is not JSON, or when only a reader of YAML finds what is wrong with it.
 */
function asJson(body: Buffer): unknown {
  try {
    const value = shallow(body.toString('utf8'));
    return duplicateKeys(body, value).length === 0 ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Parses one YAML document, of which JSON is a part: kubectl applies JSON, and that is read ten times faster as what it is. */
export function parseYaml(body: Buffer): unknown {
  const json = body[0] === openBrace ? asJson(body) : undefined;
  if (json !== undefined) return json;
  try {
    return checkLevels(documentIn(body.toString('utf8')));
  } catch (error) {
    throw badRequest(`error converting YAML to JSON: ${yamlWords(error, body)}`);
  }
}

/** The message of a YAML error; a key that stands twice is named with its line, as Go does. */
function yamlWords(error: unknown, body: Buffer): string {
  const line = /^duplicated mapping key \((\d+):/.exec(messageOf(error))?.[1];
  if (line === undefined) return messageOf(error);
  const text = body.toString('utf8').split('\n')[Number(line) - 1] ?? '';
  const key = text.replace(/^[\s-]*/, '').replace(/\s*:.*$/, '');
  return `yaml: unmarshal errors:\n  line ${line}: key ${JSON.stringify(key)} already set in map`;
}

function fromYaml(body: Buffer): Body {
  return { value: objectOf(parseYaml(body)), duplicates: [] };
}

function objectOf(value: unknown): Record<string, unknown> {
  if (isObject(value)) return value;
  throw badRequest(
    `couldn't get version/kind; json parse error: json: cannot unmarshal ${kindOf(value)} into Go value`,
  );
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  return value === null ? 'null' : typeof value;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
