import { apiVersionOf } from '../../api/index.ts';
import type { KubeObject } from '../../api/index.ts';
import { isObject } from '../../base/index.ts';
import { collectionPath, Unreachable } from '../../client/index.ts';
import type { ApiClient, ResourceInfo } from '../../client/index.ts';

/** So many objects are asked for at a time: the server writes the next ones while these are read. */
const pageSize = 500;

interface Answer {
  readonly items?: readonly KubeObject[] | null;
  readonly metadata?: { readonly continue?: string };
}

/**
 * All objects of a kind, page after page at one revision. They are the caller's own and not frozen: of ten thousands
 * of objects that are looked at once, that would cost as much as reading them.
 */
export async function ownPages(client: ApiClient, kind: ResourceInfo, namespace?: string): Promise<KubeObject[]> {
  const path = collectionPath(kind, namespace);
  const found: KubeObject[] = [];
  let next = '';
  do {
    const query = `limit=${pageSize}${next && `&continue=${encodeURIComponent(next)}`}`;
    const { body } = await client.raw({ method: 'GET', path, query });
    const { items, metadata } = answered(body);
    for (const item of items ?? []) found.push(named(item, kind));
    next = metadata?.continue ?? '';
  } while (next !== '');
  return found;
}

function answered(body: unknown): Answer {
  if (isObject(body) && isObject(body['metadata'])) return body;
  throw new Unreachable('nonsense', 'what answered a list is none', { sent: true });
}

/** Servers leave apiVersion and kind out of the items of built-in lists. */
function named(item: KubeObject, kind: ResourceInfo): KubeObject {
  if (item.kind && item.apiVersion) return item;
  return { ...item, apiVersion: apiVersionOf(kind), kind: kind.kind };
}
