import protobuf from 'protobufjs/minimal.js';
import { ApiError, badRequest } from '../../api/index.ts';
import { isObject } from '../../base/index.ts';
import { type MessageField, messageOf, messageOfKind } from './messages.ts';
import { decodeText, scalars, toNumber, unions, wellKnown } from './wellknown.ts';

/** The media type of Kubernetes' protobuf bodies. */
export const protobufMediaType = 'application/vnd.kubernetes.protobuf';

type Out = Record<string, unknown>;
type Reader = protobuf.Reader;

/** `k8s` and a zero byte, then a runtime.Unknown. */
const magic = Uint8Array.of(0x6b, 0x38, 0x73, 0x00);

/** No kind nests deeper but a schema that a client made up. */
const deepest = 200;

/** Wire types of protobuf. */
const wire = { varint: 0, fixed64: 1, bytes: 2 } as const;

/**
 * The object of a protobuf body as a JSON client would have sent it: members in the spelling of JSON, without zero
 * values that JSON omits, embedded structs spread out. Fields that this release does not know are skipped.
 */
export function decodeProtobuf(body: Uint8Array): Out {
  if (magic.some((byte, i) => body[i] !== byte)) throw badRequest('the body is not protobuf as Kubernetes frames it');
  try {
    return decodeUnknown(body.subarray(magic.length));
  } catch (error) {
    if (error instanceof ApiError) throw error;
    throw badRequest(`the protobuf body cannot be decoded: ${(error as Error).message}`);
  }
}

function decodeUnknown(source: Uint8Array): Out {
  const { bytes, text } = scalars(source);
  const typeMeta = scalars(bytes.get(1) ?? new Uint8Array());
  const apiVersion = typeMeta.text.get(1) ?? '';
  const kind = typeMeta.text.get(2) ?? '';
  const raw = bytes.get(2) ?? new Uint8Array();
  if (text.get(3)) throw badRequest(`content encoding ${text.get(3) ?? ''} is not known`);
  if (text.get(4) === 'application/json') return parsedObject(raw);
  const message = messageOfKind(apiVersion, kind);
  if (!message) throw badRequest(`no kind "${kind}" is known in version "${apiVersion}" that can be sent as protobuf`);
  return { apiVersion, kind, ...decodeMessage(message, raw, 0) };
}

function parsedObject(raw: Uint8Array): Out {
  const value: unknown = JSON.parse(decodeText(raw));
  if (!isObject(value)) throw badRequest('the JSON of the body is not an object');
  return value;
}

function decodeMessage(name: string, source: Uint8Array, depth: number): Out {
  if (depth > deepest) throw badRequest('the body is nested too deeply');
  const message = messageOf(name);
  const reader = protobuf.Reader.create(source);
  const out: Out = {};
  while (reader.pos < reader.len) {
    const tag = reader.uint32();
    const field = message.get(tag >>> 3);
    if (field) readField(out, field, { reader, wire: tag & 7, depth });
    else reader.skipType(tag & 7);
  }
  return out;
}

interface Position {
  readonly reader: Reader;
  readonly wire: number;
  readonly depth: number;
}

function readField(out: Out, field: MessageField, at: Position): void {
  if (field.map) return readEntry(out, field, at);
  if (field.repeated) return readItems(out, field, at);
  const value = readValue(field.type, at);
  if (value === undefined || (field.dropZero && isZero(value))) return;
  if (field.inline) Object.assign(out, value);
  else out[field.name] = value;
}

/** Numbers and booleans may come packed, several in one field. */
function readItems(out: Out, field: MessageField, at: Position): void {
  const items = (out[field.name] ??= []) as unknown[];
  if (at.wire !== wire.bytes || wireOf(field.type) === wire.bytes) {
    items.push(readValue(field.type, at));
    return;
  }
  const packed = protobuf.Reader.create(at.reader.bytes());
  while (packed.pos < packed.len) {
    items.push(readValue(field.type, { reader: packed, wire: wireOf(field.type), depth: at.depth }));
  }
}

function readEntry(out: Out, field: MessageField, at: Position): void {
  const entries = (out[field.name] ??= {}) as Out;
  const reader = protobuf.Reader.create(at.reader.bytes());
  let key = '';
  let value: unknown;
  while (reader.pos < reader.len) {
    const tag = reader.uint32();
    const next = { reader, wire: tag & 7, depth: at.depth };
    if (tag >>> 3 === 1) key = reader.string();
    else if (tag >>> 3 === 2) value = readValue(field.type, next);
    else reader.skipType(tag & 7);
  }
  // A member called __proto__ must become a member, as JSON.parse would make it one.
  Object.defineProperty(entries, key, { value: value ?? emptyOf(field.type), ...plainMember });
}

const plainMember = { enumerable: true, configurable: true, writable: true };

function emptyOf(type: string): unknown {
  return type === 's' || type === 'y' ? '' : type.length > 1 ? {} : 0;
}

function readValue(type: string, at: Position): unknown {
  if (at.wire !== wireOf(type)) throw badRequest(`a field of the body has wire type ${at.wire}`);
  switch (type) {
    case 's':
      return at.reader.string();
    case 'b':
      return at.reader.bool();
    case 'i':
      return toNumber(at.reader.int64());
    case 'd':
      return at.reader.double();
    case 'y':
      return Buffer.from(at.reader.bytes()).toString('base64');
    default:
      return readMessage(type, at);
  }
}

function readMessage(type: string, { reader, depth }: Position): unknown {
  const bytes = reader.bytes();
  const special = wellKnown.get(type);
  if (special) return special(bytes);
  const message = decodeMessage(type, bytes, depth + 1);
  const union = unions.get(type);
  return union ? union(message) : message;
}

function wireOf(type: string): number {
  if (type === 'i' || type === 'b') return wire.varint;
  return type === 'd' ? wire.fixed64 : wire.bytes;
}

function isZero(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0;
  return value === '' || value === 0 || value === false;
}
