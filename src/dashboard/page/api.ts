import { keepPreviousData, QueryClient, useQuery } from '@tanstack/react-query';
import type { UseQueryResult } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import type { Ref } from '../../api/index.ts';
import type { HubState, Me } from '../wire.ts';

/** An answer that is no success. */
export class RequestFailed extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.name = 'RequestFailed';
    this.status = status;
  }
}

/** The cache of answers. News of the server makes what is on screen load again; nothing else does. */
export const client = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: Infinity,
      refetchOnWindowFocus: false,
      placeholderData: keepPreviousData,
      retry: (count, error) => !(error instanceof RequestFailed && error.status < 500) && count < 2,
    },
  },
});

/** Asks the server; throws RequestFailed. */
export async function request<T>(path: string, init: RequestInit = {}): Promise<T> {
  const response = await fetch(`/api/${path}`, { credentials: 'same-origin', ...init });
  const body: unknown = await response.json().catch(() => null);
  if (response.ok) return body as T;
  if (response.status === 401 && path !== 'login') leave();
  const { message = response.statusText } = (body ?? {}) as { readonly message?: string };
  throw new RequestFailed(response.status, message);
}

/** Sends a change. */
export function post<T>(path: string, body: unknown, signal?: AbortSignal): Promise<T> {
  return request<T>(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    ...(signal && { signal }),
  });
}

/** The session has ended: logging in again leads back to the same place. */
function leave(): void {
  if (window.location.pathname === '/login') return;
  const back = window.location.pathname + window.location.search;
  window.location.assign(`/login?back=${encodeURIComponent(back)}`);
}

/** Something the server knows, kept up to date while it is on screen. */
export function useLive<T>(path: string, enabled = true): UseQueryResult<T> {
  return useQuery<T>({ queryKey: ['live', path], queryFn: ({ signal }) => request<T>(path, { signal }), enabled });
}

/** The caller and the hub. */
export const useMe = (): UseQueryResult<Me> => useLive<Me>('me');

/** A query string of what is set. */
export function queryOf(parts: Readonly<Record<string, string | number | undefined>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parts))
    if (value !== undefined && value !== '') query.set(name, String(value));
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}

/** The query string that names an object. */
export const refQuery = ({ apiVersion, kind, namespace, name }: Ref): string =>
  queryOf({ apiVersion, kind, namespace, name });

/** The state of the two connections: from the page to the server, and from there to the hub. */
export interface Link {
  readonly server: boolean;
  readonly hub: HubState;
}

let link: Link = { server: true, hub: { up: true } };
const watchers = new Set<() => void>();

function setLink(next: Link): void {
  if (next.server === link.server && next.hub.up === link.hub.up) return;
  link = next;
  for (const watcher of watchers) watcher();
}

/** The state of the connections. */
export function useLink(): Link {
  return useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    () => link,
  );
}

/** Listens for news while the page is open; the browser connects again by itself. */
export function useNews(): void {
  useEffect(() => {
    const source = new EventSource('/api/news');
    let revision = -1;
    source.addEventListener('message', ({ data }) => {
      const news = JSON.parse(String(data)) as { readonly revision: number; readonly state: HubState };
      setLink({ server: true, hub: news.state });
      if (news.revision !== revision) void client.invalidateQueries({ queryKey: ['live'] });
      revision = news.revision;
    });
    source.addEventListener('error', () => {
      setLink({ ...link, server: false });
      // A session that has ended is found out by asking.
      void request('me').catch(() => {});
    });
    return () => source.close();
  }, []);
}
