import { freeze } from '../base/index.ts';
import type { KindInfo, KubeObject } from '../api/index.ts';
import type { Entry } from '../store/index.ts';

/**
 * Stored values carry no resourceVersion, because the store gives out the revision when it commits, and begin with
 * apiVersion, kind and metadata in this order. So the served text is the stored text with a new head:
 * nothing is parsed or serialised to read, list or watch.
 */
const beforeVersion = '{"apiVersion":"'.length;
const betweenVersionAndKind = '","kind":"'.length;
const afterKind = '","metadata":{'.length;

/** Builds the form in which a value is stored; every stored object goes through here. */
export function storedForm(object: KubeObject, kind: KindInfo): KubeObject {
  const { apiVersion: _apiVersion, kind: _kind, metadata, ...rest } = object;
  const { resourceVersion: _resourceVersion, ...kept } = metadata;
  return freeze({ apiVersion: apiVersionOf(kind.group, kind.storageVersion), kind: kind.kind, metadata: kept, ...rest });
}

/** `apps/v1`, `v1` */
export function apiVersionOf(group: string, version: string): string {
  return group ? `${group}/${version}` : version;
}

function tailAt(value: KubeObject): number {
  return beforeVersion + value.apiVersion.length + betweenVersionAndKind + value.kind.length + afterKind;
}

function valueOf(entry: Entry): KubeObject {
  return entry.value as KubeObject;
}

/** The head and the tail of the text that clients get; put together they are the object. */
export interface ServedParts {
  readonly head: string;
  /** Part of the stored bytes; never change it. */
  readonly tail: Buffer;
}

/** The object in this version, as text in two parts. Items of typed lists do not repeat their kind. */
export function servedParts(entry: Entry, apiVersion: string, asItem = false): ServedParts {
  const value = valueOf(entry);
  const type = asItem ? '' : `"apiVersion":"${apiVersion}","kind":"${value.kind}",`;
  const head = `{${type}"metadata":{"resourceVersion":"${entry.revision}",`;
  return { head, tail: entry.bytes.subarray(tailAt(value)) };
}

/** The object in this version, as text. */
export function servedBytes(entry: Entry, apiVersion: string): Buffer {
  return framed(servedParts(entry, apiVersion), '', '');
}

/** One buffer of prefix, object and suffix; all but the object must be ASCII. */
export function framed(parts: ServedParts, prefix: string, suffix: string): Buffer {
  const start = prefix.length + parts.head.length;
  const buffer = Buffer.allocUnsafe(start + parts.tail.length + suffix.length);
  buffer.latin1Write(prefix, 0);
  buffer.latin1Write(parts.head, prefix.length);
  parts.tail.copy(buffer, start);
  if (suffix) buffer.latin1Write(suffix, start + parts.tail.length);
  return buffer;
}

const servedObjects = new WeakMap<Entry, KubeObject>();

/** The object in this version, frozen and shared: the same entry gives the same object. */
export function servedObject(entry: Entry, apiVersion: string): KubeObject {
  const before = servedObjects.get(entry);
  if (before) return before.apiVersion === apiVersion ? before : Object.freeze({ ...before, apiVersion });
  const value = valueOf(entry);
  const metadata = Object.freeze({ ...value.metadata, resourceVersion: String(entry.revision) });
  const object = Object.freeze({ ...value, apiVersion, metadata });
  servedObjects.set(entry, object);
  return object;
}
