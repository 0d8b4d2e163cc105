import { summary } from '../kit/load.ts';
import type { Figure } from '../kit/measure.ts';
import { arrivals, stampLabel } from './arrivals.ts';
import { editOnce, prepareEdits } from './edit.ts';
import { isControlPlane, usages } from './system.ts';
import type { System } from './system.ts';
import { policyOf, setPolicy, template, templateRef, untilQuiet } from './templates.ts';
import { pause } from './wait.ts';

/** The measurements of one window of the run. */
interface Sample {
  readonly p50: number;
  readonly p99: number;
  /** Resident memory of the control plane in MiB. */
  readonly memory: number;
  /** Keys that wait for a worker; NaN where the hub does not tell. */
  readonly depth: number;
}

const windowSeconds = 15;

/**
 * Creates, changes and deletes templates at a steady rate for so many minutes, while edits of others are timed. A late
 * operation stays late, so that a queue that grows shows.
 */
export async function soak(system: System, minutes: number, perSecond: number): Promise<readonly Figure[]> {
  const edited = await prepareEdits(system, 'e', 60);
  const seen = await arrivals(system, edited.namespace);
  await setPolicy(system.hub, policyOf({ name: 's', count: 0 }, [...system.members.keys()]));
  const over = { now: false };
  const load = loading(system, perSecond, over);
  const samples: Sample[] = [];
  const windows = Math.ceil((minutes * 60) / windowSeconds);
  for (let i = 0; i < windows; i++) {
    const times: number[] = [];
    const end = performance.now() + windowSeconds * 1000;
    while (performance.now() < end) {
      times.push(await editOnce(system, seen, edited));
      await pause(50);
    }
    samples.push({ ...summary(times), memory: memoryOf(system), depth: await depthOf(system) });
    process.stderr.write(`    ${shown(samples.at(-1))}\n`);
  }
  over.now = true;
  const done = await load;
  seen.close();
  await untilQuiet(system.hub);
  return figuresOf(samples, { minutes, done });
}

const shown = (sample: Sample | undefined): string =>
  sample
    ? `p50 ${sample.p50.toFixed(1)} ms, p99 ${sample.p99.toFixed(1)} ms, ${sample.memory.toFixed(0)} MiB, ${sample.depth} wait`
    : '';

/** A slot's template is created, edited three times and deleted, over and over. */
async function loading({ hub }: System, perSecond: number, over: { readonly now: boolean }): Promise<number> {
  const slots = 1000;
  const batch = { name: 's', count: slots };
  const turn = async (i: number): Promise<void> => {
    const slot = i % slots;
    const phase = Math.floor(i / slots) % 5;
    const ref = templateRef(batch, slot);
    if (phase === 0) await hub.create(template(batch, slot));
    else if (phase === 4) await hub.delete(ref);
    else await hub.patch(ref, { metadata: { labels: { [stampLabel]: `t${i}` } } }, { type: 'merge' });
  };
  const start = performance.now();
  const running = new Set<Promise<void>>();
  let next = 0;
  while (!over.now) {
    const due = ((performance.now() - start) / 1000) * perSecond;
    while (next < due) {
      const one = turn(next++).catch(() => undefined);
      running.add(one);
      void one.then(() => running.delete(one));
    }
    await pause(5);
  }
  await Promise.all(running);
  return next;
}

function memoryOf(system: System): number {
  let bytes = 0;
  for (const [name, { rss }] of usages(system)) if (isControlPlane(name)) bytes += rss;
  return bytes / (1 << 20);
}

async function depthOf({ hub }: System): Promise<number> {
  try {
    const { body } = await hub.raw({ method: 'GET', path: '/metrics', headers: { accept: 'text/plain' } });
    const lines = String(body).matchAll(/^sluice_queue_depth\{[^}]*\} (\d+)/gm);
    return [...lines].reduce((sum, line) => sum + Number(line[1]), 0);
  } catch {
    return Number.NaN;
  }
}

/** The last quarter against the third: by then everything that is kept for a while is full. */
function figuresOf(
  samples: readonly Sample[],
  run: { readonly minutes: number; readonly done: number },
): readonly Figure[] {
  const quarter = Math.max(1, Math.floor(samples.length / 4));
  const [third, fourth] = [samples.slice(-2 * quarter, -quarter), samples.slice(-quarter)];
  const mean = (of: readonly Sample[], value: (sample: Sample) => number): number =>
    of.reduce((sum, sample) => sum + value(sample), 0) / of.length;
  const growth = (value: (sample: Sample) => number): number => mean(fourth, value) / mean(third, value);
  const what = `${run.minutes} minutes, ${run.done.toLocaleString('en')} requests`;
  return [
    {
      what: `${what}: memory, last quarter against the third`,
      value: growth(({ memory }) => memory),
      unit: '×',
      budget: 1.05,
    },
    { what: `${what}: memory, last quarter`, value: mean(fourth, ({ memory }) => memory), unit: 'MiB' },
    { what: `${what}: p50 of edits, last quarter`, value: mean(fourth, ({ p50 }) => p50), unit: 'ms' },
    { what: `${what}: p50 of edits, last quarter against the third`, value: growth(({ p50 }) => p50), unit: '×' },
    { what: `${what}: keys that wait, last quarter`, value: mean(fourth, ({ depth }) => depth), unit: '' },
  ];
}
