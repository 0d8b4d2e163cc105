import { freeze } from '../base/index.ts';
import { apiVersionOf } from '../api/index.ts';
import type { KindInfo, KubeObject } from '../api/index.ts';
import type { Entry } from '../store/index.ts';
import { conversionOf } from './conversion.ts';

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
  const converted = conversionOf(kind)?.toStorage(object) ?? object;
  const { apiVersion: _apiVersion, kind: _kind, metadata, ...rest } = converted;
  const { resourceVersion: _resourceVersion, ...kept } = metadata;
  const apiVersion = apiVersionOf({ group: kind.storageGroup ?? kind.group, version: kind.storageVersion });
  return freeze({ apiVersion, kind: kind.kind, metadata: kept, ...rest });
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

/** The object in the version of this kind, as text in two parts. Items of typed lists do not repeat their kind. */
export function servedParts(entry: Entry, kind: KindInfo, asItem = false): ServedParts {
  if (conversionOf(kind)) return { head: '', tail: Buffer.from(JSON.stringify(servedObject(entry, kind))) };
  const type = asItem ? '' : `"apiVersion":"${apiVersionOf(kind)}","kind":"${kind.kind}",`;
  const head = `{${type}"metadata":{"resourceVersion":"${entry.revision}",`;
  return { head, tail: entry.bytes.subarray(tailAt(valueOf(entry))) };
}

/** The object in the version of this kind, as text. */
export function servedBytes(entry: Entry, kind: KindInfo): Buffer {
  return framed(servedParts(entry, kind), '', '');
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

/** The object in the version of this kind, frozen and shared: the same entry gives the same object. */
export function servedObject(entry: Entry, kind: KindInfo): KubeObject {
  const object = storageObject(entry);
  const conversion = conversionOf(kind);
  if (conversion) return freeze(conversion.fromStorage(object));
  const apiVersion = apiVersionOf(kind);
  return object.apiVersion === apiVersion ? object : Object.freeze({ ...object, apiVersion });
}

/** The object with its resourceVersion, in the version in which it is stored. */
export function storageObject(entry: Entry): KubeObject {
  const before = servedObjects.get(entry);
  if (before) return before;
  const value = valueOf(entry);
  const metadata = Object.freeze({ ...value.metadata, resourceVersion: String(entry.revision) });
  const object = Object.freeze({ ...value, metadata });
  servedObjects.set(entry, object);
  return object;
}
