/*
 * A string of Lua is a row of bytes: `#` counts them, patterns match them. We keep it as text with one character for
 * each byte, so that for ASCII both are the same text. There is no TextEncoder in the pure rooms.
 */

const beyondAscii = /[\u0080-\uffff]/;

/** The bytes of a text in UTF-8, one character for each. */
export function toBytes(text: string): string {
  if (!beyondAscii.test(text)) return text;
  let bytes = '';
  for (const character of text) bytes += encoded(character.codePointAt(0) ?? 0);
  return bytes;
}

function encoded(code: number): string {
  if (code < 0x80) return String.fromCharCode(code);
  if (code < 0x800) return String.fromCharCode(0xc0 | (code >> 6), tail(code, 0));
  if (code < 0x10000) return String.fromCharCode(0xe0 | (code >> 12), tail(code, 6), tail(code, 0));
  return String.fromCharCode(0xf0 | (code >> 18), tail(code, 12), tail(code, 6), tail(code, 0));
}

const tail = (code: number, shift: number): number => 0x80 | ((code >> shift) & 0x3f);

/** The text that bytes in UTF-8 say; what is no UTF-8 becomes U+FFFD. */
export function fromBytes(bytes: string): string {
  if (!beyondAscii.test(bytes)) return bytes;
  let text = '';
  for (let index = 0; index < bytes.length;) {
    const { code, length } = decoded(bytes, index);
    text += String.fromCodePoint(code);
    index += length;
  }
  return text;
}

const broken = { code: 0xfffd, length: 1 };
/** The smallest character that needs so many bytes: a longer form of a smaller one is not UTF-8. */
const smallest = [0, 0, 0x80, 0x800, 0x10000];

function decoded(bytes: string, index: number): { readonly code: number; readonly length: number } {
  const first = bytes.charCodeAt(index);
  if (first < 0x80) return { code: first, length: 1 };
  const length = lengthBy(first);
  if (length === 0) return broken;
  let code = first & (0xff >> (length + 1));
  for (let offset = 1; offset < length; offset++) {
    const next = bytes.charCodeAt(index + offset);
    if ((next & 0xc0) !== 0x80) return broken;
    code = (code << 6) | (next & 0x3f);
  }
  const isValid = code >= (smallest[length] ?? 0) && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
  return isValid ? { code, length } : broken;
}

function lengthBy(first: number): number {
  if (first >= 0xf8 || first < 0xc0) return 0;
  return first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
}
