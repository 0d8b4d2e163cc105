import { lazy, Suspense, useDeferredValue, useState } from 'react';
import type { ReactNode } from 'react';
import { useLocation, useSearch } from 'wouter';
import type { TimelineEntry } from '../../wire.ts';
import { queryOf, useLive } from '../api.ts';
import { Empty, Loaded, Panel, Title } from '../parts.tsx';
import { texts } from '../texts.ts';
import { EventLine, idOf } from './events.tsx';

const Plots = lazy(async () => ({ default: (await import('../plots.tsx')).Plots }));
const { timeline } = texts;

/** Events that follow every change, and say nothing about its cause. */
const routineReasons: ReadonlySet<string> = new Set([
  'AggregateStatusSucceed',
  'InterpretHealthSucceed',
  'ReflectStatusSucceed',
  'SyncWorkSucceed',
  'SyncSucceed',
  'WorkDispatching',
]);

/** What changed, when, and because of what; with the figures of the hub beside it. */
export function Timeline(): ReactNode {
  const [, go] = useLocation();
  const text = new URLSearchParams(useSearch()).get('text') ?? '';
  const wanted = useDeferredValue(text);
  const [warnings, only] = useState(false);
  const [routine, include] = useState(false);
  const query = useLive<readonly TimelineEntry[]>(`timeline${queryOf({ text: wanted })}`);
  const isShown = ({ type, reason }: TimelineEntry): boolean =>
    type === 'Warning' || (!warnings && (routine || !routineReasons.has(reason)));
  return (
    <>
      <Title>{timeline.title}</Title>
      <Suspense fallback={<div className="plots" />}>
        <Plots />
      </Suspense>
      <div className="filters">
        <input
          type="search"
          aria-label={timeline.filter}
          placeholder={timeline.filter}
          value={text}
          onChange={({ target }) => go(`/timeline${queryOf({ text: target.value })}`, { replace: true })}
        />
        <label className="check">
          <input type="checkbox" checked={warnings} onChange={({ target }) => only(target.checked)} />
          {timeline.warnings}
        </label>
        <label className="check">
          <input type="checkbox" checked={routine} onChange={({ target }) => include(target.checked)} />
          {timeline.routine}
        </label>
      </div>
      <Loaded query={query}>{(entries) => <Entries entries={entries.filter(isShown)} />}</Loaded>
    </>
  );
}

function Entries({ entries }: { readonly entries: readonly TimelineEntry[] }): ReactNode {
  if (entries.length === 0) return <Empty title={timeline.none} help={timeline.noneHelp} />;
  return (
    <Panel title={timeline.title}>
      <ol className="list events">
        {entries.map((event) => (
          <EventLine key={idOf(event)} event={event} named />
        ))}
      </ol>
    </Panel>
  );
}
