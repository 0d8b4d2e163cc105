import { apiVersionOf, applyDefaults, convertObject, storedTooLarge } from '../../api/index.ts';
import type { KindInfo, KubeObject } from '../../api/index.ts';
import { freeze } from '../../base/index.ts';
import type { Draft } from '../../kinds/index.ts';
import { managedText, readManagedText } from '../../patch/index.ts';
import type { Call } from '../call.ts';
import type { Entry, Recipe, StoreWrite, Written } from '../../store/index.ts';

/** The apiVersion in which objects of a kind are stored. */
export function storedVersion(kind: KindInfo): string {
  return apiVersionOf({ group: kind.storageGroup ?? kind.group, version: kind.storageVersion });
}

/**
 * The form in which an object is stored; every stored object goes through here.
 * It begins with apiVersion, kind and metadata in this order and carries its own resourceVersion, which the store
 * gives out while it writes: so the stored text is the served text, and reads, lists and watches only pass it on.
 * It is the store that freezes it, after it has made the text: of a frozen object that takes twice as long.
 */
function storedForm(draft: Draft | KubeObject, kind: KindInfo, revision: number): KubeObject {
  const { apiVersion, kind: _kind, metadata, ...rest } = convertObject(draft, storedVersion(kind));
  const stamped = { ...metadata, resourceVersion: String(revision) };
  return { apiVersion, kind: kind.kind, metadata: stamped, ...rest };
}

/** An object as a write hands it to the store. */
export function stored(
  draft: Draft | KubeObject,
  kind: KindInfo,
): Required<Pick<StoreWrite & { verb: 'put' }, 'value' | 'text'>> {
  return { value: (revision) => storedForm(draft, kind, revision), text: storedText };
}

/** Bytes of the text of a custom object: etcd takes no larger request by default. */
const mostCustom = 1.5 * 1024 * 1024;
/** Bytes of the text of a built-in object: Kubernetes stores these in protobuf, which takes less. */
const mostBuiltin = 3 * 1024 * 1024;
/** Bytes of an object that is made in this process out of one that was accepted, as a Work is of its template. */
const mostDerived = 4 * 1024 * 1024;

/**
 * The same for a write that a client asked for: throws 413, with etcd's words, when the object is too large. One that was
 * stored larger may be written as long as it does not grow.
 */
export function storedWithin(call: Call, draft: Draft, before = 0): ReturnType<typeof stored> {
  const { kind } = call;
  const most = Math.max(before, mostBytes(call));
  const text = (value: object): Written => {
    const written = storedText(value);
    // A character takes up to three bytes: most texts need not be measured.
    if (written.text.length * 3 > most && Buffer.byteLength(written.text) > most) throw storedTooLarge();
    return written;
  };
  return { value: (revision) => storedForm(draft, kind, revision), text };
}

function mostBytes({ request, kind }: Call): number {
  if (request.object !== undefined) return mostDerived;
  return kind.custom ? mostCustom : mostBuiltin;
}

function storedText(value: object): Written {
  const { text, spans } = managedText(value as KubeObject);
  return spans.length === 0 ? { text } : { text, recipe: new Spans(spans) };
}

/** Where in the text the sets of fields stand. */
class Spans implements Recipe {
  readonly #spans: readonly number[];

  constructor(spans: readonly number[]) {
    this.#spans = spans;
  }

  read(text: string): object {
    return readManagedText(text, this.#spans);
  }
}

function isStoredVersion(kind: KindInfo): boolean {
  return kind.version === kind.storageVersion && kind.storageGroup === undefined;
}

/** Objects of custom kinds keep the version that they were last written in, when their definition stores another one since. */
function isInVersion({ apiVersion }: KubeObject, kind: KindInfo): boolean {
  return isStoredVersion(kind) && (!kind.custom || apiVersion === apiVersionOf(kind));
}

/** Was the object stored before its kind had the defaults of now? */
function lacksDefaults({ revision }: Entry, { defaultsSince }: KindInfo): boolean {
  return defaultsSince !== undefined && revision < defaultsSince;
}

/** The object in the version of this kind, frozen. */
export function servedObject(entry: Entry, kind: KindInfo): KubeObject {
  const object = entry.value as KubeObject;
  if (lacksDefaults(entry, kind)) return freeze(completed(object, kind));
  return isInVersion(object, kind) ? object : freeze(convertObject(object, apiVersionOf(kind)));
}

function completed(object: KubeObject, kind: KindInfo): KubeObject {
  return applyDefaults(convertObject(object, apiVersionOf(kind)), kind.schema);
}

/** The same for those who only read it, or share its parts with what they write: not frozen for their sake. */
export function plainObject(entry: Entry, kind: KindInfo): KubeObject {
  const object = entry.plain as KubeObject;
  if (lacksDefaults(entry, kind)) return completed(object, kind);
  return isInVersion(object, kind) ? object : convertObject(object, apiVersionOf(kind));
}

/** The object in the version of this kind, as text; often the stored bytes themselves, so never change it. */
export function servedBytes(entry: Entry, kind: KindInfo): Buffer {
  if (lacksDefaults(entry, kind)) return Buffer.from(JSON.stringify(servedObject(entry, kind)));
  if (kind.custom) return customBytes(entry.bytes, kind);
  return isStoredVersion(kind) ? entry.bytes : Buffer.from(JSON.stringify(servedObject(entry, kind)));
}

/** Versions of a custom kind differ by their name, which stands at the head of the text. */
function customBytes(bytes: Buffer, kind: KindInfo): Buffer {
  const head = headOf(apiVersionOf(kind), kind);
  if (bytes.toString('latin1', 0, head.length) === head) return bytes;
  return Buffer.concat([Buffer.from(head, 'latin1'), bytes.subarray(bytes.indexOf('"metadata":'))]);
}

/** The stored text of a kind before `"metadata":{`. */
function headOf(apiVersion: string, { kind }: KindInfo): string {
  return `{"apiVersion":"${apiVersion}","kind":"${kind}",`;
}

/** The object as an item of a list: built-in kinds do not repeat their type in each, custom ones do. */
export function itemParts(kind: KindInfo): (entry: Entry) => readonly [head: string, tail: Buffer] {
  if (kind.custom) return (entry) => ['', servedBytes(entry, kind)];
  if (!isStoredVersion(kind)) return (entry) => ['', withoutType(servedObject(entry, kind))];
  const at = headOf(storedVersion(kind), kind).length;
  return (entry) => ['{', entry.bytes.subarray(at)];
}

function withoutType(object: KubeObject): Buffer {
  const { apiVersion: _apiVersion, kind: _kind, ...rest } = object;
  return Buffer.from(JSON.stringify(rest));
}
