import type { Figure } from '../kit/measure.ts';
import { isControlPlane, usages } from './system.ts';
import type { System } from './system.ts';
import { countIn, createAll, policyOf, setPolicy, untilQuiet } from './templates.ts';
import type { Batch } from './templates.ts';
import { forgetPeak } from './usage.ts';
import type { Usage } from './usage.ts';
import { untilTrue } from './wait.ts';

/** The time and cost of bringing a batch to all members. */
export interface Propagation {
  readonly count: number;
  /** Seconds from the first request: until the last was answered, the last member had all, nothing was written any more. */
  readonly created: number;
  readonly arrived: number;
  readonly settled: number;
  /** Writes of the hub until it was quiet. */
  readonly writes: number;
  /** By process: seconds of processor time, bytes written, peak of memory in bytes. */
  readonly cost: ReadonlyMap<string, Cost>;
}

export interface Cost {
  readonly mainCpu: number;
  readonly cpu: number;
  readonly written: number;
  readonly peak: number;
}

/** Brings a batch to all members, and measures it. */
export async function propagate(system: System, batch: Batch): Promise<Propagation> {
  const { hub, members } = system;
  await setPolicy(hub, policyOf(batch, [...members.keys()]));
  const before = await untilQuiet(hub);
  const expected = new Map<string, number>();
  for (const [name, member] of members) expected.set(name, (await countIn(member)) + batch.count);
  for (const pid of system.processes.values()) forgetPeak(pid);
  const used = usages(system);
  const start = performance.now();
  const since = (): number => (performance.now() - start) / 1000;
  let created = 0;
  const creating = createAll(hub, batch).then(() => (created = since()));
  const arriving = untilTrue('all templates are in all members', () => hasAll(system, expected));
  await Promise.all([creating, arriving]);
  const arrived = since();
  const after = await untilQuiet(hub);
  const settled = since() - 1;
  return { count: batch.count, created, arrived, settled, writes: after - before, cost: costs(system, used) };
}

async function hasAll({ members }: System, expected: ReadonlyMap<string, number>): Promise<boolean> {
  for (const [name, member] of members) if ((await countIn(member)) < (expected.get(name) ?? 0)) return false;
  return true;
}

/** The resources that every process of a system has used since. */
export function costs(system: System, since: ReadonlyMap<string, Usage>): ReadonlyMap<string, Cost> {
  const found = new Map<string, Cost>();
  for (const [name, now] of usages(system)) {
    const { mainCpu = 0, cpu = 0, written = 0 } = since.get(name) ?? {};
    found.set(name, {
      mainCpu: now.mainCpu - mainCpu,
      cpu: now.cpu - cpu,
      written: now.written - written,
      peak: now.peak,
    });
  }
  return found;
}

const shownCount = (count: number): string => count.toLocaleString('en');
const mebibyte = 1 << 20;

/** The figures of a propagation. */
export function propagationFigures(done: Propagation, members: number): readonly Figure[] {
  const { count, created, arrived, settled, writes } = done;
  const what = `${shownCount(count)} templates to ${members} members`;
  const hub = controlPlaneCost(done);
  const cpu = [(hub.mainCpu / count) * 1e6, (hub.cpu / count) * 1e6] as const;
  return [
    { what, value: count / arrived, unit: 'templates/s', budget: 1000, atLeast: true, cpu },
    { what: `${what}: last request answered`, value: created, unit: 's' },
    { what: `${what}: last object in the last member`, value: arrived, unit: 's' },
    { what: `${what}: all statuses back`, value: settled, unit: 's' },
    { what: `${what}: writes of the hub, statuses and events included`, value: writes / count, unit: 'per template' },
    { what: `${what}: written to disk by the hub`, value: hub.written / count / 1024, unit: 'KiB per template' },
    { what: `${what}: peak memory of the hub`, value: hub.peak / mebibyte, unit: 'MiB', budget: 400 },
    ...memberFigures(done, what),
  ];
}

function memberFigures({ count, cost }: Propagation, what: string): readonly Figure[] {
  return [...cost]
    .filter(([name]) => !isControlPlane(name))
    .map(([name, { cpu }]) => ({
      what: `${what}: processor time of ${name}`,
      value: (cpu / count) * 1e6,
      unit: 'µs per template',
    }));
}

/** The CPU time of the control plane, in however many processes it runs. */
export function controlPlaneCost({ cost }: Pick<Propagation, 'cost'>): Cost {
  const own = [...cost].filter(([name]) => isControlPlane(name)).map(([, used]) => used);
  const sum = (of: (cost: Cost) => number): number => own.reduce((total, cost) => total + of(cost), 0);
  return {
    mainCpu: sum(({ mainCpu }) => mainCpu),
    cpu: sum(({ cpu }) => cpu),
    written: sum(({ written }) => written),
    peak: sum(({ peak }) => peak),
  };
}
