import protobuf from 'protobufjs/minimal.js';

type Writer = protobuf.Writer;

/** Writes one value as a field of a message. */
export type FieldWriter = (writer: Writer, value: unknown) => void;

/** The field of a message for each property of a JSON object. */
export type Message = Readonly<Record<string, FieldWriter>>;

const tag = (number: number, wire: 0 | 1 | 2): number => (number << 3) | wire;

/** A string. */
export const text =
  (number: number): FieldWriter =>
  (writer, value) =>
    writer.uint32(tag(number, 2)).string(String(value));

/** Strings, repeated. */
export const texts =
  (number: number): FieldWriter =>
  (writer, value) => {
    for (const one of listOf(value)) writer.uint32(tag(number, 2)).string(String(one));
  };

/** A boolean. */
export const flag =
  (number: number): FieldWriter =>
  (writer, value) =>
    writer.uint32(tag(number, 0)).bool(value === true);

/** A double. */
export const double =
  (number: number): FieldWriter =>
  (writer, value) =>
    writer.uint32(tag(number, 1)).double(Number(value));

/** A whole number. */
export const whole =
  (number: number): FieldWriter =>
  (writer, value) =>
    writer.uint32(tag(number, 0)).int64(Number(value));

/** A message inside the message, written by the function. */
export const nested =
  (number: number, write: FieldWriter): FieldWriter =>
  (writer, value) => {
    writer.uint32(tag(number, 2)).fork();
    write(writer, value);
    writer.ldelim();
  };

/** Messages inside the message, repeated. */
export const nestedList =
  (number: number, write: FieldWriter): FieldWriter =>
  (writer, value) => {
    for (const one of listOf(value)) nested(number, write)(writer, one);
  };

/** The members of an object as repeated messages with a name and a value. */
export const named =
  (number: number, write: FieldWriter): FieldWriter =>
  (writer, value) => {
    for (const [name, one] of Object.entries(value as object)) {
      nested(number, (inner, member) => {
        text(1)(inner, name);
        nested(2, write)(inner, member);
      })(writer, one);
    }
  };

/** Any value at all, as YAML; JSON is YAML. */
export const anything: FieldWriter = (writer, value) => text(2)(writer, JSON.stringify(value));

/** The properties of an object as fields of a message; `x-…` as vendor extensions under this number. */
export function message(fields: Message | (() => Message), extensions?: number): FieldWriter {
  return (writer, value) => {
    const known = typeof fields === 'function' ? fields() : fields;
    const extra: Record<string, unknown> = {};
    for (const [key, one] of Object.entries(value as object)) {
      if (one === undefined) continue;
      if (key.startsWith('x-')) extra[key] = one;
      else known[key]?.(writer, one);
    }
    if (extensions !== undefined) named(extensions, anything)(writer, extra);
  };
}

function listOf(value: unknown): readonly unknown[] {
  return value as readonly unknown[];
}

/** The bytes of a whole message. */
export function encoded(write: FieldWriter, value: unknown): Buffer {
  const writer = protobuf.Writer.create();
  write(writer, value);
  return Buffer.from(writer.finish());
}
