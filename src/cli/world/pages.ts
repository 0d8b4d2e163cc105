import { apiVersionOf, fieldSets, memberReports, withoutHeader } from '../../api/index.ts';
import type { KubeObject } from '../../api/index.ts';
import { isObject } from '../../base/index.ts';
import { collectionPath, Unreachable } from '../../client/index.ts';
import type { ApiClient, ResourceInfo } from '../../client/index.ts';

/** Number of objects that are requested at a time. */
const pageSize = 500;

/** The options of reading a kind. */
export interface PageReading {
  /** All namespaces unless one is named. */
  readonly namespace?: string | undefined;
  /** Tells whether the command needs the reports of members. */
  readonly reports?: boolean;
}

interface Collection {
  readonly client: ApiClient;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

interface PageBody {
  readonly items?: readonly KubeObject[] | null;
  readonly metadata?: { readonly continue?: string };
}

/**
 * All objects of a kind, page after page at one revision. They are the caller's own and not frozen: of ten thousands
 * of objects that are looked at once, that would cost as much as reading them.
 */
export async function ownPages(
  client: ApiClient,
  kind: ResourceInfo,
  reading: PageReading = {},
): Promise<KubeObject[]> {
  const path = collectionPath(kind, reading.namespace);
  const collection = { client, path, headers: headersFor(kind, reading) };
  const found: KubeObject[] = [];
  let page: Page | undefined = ask(collection, '');
  while (page) {
    const { items, metadata } = answered(await page.body);
    for (const item of items ?? []) found.push(named(item, kind));
    const token = metadata?.continue ?? '';
    if (token === '') return found;
    page = page.next?.token === token ? page.next : ask(collection, token);
  }
  return found;
}

/** Managed fields are half of many an object, and no command reads them: our own hub leaves them out. */
function headersFor({ kind }: ResourceInfo, { reports = true }: PageReading): Collection['headers'] {
  const without = kind === 'Work' && !reports ? `${fieldSets}, ${memberReports}` : fieldSets;
  return { accept: 'application/json', [withoutHeader]: without };
}

/** A page that was asked for. */
interface Page {
  readonly token: string;
  readonly body: Promise<unknown>;
  next?: Page;
}

/** Asks for a page, and for the one after it before this one is read: so the server writes while we read. */
function ask(collection: Collection, token: string): Page {
  const { client, path, headers } = collection;
  const onText = (text: string): void => {
    const next = tokenIn(text);
    if (next !== '') page.next ??= ask(collection, next);
  };
  const query = `limit=${pageSize}${token && `&continue=${encodeURIComponent(token)}`}`;
  const asked = client.raw({ method: 'GET', path, query, headers, onText });
  const page: Page = { token, body: asked.then(({ body }) => body) };
  // The consumer of this page gets the error.
  page.body.catch(() => {});
  return page;
}

/** How far into a list its items begin at the latest. */
const longestHead = 4096;

/** Where a list goes on, as far as what stands before its items tells; '' otherwise. */
export function tokenIn(text: string): string {
  const head = text.slice(0, longestHead);
  const end = head.indexOf('"items":');
  return (end < 0 ? undefined : /"continue":"([\w+/=.-]+)"/.exec(head.slice(0, end))?.[1]) ?? '';
}

function answered(body: unknown): PageBody {
  if (isObject(body) && isObject(body['metadata'])) return body;
  throw new Unreachable('nonsense', 'the answer to a list request is not a list', { sent: true });
}

/** Servers leave apiVersion and kind out of the items of built-in lists. */
function named(item: KubeObject, kind: ResourceInfo): KubeObject {
  if (item.kind && item.apiVersion) return item;
  return { ...item, apiVersion: apiVersionOf(kind), kind: kind.kind };
}
