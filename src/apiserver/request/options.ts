import { badRequest, invalid, invalidValue, notAcceptable, tooLong } from '../../api/index.ts';
import type { FieldError } from '../../api/index.ts';

/** The treatment of unknown fields in a request. */
export type FieldValidation = 'Strict' | 'Warn' | 'Ignore';
/** The treatment of dependents when their owner is deleted. */
export type Propagation = 'Background' | 'Foreground' | 'Orphan';

/** The query of a request, parsed once. Absent text parameters are the empty string, as in Kubernetes. */
export interface Options {
  readonly watch: boolean;
  readonly labelSelector: string;
  readonly fieldSelector: string;
  readonly resourceVersion: string;
  readonly resourceVersionMatch: string;
  readonly limit: number;
  readonly continue: string;
  readonly timeoutSeconds: number | undefined;
  readonly allowWatchBookmarks: boolean;
  readonly sendInitialEvents: boolean | undefined;
  readonly includeObject: string;
  readonly dryRun: boolean;
  readonly fieldManager: string;
  readonly fieldValidation: FieldValidation;
  readonly force: boolean | undefined;
  readonly propagationPolicy: string;
  readonly orphanDependents: boolean | undefined;
  readonly gracePeriodSeconds: number | undefined;
  readonly pretty: boolean;
}

const none: Options = Object.freeze({
  watch: false,
  labelSelector: '',
  fieldSelector: '',
  resourceVersion: '',
  resourceVersionMatch: '',
  limit: 0,
  continue: '',
  timeoutSeconds: undefined,
  allowWatchBookmarks: false,
  sendInitialEvents: undefined,
  includeObject: '',
  dryRun: false,
  fieldManager: '',
  fieldValidation: 'Warn',
  force: undefined,
  propagationPolicy: '',
  orphanDependents: undefined,
  gracePeriodSeconds: undefined,
  pretty: false,
});

/** Parses the query of a request on resources; throws the 4xx that Kubernetes answers to nonsense. */
export function optionsOf(query: string): Options {
  if (query === '') return none;
  const values = valuesOf(query);
  const text = (name: string): string => values.get(name)?.[0] ?? '';
  const flag = (name: string): boolean | undefined => flagOf(values.get(name)?.[0], name);
  return {
    watch: flag('watch') ?? false,
    labelSelector: text('labelSelector'),
    fieldSelector: text('fieldSelector'),
    resourceVersion: text('resourceVersion'),
    resourceVersionMatch: text('resourceVersionMatch'),
    limit: wholeOf(values, 'limit') ?? 0,
    continue: text('continue'),
    timeoutSeconds: wholeOf(values, 'timeoutSeconds'),
    allowWatchBookmarks: flag('allowWatchBookmarks') ?? false,
    sendInitialEvents: flag('sendInitialEvents'),
    includeObject: text('includeObject'),
    dryRun: dryRunOf(values.get('dryRun')),
    fieldManager: managerOf(text('fieldManager')),
    fieldValidation: fieldValidationOf(text('fieldValidation')),
    force: flag('force'),
    propagationPolicy: text('propagationPolicy'),
    orphanDependents: flag('orphanDependents'),
    gracePeriodSeconds: wholeOf(values, 'gracePeriodSeconds'),
    pretty: flag('pretty') ?? false,
  };
}

const duration = /^[+-]?(0|(\d+\.?\d*|\.\d+)(ns|us|µs|μs|ms|s|m|h))+$/;

/** Throws 400 for a `timeout` in the URL that is no duration of Go. */
export function checkTimeout(query: string): void {
  if (!query.includes('timeout=')) return;
  const text = valuesOf(query).get('timeout')?.[0] ?? '';
  if (text === '' || duration.test(text)) return;
  throw badRequest(`invalid timeout specified in the request URL - time: invalid duration ${JSON.stringify(text)}`);
}

/** All values of each name, in order. */
export function valuesOf(query: string): ReadonlyMap<string, readonly string[]> {
  const values = new Map<string, string[]>();
  for (const pair of query.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = decode(equals < 0 ? pair : pair.slice(0, equals));
    const value = equals < 0 ? '' : decode(pair.slice(equals + 1));
    const all = values.get(name);
    if (all) all.push(value);
    else values.set(name, [value]);
  }
  return values;
}

function decode(text: string): string {
  if (!text.includes('%') && !text.includes('+')) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw badRequest(`invalid URL escape in ${JSON.stringify(text)}`);
  }
}

/** A name without a value counts as true, as in Go's conversion of query parameters. */
function flagOf(value: string | undefined, name: string): boolean | undefined {
  if (value === undefined) return undefined;
  if (value === '' || value === 'true' || value === '1') return true;
  if (value === 'false' || value === '0') return false;
  throw badRequest(`strconv.ParseBool: parsing ${JSON.stringify(value)}: invalid syntax (${name})`);
}

function wholeOf(values: ReadonlyMap<string, readonly string[]>, name: string): number | undefined {
  const value = values.get(name)?.[0];
  if (value === undefined || value === '') return undefined;
  if (!/^-?\d{1,18}$/.test(value))
    throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(value)}: invalid syntax`);
  return Number(value);
}

function dryRunOf(values: readonly string[] | undefined): boolean {
  if (values === undefined || values.length === 0) return false;
  const bad = values.find((value) => value !== 'All');
  if (bad === undefined) return true;
  throw invalidOptions('CreateOptions', [
    { type: 'notSupported', field: 'dryRun', value: values, detail: 'supported values: "All"' },
  ]);
}

const longestManager = 128;

function managerOf(value: string): string {
  if (value.length > longestManager) throw invalidOptions('CreateOptions', [tooLong('fieldManager', longestManager)]);
  if (/^[\p{L}\p{M}\p{N}\p{P}\p{S} ]*$/u.test(value)) return value;
  throw invalidOptions('CreateOptions', [
    invalidValue('fieldManager', value, 'should only contain printable characters'),
  ]);
}

function fieldValidationOf(value: string): FieldValidation {
  if (value === '') return 'Warn';
  if (value === 'Strict' || value === 'Warn' || value === 'Ignore') return value;
  const detail = 'supported values: "", "Ignore", "Strict", "Warn"';
  throw invalidOptions('CreateOptions', [{ type: 'notSupported', field: 'fieldValidation', value, detail }]);
}

/** The 422 of an options object: `ListOptions.meta.k8s.io "" is invalid: …`. */
export function invalidOptions(kind: string, errors: readonly FieldError[]): Error {
  return invalid({ group: 'meta.k8s.io', kind }, '', errors);
}

/** The shape in which a client wants objects. */
export interface Accept {
  readonly as: 'object' | 'Table' | 'PartialObjectMetadata' | 'PartialObjectMetadataList';
  /** The version of meta.k8s.io, for the transformed shapes. */
  readonly version: 'v1' | 'v1beta1';
  readonly format: 'json' | 'yaml';
}

const plainJson: Accept = Object.freeze({ as: 'object', version: 'v1', format: 'json' });
/** The media types of answers. */
export const offered = ['application/json', 'application/yaml'];
const shapes: ReadonlySet<string> = new Set(['Table', 'PartialObjectMetadata', 'PartialObjectMetadataList']);

/** Accept headers come from a handful of client libraries, so the few different ones are parsed once each. */
const knownAccepts = new Map<string, Accept>();

/** The first of the wanted representations that we have; throws 406 when there is none. */
export function acceptOf(text: string): Accept {
  if (text === '' || text === 'application/json') return plainJson;
  const before = knownAccepts.get(text);
  if (before) return before;
  const accept = parseAccept(text);
  if (knownAccepts.size < 1000) knownAccepts.set(text, accept);
  return accept;
}

function parseAccept(text: string): Accept {
  for (const clause of text.split(',')) {
    const [type = '', ...parameters] = clause.split(';').map((part) => part.trim());
    const accept = clauseOf(type, new Map(parameters.map(pairOf)));
    if (accept) return accept;
  }
  throw notAcceptable(offered);
}

function pairOf(parameter: string): [string, string] {
  const equals = parameter.indexOf('=');
  return equals < 0 ? [parameter, ''] : [parameter.slice(0, equals), parameter.slice(equals + 1)];
}

function clauseOf(type: string, parameters: ReadonlyMap<string, string>): Accept | undefined {
  const format = formatOf(type);
  if (!format) return undefined;
  const as = parameters.get('as');
  if (as === undefined) return format === 'json' ? plainJson : { ...plainJson, format };
  const version = parameters.get('v');
  if (parameters.get('g') !== 'meta.k8s.io' || !shapes.has(as)) return undefined;
  if (version !== 'v1' && version !== 'v1beta1') return undefined;
  return { as: as as Accept['as'], version, format };
}

function formatOf(type: string): 'json' | 'yaml' | undefined {
  if (type === 'application/json' || type === '*/*' || type === 'application/*') return 'json';
  return type === 'application/yaml' ? 'yaml' : undefined;
}
