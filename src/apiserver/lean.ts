/** By this header a caller who reads many objects says what it has no use for. */
export const withoutHeader = 'x-sluice-without';
/** Its one value: who wrote when is told, but not which fields. */
export const fieldSets = 'fieldsV1';

const list = Buffer.from('"managedFields":[');
const set = Buffer.from('"fieldsV1":');
const metadata = Buffer.from('"metadata":{');
const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const opens: ReadonlySet<number> = new Set([0x7b, 0x5b]);
const closes: ReadonlySet<number> = new Set([0x7d, 0x5d]);

/** The text of an object without the sets of fields in its managedFields, which are half of many an object. */
export function withoutFieldSets(text: Buffer): Buffer {
  const at = text.indexOf(list);
  const from = text.indexOf(metadata) + metadata.length;
  if (at < from || depthAt(text, from, at) !== 0) return text;
  const end = endOf(text, at + list.length - 1);
  const kept: Buffer[] = [];
  let done = 0;
  for (let next = text.indexOf(set, at); next >= 0 && next < end; next = text.indexOf(set, done)) {
    const after = endOf(text, next + set.length);
    const isLast = text[next - 1] === comma;
    kept.push(text.subarray(done, isLast ? next - 1 : next));
    done = !isLast && text[after] === comma ? after + 1 : after;
  }
  return Buffer.concat([...kept, text.subarray(done)]);
}

/** How deep within objects and lists a place is, from another place on. */
function depthAt(text: Buffer, from: number, to: number): number {
  let depth = 0;
  for (let i = from; i < to; i++) {
    const byte = text[i] ?? 0;
    if (byte === quote) i = endOfString(text, i) - 1;
    else if (opens.has(byte)) depth++;
    else if (closes.has(byte)) depth--;
  }
  return depth;
}

/** Where the object or list that begins at a place ends. */
function endOf(text: Buffer, from: number): number {
  let depth = 0;
  for (let i = from; i < text.length; i++) {
    const byte = text[i] ?? 0;
    if (byte === quote) i = endOfString(text, i) - 1;
    else if (opens.has(byte)) depth++;
    else if (closes.has(byte) && --depth === 0) return i + 1;
  }
  return text.length;
}

/** Where the string that begins at a place ends. */
function endOfString(text: Buffer, from: number): number {
  for (let i = from + 1; i < text.length; i++) {
    if (text[i] === backslash) i++;
    else if (text[i] === quote) return i + 1;
  }
  return text.length;
}
