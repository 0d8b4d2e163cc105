import protobuf from 'protobufjs/minimal.js';
import { badRequest } from '../../api/index.ts';

/** Decodes the bytes of a message that has a JSON form of its own; undefined where it says nothing. */
export type WellKnown = (bytes: Uint8Array) => unknown;

/** The types that write their JSON themselves, by the name of their message. */
export const wellKnown: ReadonlyMap<string, WellKnown> = new Map<string, WellKnown>([
  ['meta.v1.Time', (bytes) => timestamp(bytes)?.replace(/\.\d+Z$/, 'Z')],
  ['meta.v1.MicroTime', timestamp],
  ['meta.v1.FieldsV1', embeddedJson],
  ['runtime.RawExtension', embeddedJson],
  ['apiextensions.v1.JSON', embeddedJson],
  ['api.resource.Quantity', (bytes) => scalars(bytes).text.get(1)],
  ['util.intstr.IntOrString', intOrString],
]);

/** Unions and named slices, decoded as messages first and then told as JSON tells them. */
export const unions: ReadonlyMap<string, (message: Readonly<Record<string, unknown>>) => unknown> = new Map([
  ['apiextensions.v1.JSONSchemaPropsOrBool', ({ schema, allows }) => schema ?? allows ?? false],
  ['apiextensions.v1.JSONSchemaPropsOrArray', ({ schema, jSONSchemas }) => jSONSchemas ?? schema],
  ['apiextensions.v1.JSONSchemaPropsOrStringArray', ({ schema, property }) => property ?? schema],
  ['authentication.v1.ExtraValue', ({ items }) => items ?? []],
  ['authorization.v1.ExtraValue', ({ items }) => items ?? []],
  ['certificates.v1.ExtraValue', ({ items }) => items ?? []],
]);

interface Scalars {
  readonly text: ReadonlyMap<number, string>;
  readonly bytes: ReadonlyMap<number, Uint8Array>;
  readonly integer: ReadonlyMap<number, number>;
}

/** The flat fields of a small message by number. */
export function scalars(source: Uint8Array): Scalars {
  const reader = protobuf.Reader.create(source);
  const text = new Map<number, string>();
  const bytes = new Map<number, Uint8Array>();
  const integer = new Map<number, number>();
  while (reader.pos < reader.len) {
    const tag = reader.uint32();
    const number = tag >>> 3;
    if ((tag & 7) === 0) integer.set(number, toNumber(reader.int64()));
    else if ((tag & 7) === 2) bytes.set(number, reader.bytes());
    else reader.skipType(tag & 7);
  }
  for (const [number, value] of bytes) text.set(number, decodeText(value));
  return { text, bytes, integer };
}

/** 64-bit integers come in two halves; JSON holds them exactly up to 2^53, which no field of the API exceeds. */
export function toNumber(value: number | { readonly high: number; readonly low: number }): number {
  return typeof value === 'number' ? value : value.high * 2 ** 32 + (value.low >>> 0);
}

/** UTF-8 as text. */
export function decodeText(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
}

/** A moment with microseconds; the zero time is written as nothing at all. */
function timestamp(source: Uint8Array): string | undefined {
  if (source.length === 0) return undefined;
  const { integer } = scalars(source);
  const seconds = integer.get(1) ?? 0;
  const micros = Math.floor((integer.get(2) ?? 0) / 1000);
  const date = new Date(seconds * 1000);
  if (Number.isNaN(date.getTime())) throw badRequest('a timestamp of the body is out of range');
  return `${date.toISOString().slice(0, -5)}.${String(micros).padStart(6, '0')}Z`;
}

function intOrString(source: Uint8Array): string | number {
  const { integer, text } = scalars(source);
  return integer.get(1) === 1 ? (text.get(3) ?? '') : (integer.get(2) ?? 0);
}

function embeddedJson(source: Uint8Array): unknown {
  const raw = scalars(source).text.get(1);
  if (raw === undefined || raw === '') return undefined;
  try {
    return JSON.parse(raw);
  } catch (error) {
    throw badRequest(`an embedded object of the body is not JSON: ${(error as Error).message}`);
  }
}
