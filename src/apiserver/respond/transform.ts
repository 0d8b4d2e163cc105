import { apiVersionOf, badRequest } from '../../api/index.ts';
import type { KubeObject } from '../../api/index.ts';
import { tableColumns, tableRow } from '../../kinds/index.ts';
import type { Entry } from '../../store/index.ts';
import type { Call, ListOutcome, Outcome } from '../call.ts';
import { servedObject } from '../storage/stored-form.ts';

/** metadata of a list. */
export function listMeta(list: Pick<ListOutcome, 'revision' | 'continue' | 'remaining'>): object {
  return {
    resourceVersion: String(list.revision),
    ...(list.continue && { continue: list.continue }),
    ...(list.remaining !== undefined && { remainingItemCount: list.remaining }),
  };
}

/** The object of an outcome when it is one of the kind that the call is about; undefined for a Status and the like. */
export function shownObject(call: Call, outcome: Outcome): KubeObject | undefined {
  if ('entry' in outcome) return servedObject(outcome.entry, call.kind);
  if (!('object' in outcome)) return undefined;
  const object = outcome.object as KubeObject;
  return object.kind === call.kind.kind && object.apiVersion === apiVersionOf(call.kind) ? object : undefined;
}

/** The input of a table: a page of a list, or objects alone. */
export type TableInput =
  | ListOutcome
  | { readonly objects: readonly KubeObject[]; readonly revision?: number; readonly withoutHeader?: boolean };

const inclusions: ReadonlySet<string> = new Set(['', 'None', 'Metadata', 'Object']);

/** A meta.k8s.io Table, as `kubectl get` prints it. */
export function tableOf(call: Call, input: TableInput): object {
  const { kind, parts, accept } = call;
  checkInclusion(call);
  const objects = 'objects' in input ? input.objects : input.entries.map((entry: Entry) => servedObject(entry, kind));
  const now = parts.clock.now();
  const withoutHeader = 'objects' in input && input.withoutHeader === true;
  return {
    kind: 'Table',
    apiVersion: `meta.k8s.io/${accept.version}`,
    metadata: 'entries' in input ? listMeta(input) : singleMeta(objects),
    columnDefinitions: withoutHeader ? null : tableColumns(kind),
    rows: objects.map((object) => Object.assign({}, tableRow(kind, object, now), included(call, object))),
  };
}

function singleMeta(objects: readonly KubeObject[]): object {
  const resourceVersion = objects[0]?.metadata.resourceVersion;
  return resourceVersion === undefined ? {} : { resourceVersion };
}

/** Refuses a query for a table whose rows contain something unknown. */
export function checkInclusion({ options }: Call): void {
  const { includeObject } = options;
  if (inclusions.has(includeObject)) return;
  const detail = `Invalid value: ${JSON.stringify(includeObject)}: must be 'Metadata', 'Object', 'None', or empty`;
  throw badRequest(`Unable to convert to Table as requested: includeObject: ${detail}`);
}

function included(call: Call, object: KubeObject): object {
  const { includeObject } = call.options;
  if (includeObject === 'None') return {};
  return { object: includeObject === 'Object' ? object : partialObject(call, object) };
}

/** A PartialObjectMetadata. */
export function partialObject(call: Call, object: KubeObject): object {
  const apiVersion = `meta.k8s.io/${call.accept.version}`;
  return { kind: 'PartialObjectMetadata', apiVersion, metadata: object.metadata };
}

/** A PartialObjectMetadataList. */
export function partialList(call: Call, list: ListOutcome): object {
  return {
    kind: 'PartialObjectMetadataList',
    apiVersion: `meta.k8s.io/${call.accept.version}`,
    metadata: listMeta(list),
    items: list.entries.map((entry) => partialObject(call, servedObject(entry, call.kind))),
  };
}
