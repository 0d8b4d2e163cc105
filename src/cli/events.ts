import { ApiError } from '../api/index.ts';
import type { KubeObject } from '../api/index.ts';
import type { Server } from './connect.ts';

/** Something that has happened to an object, as somebody noted it. */
export interface EventNote {
  readonly type: string;
  readonly reason: string;
  readonly message: string;
  readonly count: number;
  readonly lastSeen: string;
  readonly from: string;
}

type Event = KubeObject & {
  readonly type?: string;
  readonly reason?: string;
  readonly message?: string;
  readonly count?: number;
  readonly lastTimestamp?: string | null;
  readonly eventTime?: string | null;
  readonly series?: { readonly count?: number; readonly lastObservedTime?: string };
  readonly source?: { readonly component?: string };
  readonly reportingComponent?: string;
};

/** The events of an object, the youngest first; none when the caller may not read them. */
export async function fetchEvents(
  { client }: Pick<Server, 'client'>,
  { kind, metadata }: KubeObject,
): Promise<readonly EventNote[]> {
  const about = { 'involvedObject.kind': kind, 'involvedObject.name': metadata.name };
  const fieldSelector = Object.entries(about).map(([field, value]) => `${field}=${value}`);
  try {
    const { items } = await client.listAll<Event>(
      { apiVersion: 'v1', kind: 'Event' },
      { namespace: metadata.namespace ?? 'default', fieldSelector: fieldSelector.join(',') },
    );
    return items.map(noteOf).sort((a, b) => (a.lastSeen > b.lastSeen ? -1 : 1));
  } catch (error) {
    if (error instanceof ApiError && error.code === 403) return [];
    throw error;
  }
}

function noteOf(event: Event): EventNote {
  const { type = 'Normal', reason = '', message = '', series, source } = event;
  return {
    type,
    reason,
    message,
    count: series?.count ?? event.count ?? 1,
    lastSeen: lastSeenOf(event),
    from: source?.component || event.reportingComponent || '',
  };
}

function lastSeenOf({ series, lastTimestamp, eventTime, metadata }: Event): string {
  return series?.lastObservedTime ?? lastTimestamp ?? eventTime ?? metadata.creationTimestamp ?? '';
}
