/** DER, the encoding of X.509: a value is its tag, its length and its content, and there is exactly one way to write it. */

const encode = (tag: number, content: Uint8Array): Buffer =>
  Buffer.concat([Buffer.from([tag]), length(content.length), content]);

function length(size: number): Buffer {
  if (size < 0x80) return Buffer.from([size]);
  const bytes: number[] = [];
  for (let rest = size; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest & 0xff);
  return Buffer.from([0x80 | bytes.length, ...bytes]);
}

/** SEQUENCE of the given values. */
export const sequence = (...items: readonly Uint8Array[]): Buffer => encode(0x30, Buffer.concat(items));

/** SET with a single member (DER orders the members of a set; one needs no order). */
export const setOf = (item: Uint8Array): Buffer => encode(0x31, item);

/** BOOLEAN TRUE; FALSE is the default wherever we write one, and DER leaves defaults out. */
export const yes: Buffer = Buffer.from([0x01, 0x01, 0xff]);

/** INTEGER from the big-endian bytes of a number that is not negative. */
export function unsignedInteger(bytes: Uint8Array): Buffer {
  let start = 0;
  while (start < bytes.length - 1 && bytes[start] === 0) start++;
  const digits = bytes.subarray(start);
  const negative = (digits[0] ?? 0) >= 0x80;
  return encode(0x02, negative ? Buffer.concat([Buffer.from([0]), digits]) : digits);
}

/** BIT STRING of whole bytes. */
export const bitString = (bytes: Uint8Array): Buffer => encode(0x03, Buffer.concat([Buffer.from([0]), bytes]));

/** BIT STRING of named bits, numbered from the left; trailing zero bits are dropped as DER demands. */
export function namedBits(bits: readonly number[]): Buffer {
  const highest = Math.max(...bits);
  const bytes = Buffer.alloc(Math.floor(highest / 8) + 1);
  for (const bit of bits) bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) | (0x80 >> (bit & 7));
  return encode(0x03, Buffer.concat([Buffer.from([7 - (highest & 7)]), bytes]));
}

/** OCTET STRING. */
export const octets = (bytes: Uint8Array): Buffer => encode(0x04, bytes);

/** UTF8String. */
export const utf8 = (text: string): Buffer => encode(0x0c, Buffer.from(text, 'utf8'));

/** OBJECT IDENTIFIER from its dotted form. */
export function objectIdentifier(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return encode(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

function base128(value: number): number[] {
  const digits = [value & 0x7f];
  for (let rest = value >>> 7; rest > 0; rest >>>= 7) digits.unshift(0x80 | (rest & 0x7f));
  return digits;
}

/** A context-specific value that wraps a complete one: `[tag] EXPLICIT`. */
export const explicit = (tag: number, content: Uint8Array): Buffer => encode(0xa0 | tag, content);

/** A context-specific primitive value: `[tag] IMPLICIT`. */
export const implicit = (tag: number, content: Uint8Array): Buffer => encode(0x80 | tag, content);

/** Time as X.509 wants it: two digits of the year until 2049, four from 2050 on; always UTC, to the second. */
export function time(at: Date): Buffer {
  const digits = at.toISOString().replaceAll(/[-:T]/g, '').slice(0, 14);
  const short = at.getUTCFullYear() < 2050;
  return encode(short ? 0x17 : 0x18, Buffer.from(`${short ? digits.slice(2) : digits}Z`, 'latin1'));
}
