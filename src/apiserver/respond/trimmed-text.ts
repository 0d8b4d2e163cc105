/**
 * Cuts parts out of the stored JSON text of an object, byte by byte, without parsing it: a list of thousands is sent as the
 * stored bytes, and parsing and writing each object again would cost more than all the rest of the list.
 * The result must be equal to the text of the parsed object without these parts; a text in which a part cannot be found
 * for certain is sent whole.
 */
import { remembering } from '../../base/index.ts';

const list = Buffer.from('"managedFields":[');
const set = Buffer.from('"fieldsV1":');
const metadata = Buffer.from('"metadata":{');
const spec = Buffer.from('"spec":{');
const status = Buffer.from('"status":{');
const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];

const isOpening = (byte: number | undefined): boolean => byte === 0x7b || byte === 0x5b;
const isClosing = (byte: number | undefined): boolean => byte === 0x7d || byte === 0x5d;

/** The text of an object without the sets of fields in its managedFields, which are half of many an object. */
export function withoutFieldSets(text: Buffer): Buffer {
  const at = beforeSpec(text).indexOf(list);
  const from = text.indexOf(metadata) + metadata.length;
  if (at < from || depthAt(text, from, at) !== 0) return text;
  const kept: Buffer[] = [];
  let done = 0;
  for (const [start, end] of setsIn(text, at + list.length - 1)) {
    const follows = text[start - 1] === comma;
    kept.push(text.subarray(done, follows ? start - 1 : start));
    done = !follows && text[end] === comma ? end + 1 : end;
  }
  return kept.length === 0 ? text : Buffer.concat([...kept, text.subarray(done)]);
}

const statusLists = remembering((field) => Buffer.from(`"${field}":[`));

/** The text of an object in pieces, without one list of its status: for callers that have no use for a long one. */
export function withoutStatusList(text: Buffer, field: string): readonly Buffer[] {
  const list = statusLists(field);
  const at = text.lastIndexOf(list);
  const from = at < 0 ? -1 : text.lastIndexOf(status, at);
  if (from < 0 || !isBeside(text, from + status.length, at)) return [text];
  const end = endOf(text, at + list.length - 1);
  // Two objects end after it: the status, and all.
  if (depthAt(text, end, text.length) !== -2) return [text];
  const follows = text[at - 1] === comma;
  const next = !follows && text[end] === comma ? end + 1 : end;
  return [text.subarray(0, follows ? at - 1 : at), text.subarray(next)];
}

/** Tells whether two places are in the same object or list, and not only at the same depth. */
function isBeside(text: Buffer, from: number, to: number): boolean {
  return walk(text, { from, to, floor: -1 }).depth === 0;
}

/**
 * The text before the first object of the name spec, which no metadata has. Searching it instead of the whole text is
 * much shorter where there are no managedFields.
 */
function beforeSpec(text: Buffer): Buffer {
  const at = text.indexOf(spec);
  return at < 0 ? text : text.subarray(0, at);
}

/** Where the sets stand, with their names, in the list that begins at a place. */
function setsIn(text: Buffer, from: number): readonly (readonly [start: number, end: number])[] {
  const found: [number, number][] = [];
  let depth = 0;
  for (let i = from; i < text.length; i++) {
    const byte = text[i];
    if (byte === quote) {
      const isSet = depth === 2 && text.subarray(i, i + set.length).equals(set);
      const end = isSet ? endOf(text, i + set.length) : endOfString(text, i);
      if (isSet) found.push([i, end]);
      i = end - 1;
    } else if (isOpening(byte)) depth++;
    else if (isClosing(byte) && --depth === 0) break;
  }
  return found;
}

/** How deep within objects and lists a place is, from another place on. */
function depthAt(text: Buffer, from: number, to: number): number {
  return walk(text, { from, to, floor: -Infinity }).depth;
}

/** Where the object or list that begins at a place ends. */
function endOf(text: Buffer, from: number): number {
  return walk(text, { from, to: text.length, floor: 0 }).at;
}

interface Way {
  readonly from: number;
  readonly to: number;
  /** It ends after the bracket with which the depth falls to this. */
  readonly floor: number;
}

/** Goes over objects, lists and strings: where it ends, and how deep it is there. */
function walk(text: Buffer, { from, to, floor }: Way): { readonly at: number; readonly depth: number } {
  let depth = 0;
  for (let i = from; i < to; i++) {
    const byte = text[i];
    if (byte === quote) i = endOfString(text, i) - 1;
    else if (isOpening(byte)) depth++;
    else if (isClosing(byte) && --depth === floor) return { at: i + 1, depth };
  }
  return { at: to, depth };
}

/** Where the string that begins at a place ends. */
function endOfString(text: Buffer, from: number): number {
  for (let i = from + 1; i < text.length; i++) {
    if (text[i] === backslash) i++;
    else if (text[i] === quote) return i + 1;
  }
  return text.length;
}
