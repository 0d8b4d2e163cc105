import { notAcceptable } from '../../api/index.ts';

/** The shape in which a client wants objects. */
export interface Accept {
  readonly as: 'object' | 'Table' | 'PartialObjectMetadata' | 'PartialObjectMetadataList';
  /** Of meta.k8s.io, for the transformed shapes. */
  readonly version: 'v1' | 'v1beta1';
  readonly format: 'json' | 'yaml';
}

const plain: Accept = Object.freeze({ as: 'object', version: 'v1', format: 'json' });
const offered = ['application/json', 'application/yaml'];
const shapes: ReadonlySet<string> = new Set(['Table', 'PartialObjectMetadata', 'PartialObjectMetadataList']);

/** Accept headers come from a handful of client libraries, so the few different ones are parsed once each. */
const known = new Map<string, Accept>();

/** The first of the wanted representations that we have; throws 406 when there is none. */
export function acceptOf(text: string): Accept {
  if (text === '' || text === 'application/json') return plain;
  const before = known.get(text);
  if (before) return before;
  const accept = parse(text);
  if (known.size < 1000) known.set(text, accept);
  return accept;
}

function parse(text: string): Accept {
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
  if (as === undefined) return format === 'json' ? plain : { ...plain, format };
  const version = parameters.get('v');
  if (parameters.get('g') !== 'meta.k8s.io' || !shapes.has(as)) return undefined;
  if (version !== 'v1' && version !== 'v1beta1') return undefined;
  return { as: as as Accept['as'], version, format };
}

function formatOf(type: string): 'json' | 'yaml' | undefined {
  if (type === 'application/json' || type === '*/*' || type === 'application/*') return 'json';
  return type === 'application/yaml' ? 'yaml' : undefined;
}
