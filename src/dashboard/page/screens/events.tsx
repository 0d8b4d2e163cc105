import type { ReactNode } from 'react';
import type { TimelineEntry } from '../../wire.ts';
import { Ago, ObjectLink } from '../parts.tsx';
import { texts } from '../texts.ts';

const { resource, timeline } = texts;
const most = 40;

/** Events about one object, the newest first. */
export function EventList({ events }: { readonly events: readonly TimelineEntry[] }): ReactNode {
  if (events.length === 0) return <p className="faint">{resource.noEvents}</p>;
  return (
    <ol className="list events">
      {events.slice(0, most).map((event) => (
        <EventLine key={idOf(event)} event={event} />
      ))}
    </ol>
  );
}

/** Tells events apart. */
export const idOf = ({ time, reason, object, message }: TimelineEntry): string =>
  [time, reason, object.kind, object.namespace, object.name, message].join('|');

/** One event: when, what, about which object, and in whose words. */
export function EventLine({ event, named }: { readonly event: TimelineEntry; readonly named?: boolean }): ReactNode {
  const { time, type, reason, message, object, count, by } = event;
  return (
    <li className={type === 'Warning' ? 'warning' : ''}>
      <span className="when faint">
        <Ago time={time} />
      </span>
      <span>
        <strong className={type === 'Warning' ? 'danger' : ''}>{reason}</strong>{' '}
        {named ? <ObjectLink object={object} /> : null} <bdi>{message}</bdi>{' '}
        <span className="faint">
          {count > 1 ? timeline.times(count) : ''} {by}
        </span>
      </span>
    </li>
  );
}
