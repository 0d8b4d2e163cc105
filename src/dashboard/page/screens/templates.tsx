import { keepPreviousData, useQueries } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef } from 'react';
import type { ReactNode } from 'react';
import { useLocation, useSearch } from 'wouter';
import type { Page, TemplateRow } from '../../wire.ts';
import { queryOf, request } from '../api.ts';
import { Empty, ObjectLink, PolicyLink, State, Title } from '../parts.tsx';
import { texts } from '../texts.ts';

const { workloads, common } = texts;
const pageSize = 100;
const lineHeight = 36;
const filterNames = ['namespace', 'member', 'policy', 'state', 'text'] as const;

/** Every template, the worst first; only what is on screen is asked for. */
export function Templates(): ReactNode {
  const search = new URLSearchParams(useSearch());
  const filters = Object.fromEntries(filterNames.map((name) => [name, search.get(name) ?? undefined]));
  return (
    <>
      <Title>{workloads.title}</Title>
      <Filters filters={filters} />
      <section className="panel flush" aria-label={workloads.title}>
        <List key={queryOf(filters)} filters={filters} />
      </section>
    </>
  );
}

type FilterValues = Readonly<Record<string, string | undefined>>;

function Filters({ filters }: { readonly filters: FilterValues }): ReactNode {
  const [, go] = useLocation();
  const set = (name: string, value: string | undefined): void =>
    go(`/templates${queryOf({ ...filters, [name]: value })}`, { replace: true });
  const chips = (['namespace', 'member', 'policy'] as const).filter((name) => filters[name] !== undefined);
  return (
    <div className="filters">
      <input
        type="search"
        aria-label={workloads.filter}
        placeholder={workloads.filter}
        value={filters['text'] ?? ''}
        onChange={({ target }) => set('text', target.value || undefined)}
      />
      <select
        aria-label={workloads.columns.state}
        value={filters['state'] ?? ''}
        onChange={({ target }) => set('state', target.value || undefined)}
      >
        <option value="">{workloads.anyState}</option>
        <option value="trouble">{workloads.trouble}</option>
        {Object.entries(texts.states).map(([state, word]) => (
          <option key={state} value={state}>
            {word}
          </option>
        ))}
      </select>
      {chips.map((name) => (
        <button key={name} type="button" className="chip" onClick={() => set(name, undefined)}>
          {name}: <bdi>{filters[name] || common.clusterScoped}</bdi> ✕
        </button>
      ))}
    </div>
  );
}

function List({ filters }: { readonly filters: FilterValues }): ReactNode {
  const scroll = useRef<HTMLDivElement>(null);
  const known = useRef(pageSize);
  const lines = useVirtualizer({
    count: known.current,
    getScrollElement: () => scroll.current,
    estimateSize: () => lineHeight,
    overscan: 12,
  });
  const visible = lines.getVirtualItems();
  const offsets = [...new Set(visible.map(({ index }) => Math.floor(index / pageSize) * pageSize))];
  const pages = useQueries({
    queries: (offsets.length > 0 ? offsets : [0]).map((offset) => ({
      queryKey: ['live', 'templates', filters, offset],
      queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
        request<Page<TemplateRow>>(`templates${queryOf({ ...filters, offset, limit: pageSize })}`, { signal }),
      placeholderData: keepPreviousData,
    })),
  });
  const total = pages.find(({ data }) => data)?.data?.total;
  known.current = total ?? known.current;
  const rowAt = (index: number): TemplateRow | undefined => {
    const page = pages.find(({ data }) => data?.offset === Math.floor(index / pageSize) * pageSize);
    return page?.data?.rows[index % pageSize];
  };
  const { columns } = workloads;
  if (total === 0) return <Nothing />;
  return (
    <>
      <div className="heads" aria-hidden="true">
        {Object.values(columns).map((head) => (
          <span key={head}>{head}</span>
        ))}
      </div>
      <div className="rows" ref={scroll} tabIndex={0} role="list" aria-label={common.templates(total ?? 0)}>
        <div style={{ height: lines.getTotalSize() }}>
          {visible
            .filter(({ index }) => index < (total ?? 0))
            .map(({ index, start }) => (
              <Line key={index} row={rowAt(index)} start={start} />
            ))}
        </div>
      </div>
      <p className="note">{common.templates(total ?? 0)}</p>
    </>
  );
}

function Nothing(): ReactNode {
  const [, go] = useLocation();
  return (
    <Empty title={workloads.none} help={workloads.noneHelp}>
      <button type="button" onClick={() => go('/templates')}>
        {workloads.clear}
      </button>
    </Empty>
  );
}

function Line({ row, start }: { readonly row: TemplateRow | undefined; readonly start: number }): ReactNode {
  const style = { transform: `translateY(${start}px)` };
  if (!row) return <div className="line" role="listitem" style={style} />;
  const { template, state, clusters, policy, why } = row;
  return (
    <div className="line" role="listitem" style={style}>
      <span title={template.name}>
        <ObjectLink object={template} />
      </span>
      <span className="faint">
        <bdi>{template.namespace ?? '–'}</bdi>
      </span>
      <State state={state} />
      <span>
        {clusters.map((place) => (
          <Place key={place.name} {...place} />
        ))}
      </span>
      <span>
        <PolicyLink policy={policy} />
      </span>
      <span className="faint" title={why}>
        <bdi>{why}</bdi>
      </span>
    </div>
  );
}

function Place({ name, state, ready, replicas }: TemplateRow['clusters'][number]): ReactNode {
  return (
    <span className="place">
      <State state={state} quiet /> <bdi>{name}</bdi>
      {replicas === undefined ? null : (
        <span className="faint">
          {ready ?? '?'}/{replicas}
        </span>
      )}
    </span>
  );
}
