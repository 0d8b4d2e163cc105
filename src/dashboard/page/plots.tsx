import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import Plot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import type { Figures, Series } from '../wire.ts';
import { request } from './api.ts';
import { Panel } from './parts.tsx';
import { texts } from './texts.ts';

const { timeline } = texts;
const everyMilliseconds = 5_000;

const groups: readonly (readonly [string, (series: Series) => boolean])[] = [
  [timeline.state, ({ unit }) => unit === 'templates'],
  [timeline.latency, ({ unit }) => unit === 'ms'],
  [timeline.errors, ({ unit }) => unit === 'errors/s'],
];

/** The figures of the hub since the first look: what is not in effect, how fast members answer, and their errors. */
export function Plots(): ReactNode {
  const { data } = useQuery({
    queryKey: ['figures'],
    queryFn: ({ signal }) => request<Figures>('figures', { signal }),
    refetchInterval: everyMilliseconds,
    staleTime: 0,
  });
  if (!data) return <div className="plots" />;
  if (data.times.length < 2) return <p className="faint">{timeline.noFigures}</p>;
  return (
    <div className="plots">
      {groups.map(([title, isOwn]) => (
        <Panel key={title} title={title}>
          <Chart times={data.times} series={data.series.filter(isOwn)} />
        </Panel>
      ))}
    </div>
  );
}

const colours = ['#e0992c', '#7c6fe0', '#d9392b', '#3d84e0', '#2f9e5f', '#c2509b', '#4aa5a5', '#8a8f98'];
const height = 150;

function Chart({
  times,
  series,
}: {
  readonly times: readonly number[];
  readonly series: readonly Series[];
}): ReactNode {
  const place = useRef<HTMLDivElement>(null);
  const [dark, turn] = useState(0);
  useEffect(() => {
    const turned = (): void => turn((count) => count + 1);
    window.addEventListener('sluice-theme', turned);
    return () => window.removeEventListener('sluice-theme', turned);
  }, []);
  const names = series.map(({ label }) => label).join('|');
  const plot = useRef<Plot>(null);
  useEffect(() => {
    if (!place.current) return undefined;
    const made = new Plot(optionsOf(series, place.current), [[], ...series.map(() => [])], place.current);
    plot.current = made;
    return () => made.destroy();
    // The lines are the same while their names are.
  }, [names, dark]);
  useEffect(
    () => plot.current?.setData([[...times], ...series.map(({ values }) => [...values])]),
    [times, series, dark],
  );
  return <div className="plot" ref={place} />;
}

function optionsOf(series: readonly Series[], place: HTMLElement): Plot.Options {
  const style = getComputedStyle(document.documentElement);
  const axis = {
    stroke: style.getPropertyValue('--soft'),
    grid: { stroke: style.getPropertyValue('--line'), width: 1 },
    ticks: { show: false },
  };
  return {
    width: place.clientWidth,
    height,
    cursor: { y: false },
    legend: { live: true },
    scales: { y: { range: (_plot, least, most) => [Math.min(0, least ?? 0), Math.max(1, (most ?? 0) * 1.1)] } },
    axes: [
      { ...axis, size: 24 },
      { ...axis, size: 40 },
    ],
    series: [
      {},
      ...series.map(({ label }, i) => ({
        label,
        stroke: colours[i % colours.length] ?? '',
        width: 1.6,
        points: { show: false },
        value: (_plot: Plot, value: number | null) => (value === null ? '–' : value.toFixed(value < 10 ? 1 : 0)),
      })),
    ],
  };
}
