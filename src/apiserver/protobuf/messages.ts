import json from './gen/messages.json' with { type: 'json' };

/** How a field is written and what becomes of it in JSON. */
export interface MessageField {
  readonly name: string;
  /** A letter for a scalar (s string, y bytes, b boolean, i integer, d double), else the name of a message. */
  readonly type: string;
  readonly repeated: boolean;
  readonly map: boolean;
  /** The members of the message stand in the object itself. */
  readonly inline: boolean;
  /** Go always writes the field; a JSON client would have left its zero value out. */
  readonly dropZero: boolean;
}

/** The fields of a message by number. */
export type Message = ReadonlyMap<number, MessageField>;

const { kinds, ...texts } = json as unknown as Readonly<Record<string, string>> & {
  readonly kinds: Readonly<Record<string, string>>;
};

const parsed = new Map<string, Message>();

/** The message of a kind; the options that clients send with requests come under any group. */
export function messageOfKind(apiVersion: string, kind: string): string | undefined {
  const own = Object.hasOwn(kinds, `${apiVersion}/${kind}`) ? kinds[`${apiVersion}/${kind}`] : undefined;
  if (own) return own;
  const ofMeta = `meta.v1.${kind}`;
  return /^[A-Z]\w*Options$|^Status$/.test(kind) && Object.hasOwn(texts, ofMeta) ? ofMeta : undefined;
}

/** A message by name, read from its compact text on first use. */
export function messageOf(name: string): Message {
  const known = parsed.get(name);
  if (known) return known;
  const text = (texts as Readonly<Record<string, string>>)[name];
  if (text === undefined) throw new Error(`no message ${name}`);
  const message = new Map(text === '' ? [] : text.split(' ').map(fieldOf));
  parsed.set(name, message);
  return message;
}

function fieldOf(text: string): readonly [number, MessageField] {
  const [number = '', name = '', type = '', flag = ''] = text.split(':');
  const field = { name, type, repeated: flag === 'r', map: flag === 'm', inline: flag === 'i', dropZero: flag === 'd' };
  return [Number(number), field];
}
