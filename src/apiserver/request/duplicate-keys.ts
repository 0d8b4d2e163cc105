import { isObject } from '../../base/index.ts';

const quote = 0x22;
const backslash = 0x5c;
const colon = 0x3a;

/**
 * The paths of keys that stand twice in one object of a JSON text; JSON.parse keeps the last and says nothing.
 * The usual answer, none, is found by counting: as many colons outside strings as keys in the value.
 */
export function duplicateKeys(bytes: Buffer, value: unknown): string[] {
  return colonsOf(bytes) === keysOf(value) ? [] : walk(bytes.toString('utf8'));
}

/** A loop over bytes whose end stands fixed is several times faster than one over a text, or one that asks for the end. */
function colonsOf(bytes: Uint8Array): number {
  const end = bytes.length;
  let count = 0;
  for (let i = 0; i < end; i++) {
    const byte = bytes[i];
    if (byte === colon) count++;
    else if (byte === quote) i = endOfString(bytes, i + 1, end);
  }
  return count;
}

function endOfString(bytes: Uint8Array, from: number, end: number): number {
  let i = from;
  while (i < end && bytes[i] !== quote) i += bytes[i] === backslash ? 2 : 1;
  return i;
}

function keysOf(value: unknown): number {
  let count = 0;
  if (Array.isArray(value)) for (const item of value) count += keysOf(item);
  else if (isObject(value)) {
    for (const key in value) count += 1 + keysOf(value[key]);
  }
  return count;
}

/** The text is known to be valid JSON, so a scan over its strings and brackets is enough. */
function walk(text: string): string[] {
  const found: string[] = [];
  const stack: Level[] = [];
  const token = /"(?:[^"\\]|\\.)*"(\s*:)?|[{}[\],]/gs;
  let key = '';
  for (const [word, isKey] of text.matchAll(token)) {
    const top = stack.at(-1);
    if (isKey !== undefined && top) {
      key = JSON.parse(word.slice(0, -isKey.length)) as string;
      note(top, key, found);
    } else step(stack, word, key);
  }
  return found;
}

function note(level: Level, key: string, found: string[]): void {
  if (level.keys?.has(key)) found.push(pathOf(level, key));
  level.keys?.add(key);
}

function step(stack: Level[], word: string, key: string): void {
  const top = stack.at(-1);
  if (word === '{') stack.push({ path: pathOf(top, key), keys: new Set(), index: 0 });
  else if (word === '[') stack.push({ path: pathOf(top, key), keys: undefined, index: 0 });
  else if (word === '}' || word === ']') stack.pop();
  else if (word === ',' && top) top.index++;
}

interface Level {
  readonly path: string;
  /** Undefined for arrays. */
  readonly keys: Set<string> | undefined;
  index: number;
}

function pathOf(level: Level | undefined, key: string): string {
  if (!level) return '';
  if (!level.keys) return `${level.path}[${level.index}]`;
  return level.path ? `${level.path}.${key}` : key;
}
