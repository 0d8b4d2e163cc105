const offsetBasis = 0x811c9dc5;
const prime = 0x01000193;

/** FNV-1a over the UTF-8 bytes of a string, as an unsigned 32-bit number. */
export function fnv32a(text: string): number {
  let hash = offsetBasis;
  for (let i = 0; i < text.length; i++) {
    const code = text.codePointAt(i) ?? 0;
    if (code > 0xffff) i++;
    // Names and uids are ASCII nearly always: no list of bytes for them.
    if (code < 0x80) hash = Math.imul(hash ^ code, prime);
    else for (const byte of utf8(code)) hash = Math.imul(hash ^ byte, prime);
  }
  return hash >>> 0;
}

function utf8(code: number): readonly number[] {
  if (code < 0x800) return [0xc0 | (code >> 6), 0x80 | (code & 63)];
  if (code < 0x10000) return [0xe0 | (code >> 12), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63)];
  return [0xf0 | (code >> 18), 0x80 | ((code >> 12) & 63), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63)];
}
