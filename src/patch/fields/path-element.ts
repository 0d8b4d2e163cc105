import { goJson, hasMember, isObject, remembering, sortedGoJson } from '../../base/index.ts';
import type { ListType } from './field-type.ts';

/** The path element of a field or of a map's key. */
export function fieldElement(name: string): string {
  return `f:${name}`;
}

/** The path element of a list's item; undefined when the item cannot stand in such a list. */
export function itemElement(item: unknown, list: ListType): string | undefined {
  if (list.relation === 'set') return isScalar(item) ? `v:${goJson(item)}` : undefined;
  return isObject(item) ? keyElement(item, list) : undefined;
}

/** Items are keyed by names that come again and again. */
const quoted = remembering(goJson, 10_000);

/** Key fields that the item leaves out are taken from their defaults; a key that has none is left out. */
function keyElement(item: Readonly<Record<string, unknown>>, { keys, defaultOf }: ListType): string | undefined {
  let text = '';
  for (const key of keys) {
    const value = hasMember(item, key) ? item[key] : defaultOf(key);
    if (value === undefined) continue;
    text += `${text && ','}${quoted(key)}:${typeof value === 'string' ? quoted(value) : goJson(value)}`;
  }
  return text === '' ? undefined : `k:{${text}}`;
}

function isScalar(item: unknown): boolean {
  return typeof item === 'string' || typeof item === 'number' || typeof item === 'boolean';
}

/** The element in the one form that we write; undefined when the text is not an element. */
export function canonicalElement(element: string): string | undefined {
  return element.startsWith('f:') ? element : canonicalForm(element);
}

const canonicalForm = remembering((element): string | undefined => {
  const content = element.slice(2);
  switch (element.slice(0, 2)) {
    case 'i:':
      return /^-?\d+$/.test(content) ? `i:${Number(content)}` : undefined;
    case 'v:': {
      const value = parsed(content);
      return value === undefined ? undefined : `v:${goJson(value)}`;
    }
    case 'k:': {
      const keys = parsed(content);
      return isObject(keys) ? `k:${sortedGoJson(keys)}` : undefined;
    }
    default:
      return undefined;
  }
}, 10_000);

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** A path as messages print it: `.spec.containers[name="a"].image`. */
export function pathText(path: readonly string[]): string {
  return path.map(elementText).join('');
}

/** One element of a path as messages print it. */
export function elementText(element: string): string {
  const content = element.slice(2);
  switch (element.slice(0, 2)) {
    case 'k:': {
      const keys = parsed(content);
      const pairs = isObject(keys) ? Object.entries(keys) : [];
      return `[${pairs.map(([key, value]) => `${key}=${JSON.stringify(value)}`).join(',')}]`;
    }
    case 'v:':
      return `[=${JSON.stringify(parsed(content))}]`;
    case 'i:':
      return `[${content}]`;
    default:
      return `.${content}`;
  }
}
