import { ApiError } from '../../../api/index.ts';
import type { Figures } from '../../wire.ts';
import type { Sight } from '../sight.ts';

/** The gauges that are read from the metrics of the hub, in the order of the screen. */
const wanted = [
  { name: 'pending', label: 'pending', unit: 'templates', metric: 'sluice_templates', labels: { state: 'pending' } },
  {
    name: 'suspended',
    label: 'suspended',
    unit: 'templates',
    metric: 'sluice_templates',
    labels: { state: 'suspended' },
  },
  {
    name: 'unhealthy',
    label: 'unhealthy',
    unit: 'templates',
    metric: 'sluice_templates',
    labels: { state: 'unhealthy' },
  },
  { name: 'failing', label: 'failing', unit: 'templates', metric: 'sluice_templates', labels: { state: 'failing' } },
] as const;

const keptSamples = 720;
const gapMilliseconds = 5_000;

interface Sample {
  readonly time: number;
  readonly values: ReadonlyMap<string, number>;
}

/** The samples of each person: metrics are read with the rights of the caller. */
const samples = new WeakMap<Sight, { readonly kept: Sample[]; before?: Metrics }>();

/** The figures of the hub since somebody first looked, at most an hour of them. */
export async function figures(sight: Sight): Promise<Figures> {
  const own = samples.get(sight) ?? { kept: [] };
  samples.set(sight, own);
  const now = Date.now();
  if (now - (own.kept.at(-1)?.time ?? 0) >= gapMilliseconds) {
    const read = await metricsOf(sight);
    if (read) own.kept.push({ time: now, values: valuesOf(read, own.before) });
    if (read) own.before = read;
    if (own.kept.length > keptSamples) own.kept.shift();
  }
  const members = [...new Set(own.kept.flatMap(({ values }) => [...values.keys()]))]
    .filter((name) => name.includes(':'))
    .sort();
  const series = [
    ...wanted.map(({ name, label, unit }) => ({ name, label, unit })),
    ...members.map((name) => {
      const [kind = '', member = ''] = name.split(':');
      return { name, label: member, unit: kind === 'errors' ? 'errors/s' : 'ms' };
    }),
  ];
  return {
    times: own.kept.map(({ time }) => time / 1000),
    series: series.map((one) => ({ ...one, values: own.kept.map(({ values }) => values.get(one.name) ?? null) })),
  };
}

/** Samples of a Prometheus page: name, labels, value. */
type Metrics = ReadonlyMap<string, number>;

async function metricsOf({ hub }: Sight): Promise<Metrics | undefined> {
  try {
    let text = '';
    const { body } = await hub.client.raw({
      method: 'GET',
      path: '/metrics',
      headers: { accept: 'text/plain' },
      onText: (all) => void (text = all),
    });
    return parsed(typeof body === 'string' ? body : text);
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}

const line =
  /^(sluice_templates|sluice_client_request_seconds_(?:sum|count)|sluice_client_requests_total)\{([^}]*)\} (\S+)$/;

function parsed(text: string): Metrics {
  const found = new Map<string, number>();
  for (const row of text.split('\n')) {
    const [, name, labels, value] = line.exec(row) ?? [];
    if (name !== undefined) found.set(`${name}{${labels ?? ''}}`, Number(value));
  }
  return found;
}

function valuesOf(now: Metrics, before: Metrics | undefined): ReadonlyMap<string, number> {
  const states = [...now].flatMap(([key, value]) => {
    const state = /^sluice_templates\{state="([^"]+)"\}$/.exec(key)?.[1];
    return state === undefined ? [] : [[state, value] as const];
  });
  return new Map([...states, ...(before ? memberValues(now, before) : [])]);
}

/** How long members took to answer, and how often they failed, since the sample before. */
function memberValues(now: Metrics, before: Metrics): readonly (readonly [string, number])[] {
  const grown = [...now].flatMap(([key, value]) => {
    const server = /server="([^"]+)"/.exec(key)?.[1];
    return server === undefined || server === 'hub' ? [] : [{ key, server, by: value - (before.get(key) ?? 0) }];
  });
  return [...Map.groupBy(grown, ({ server }) => server)].flatMap(([name, own]) => {
    const sum = (pattern: RegExp): number =>
      own.reduce((total, { key, by }) => total + (pattern.test(key) ? by : 0), 0);
    const requests = sum(/^sluice_client_request_seconds_count/);
    const errors = sum(/^sluice_client_requests_total.*code="(0|5\d\d|429)"/) / (gapMilliseconds / 1000);
    const milliseconds = (sum(/^sluice_client_request_seconds_sum/) / requests) * 1000;
    return [...(requests > 0 ? [[`latency:${name}`, milliseconds] as const] : []), [`errors:${name}`, errors] as const];
  });
}
