import type { KubeObject } from '../api/index.ts';
import { freeze, isObject } from '../base/index.ts';
import { Unreachable } from './errors.ts';
import type { Page } from './options.ts';
import type { KindRef } from './resources.ts';

/** The page that a list answered. */
export function pageOf<T extends KubeObject>(body: unknown, kind: KindRef): Page<T> {
  if (!isObject(body) || !isObject(body['metadata'])) {
    throw new Unreachable('nonsense', 'what answered a list is none', { sent: true });
  }
  // A list with no items may have null in their place.
  const items = Array.isArray(body['items']) ? (body['items'] as readonly unknown[]) : [];
  const { resourceVersion, continue: next } = body['metadata'] as { resourceVersion?: string; continue?: string };
  return {
    items: items.map((item) => typed(item, kind) as T),
    resourceVersion: resourceVersion ?? '',
    ...(next && { continue: next }),
  };
}

/** The object, frozen, with its kind: servers leave apiVersion and kind out of the items of built-in lists. */
export function typed(item: unknown, kind: KindRef): KubeObject {
  if (!isObject(item)) throw new Unreachable('nonsense', 'the server sent an object that is none', { sent: true });
  if (Object.isFrozen(item) || (item['kind'] && item['apiVersion'])) return freeze(item) as unknown as KubeObject;
  return freeze({ apiVersion: kind.apiVersion, kind: kind.kind, ...item }) as unknown as KubeObject;
}
