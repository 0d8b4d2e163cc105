import { freeze, isObject } from '../base/index.ts';
import { nonsenseOf, Unreachable } from './errors.ts';
import type { Page } from './options.ts';
import type { KindRef, KubeObject } from '../api/index.ts';
import type { WireResponse } from './transport.ts';

/** The page that a list answered. */
export function pageOf<T extends KubeObject>(answer: Pick<WireResponse, 'headers' | 'body'>, kind: KindRef): Page<T> {
  const { body } = answer;
  if (!isObject(body) || !isObject(body['metadata'])) throw nonsenseOf(answer, 'a list');
  // A list with no items may have null in their place.
  const items = body['items'] ?? [];
  if (!Array.isArray(items)) throw nonsense('a list whose items are not a list');
  const { resourceVersion, continue: next } = body['metadata'] as { resourceVersion?: string; continue?: string };
  if (!isTextOrNone(resourceVersion)) throw nonsense('a list whose resourceVersion is not a short text');
  if (!isTextOrNone(next)) throw nonsense('a list whose continue token is not a short text');
  return {
    items: items.map((item) => typed(item, kind) as T),
    resourceVersion: resourceVersion ?? '',
    ...(next && { continue: next }),
  };
}

/**
 * The object, frozen, with its kind: servers leave apiVersion and kind out of the items of built-in lists.
 * Throws when it is of another kind, has no name, or has metadata of wrong types. A bookmark has no name.
 */
export function typed(item: unknown, kind: KindRef, isBookmark = false): KubeObject {
  if (!isObject(item)) throw nonsense('a value that is not an object');
  // An object from within the process is frozen and valid.
  if (Object.isFrozen(item)) return item as unknown as KubeObject;
  const object = item['kind'] && item['apiVersion'] ? item : { apiVersion: kind.apiVersion, kind: kind.kind, ...item };
  requireKind(object, kind);
  if (!isBookmark && !hasName(item)) throw nonsense(`a ${kind.kind} without a name`);
  return sound(object);
}

function requireKind({ apiVersion, kind: word }: Record<string, unknown>, kind: KindRef): void {
  if (word === kind.kind && apiVersion === kind.apiVersion) return;
  throw nonsense(`a ${shown(word)} of ${shown(apiVersion)} among objects of kind ${kind.kind}`);
}

function hasName({ metadata }: Record<string, unknown>): boolean {
  return isObject(metadata) && typeof metadata['name'] === 'string' && metadata['name'] !== '';
}

/** The object, frozen; throws when its metadata are not what metadata are: all our code relies on their types. */
export function sound(object: Record<string, unknown>): KubeObject {
  if (Object.isFrozen(object)) return object as unknown as KubeObject;
  const { metadata } = object;
  if (!isObject(metadata)) throw nonsense('an object without metadata');
  for (const field of texts) if (!isTextOrNone(metadata[field])) throw wrongField(field, 'a short text');
  for (const field of maps) if (!isTextMap(metadata[field])) throw wrongField(field, 'a map of texts');
  for (const field of lists) if (!isListOrNone(metadata[field])) throw wrongField(field, 'a list');
  return freeze(object) as unknown as KubeObject;
}

const texts = ['name', 'namespace', 'uid', 'resourceVersion', 'generateName', 'creationTimestamp', 'deletionTimestamp'];
const maps = ['labels', 'annotations'];
const lists = ['finalizers', 'ownerReferences', 'managedFields'];

/** Names have at most 253 characters, and nothing else in metadata that is one text is long. */
const longestText = 4096;

function isTextOrNone(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'string' && value.length <= longestText);
}

function isListOrNone(value: unknown): boolean {
  return value === undefined || value === null || Array.isArray(value);
}

function isTextMap(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  if (!isObject(value)) return false;
  for (const key in value) if (typeof value[key] !== 'string') return false;
  return true;
}

const wrongField = (field: string, wanted: string): Unreachable =>
  nonsense(`an object whose metadata.${field} is not ${wanted}`);

const shown = (word: unknown): string => (typeof word === 'string' ? word.slice(0, 80) : typeof word);

function nonsense(what: string): Unreachable {
  return new Unreachable('nonsense', `the server sent ${what}`, { sent: true });
}
