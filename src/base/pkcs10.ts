/**
 * Reads a PKCS #10 certificate request (RFC 2986): the subject, the public key, and the parts over which it is signed.
 * Guarantees: every length is checked against the bytes that are there; what is not understood is refused, never skipped.
 */

/** A certificate request that cannot be read. */
export class BadRequestBytes extends Error {
  constructor(why: string) {
    super(`the certificate request cannot be read: ${why}`);
    this.name = 'BadRequestBytes';
  }
}

/** The content of a certificate request. */
export interface CertificationRequest {
  readonly commonNames: readonly string[];
  readonly organizations: readonly string[];
  /** Other parts of the subject, by object identifier. */
  readonly otherNames: readonly string[];
  /** Object identifiers of the extensions that are asked for. */
  readonly extensions: readonly string[];
  /** The subject's public key, as SubjectPublicKeyInfo in DER. */
  readonly publicKey: Uint8Array;
  /** The bytes that are signed with the key, the signature, and its algorithm as an object identifier. */
  readonly signed: Uint8Array;
  readonly signature: Uint8Array;
  readonly algorithm: string;
}

interface Value {
  readonly tag: number;
  readonly content: Uint8Array;
  /** The value with its tag and length. */
  readonly whole: Uint8Array;
}

const tags = { bits: 0x03, oid: 0x06, sequence: 0x30, set: 0x31, attributes: 0xa0 } as const;
const texts: ReadonlySet<number> = new Set([0x0c, 0x13, 0x16]);
const oids = { commonName: '2.5.4.3', organization: '2.5.4.10', extensionRequest: '1.2.840.113549.1.9.14' } as const;

/** Reads a request in DER. */
export function parseCertificationRequest(der: Uint8Array): CertificationRequest {
  const outer = only(valuesIn(der), 'it is not one sequence');
  const [info, algorithm, signature] = childrenOf(outer, tags.sequence);
  const [version, subject, key, attributes] = childrenOf(info, tags.sequence);
  if (!version || !key) throw new BadRequestBytes('parts are missing');
  return {
    ...namesIn(subject),
    extensions: attributes ? extensionsIn(attributes) : [],
    publicKey: key.whole,
    signed: info?.whole ?? new Uint8Array(),
    signature: contentOf(signature, tags.bits).subarray(1),
    algorithm: oidOf(childrenOf(algorithm, tags.sequence)[0]),
  };
}

function namesIn(
  subject: Value | undefined,
): Pick<CertificationRequest, 'commonNames' | 'organizations' | 'otherNames'> {
  const parts = childrenOf(subject, tags.sequence).flatMap((set) => childrenOf(set, tags.set));
  const named = parts.map((part) => {
    const [type, value] = childrenOf(part, tags.sequence);
    return { type: oidOf(type), value };
  });
  const textsOf = (wanted: string): readonly string[] =>
    named.filter(({ type }) => type === wanted).map(({ value }) => textOf(value));
  const known: ReadonlySet<string> = new Set([oids.commonName, oids.organization]);
  return {
    commonNames: textsOf(oids.commonName),
    organizations: textsOf(oids.organization),
    otherNames: named.map(({ type }) => type).filter((type) => !known.has(type)),
  };
}

function extensionsIn(attributes: Value): readonly string[] {
  return childrenOf(attributes, tags.attributes).flatMap((attribute) => {
    const [type, values] = childrenOf(attribute, tags.sequence);
    if (oidOf(type) !== oids.extensionRequest) return [];
    const lists = childrenOf(values, tags.set).flatMap((list) => childrenOf(list, tags.sequence));
    return lists.map((extension) => oidOf(childrenOf(extension, tags.sequence)[0]));
  });
}

function valuesIn(bytes: Uint8Array): readonly Value[] {
  const found: Value[] = [];
  for (let at = 0; at < bytes.length; at += found.at(-1)?.whole.length ?? bytes.length) found.push(valueAt(bytes, at));
  return found;
}

function valueAt(bytes: Uint8Array, at: number): Value {
  const [tag, first] = [bytes[at], bytes[at + 1]];
  if (tag === undefined || first === undefined) throw new BadRequestBytes('it ends too early');
  const more = first < 0x80 ? 0 : first & 0x7f;
  if (first === 0x80 || more > 3) throw new BadRequestBytes('a length has no bound');
  let length = more === 0 ? first : 0;
  for (let i = 0; i < more; i++) length = length * 256 + (bytes[at + 2 + i] ?? 0);
  const start = at + 2 + more;
  if (start + length > bytes.length) throw new BadRequestBytes('it ends too early');
  return { tag, content: bytes.subarray(start, start + length), whole: bytes.subarray(at, start + length) };
}

function contentOf(value: Value | undefined, tag: number): Uint8Array {
  if (value?.tag !== tag) throw new BadRequestBytes('a part is of another type');
  return value.content;
}

const childrenOf = (value: Value | undefined, tag: number): readonly Value[] => valuesIn(contentOf(value, tag));

function only(values: readonly Value[], why: string): Value {
  const [value] = values;
  if (!value || values.length > 1) throw new BadRequestBytes(why);
  return value;
}

function oidOf(value: Value | undefined): string {
  const [first = 0, ...rest] = contentOf(value, tags.oid);
  const numbers = [Math.min(2, Math.floor(first / 40)), first - 40 * Math.min(2, Math.floor(first / 40))];
  let number = 0;
  for (const byte of rest) {
    number = number * 128 + (byte & 0x7f);
    if (byte < 0x80) numbers.push(number);
    if (byte < 0x80) number = 0;
  }
  return numbers.join('.');
}

function textOf(value: Value | undefined): string {
  if (!value || !texts.has(value.tag)) throw new BadRequestBytes('a name is no text');
  const escaped = Array.from(value.content, (byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
  try {
    return decodeURIComponent(escaped);
  } catch {
    throw new BadRequestBytes('a name is not UTF-8');
  }
}
