/**
 * Measures propagation from a user's request to the last member: `npm run bench -- propagation`, or
 * `node bench/propagation.ts` for the table alone. By default it starts `sluice up` on a disk of its own, with its
 * members in a process apart, so that their cost is not counted as the control plane's.
 *
 * `BENCH_ONLY=propagate,edit` runs some parts, in the order of `parts` below; `soak` runs only when it is named. `BENCH_COUNTS=1000,10000` are the sizes,
 * `BENCH_MINUTES` is how long the soak goes on; `BENCH_FLAGS` are flags of Node for the hub, as `--cpu-prof`;
 * `BENCH_PODS=1` lets members run pods. `BENCH_KUBECONFIG=FILE BENCH_HUB=CONTEXT BENCH_MEMBERS=a,b,c
 * BENCH_PIDS=apiserver=12,etcd=34` measures another system that speaks the same API; the processes are those of its
 * control plane on this machine.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tableOf } from './kit/measure.ts';
import type { Figure } from './kit/measure.ts';
import { startOurs } from './propagation/ours.ts';
import { editAtRest } from './propagation/edit.ts';
import { writesAlone } from './propagation/floor.ts';
import { moves, resumes } from './propagation/move.ts';
import { controlPlaneCost, propagate, propagationFigures } from './propagation/propagate.ts';
import type { Propagation } from './propagation/propagate.ts';
import { soak } from './propagation/soak.ts';
import { startsAlone, startsWhole } from './propagation/start.ts';
import { attach, givenSystem } from './propagation/system.ts';
import type { System } from './propagation/system.ts';
import { clear, furnish } from './propagation/templates.ts';
import { writesPerTemplate } from './propagation/writes.ts';

const only = process.env['BENCH_ONLY']?.split(',');
const counts = (process.env['BENCH_COUNTS'] ?? '1000,10000').split(',').map(Number);
const minutes = Number(process.env['BENCH_MINUTES'] ?? 10);
/** Changes a second of the soak; about twice as many are all that two cores can carry. */
const changesPerSecond = Number(process.env['BENCH_RATE'] ?? 30);
const given = givenSystem(process.env);
const usualMembers = ['member1', 'member2', 'member3'];

/** Runs a part on a system that is as new as can be had. */
function onSystem<T>(work: (system: System) => Promise<T>, members: readonly string[] = usualMembers): Promise<T> {
  return inFolder(async (folder) => {
    const system = given ? await attach(given) : await startOurs(folder, members);
    try {
      await furnish(system);
      return await work(system);
    } finally {
      await system.close();
    }
  });
}

/** Does some work with a data directory of its own. */
async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'propagation-'));
  try {
    return await work(join(folder, 'data'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const memberCount = given?.members.length ?? usualMembers.length;

/** Propagates a batch on a system of its own. */
function propagateAnew(count: number, members?: readonly string[]): Promise<Propagation> {
  const batch = { name: 'p', count };
  return onSystem(async (system) => {
    const propagation = await propagate(system, batch);
    if (given) await clear(system, batch);
    return propagation;
  }, members);
}

async function propagations(): Promise<readonly Figure[]> {
  const done: Propagation[] = [];
  for (const count of counts) done.push(await propagateAnew(count));
  const [small, large] = [done[0], done.at(-1)];
  const growth = small && large && small !== large ? [growthFigure(small, large)] : [];
  return [...done.flatMap((one) => propagationFigures(one, memberCount)), ...growth];
}

/** The cost of the same work per template in a larger world. */
function growthFigure(small: Propagation, large: Propagation): Figure {
  const what = `processor time of ${large.count.toLocaleString('en')} against ${small.count.toLocaleString('en')}`;
  const value = controlPlaneCost(large).cpu / controlPlaneCost(small).cpu;
  return { what, value, unit: '×', budget: (1.1 * large.count) / small.count };
}

/** The cost of one template in one member when there are many members. */
async function wideFleets(): Promise<readonly Figure[]> {
  const [few, many, count] = [3, 50, 300];
  const names = (n: number): readonly string[] => Array.from({ length: n }, (_, i) => `member${i + 1}`);
  const each = async (n: number): Promise<number> =>
    (controlPlaneCost(await propagateAnew(count, names(n))).cpu / count / n) * 1e6;
  const [narrow, wide] = [await each(few), await each(many)];
  const what = (n: number): string => `processor time per template and member, ${count} templates to ${n} members`;
  return [
    { what: what(few), value: narrow, unit: 'µs' },
    { what: what(many), value: wide, unit: 'µs', budget: 1.1 * narrow },
  ];
}

const parts: Readonly<Record<string, () => Promise<readonly Figure[]>>> = {
  writes: () => onSystem((system) => writesPerTemplate(system, { name: 'w', count: 300 })),
  propagate: propagations,
  floor: () => inFolder((folder) => onSystem(async (system) => [await writesAlone(system, folder)])),
  edit: () => onSystem(editAtRest),
  resume: async () => [await onSystem((system) => resumes(system, 1000))],
  move: () => onSystem((system) => moves(system, { name: 'm', count: 1000 })),
  start: () => inFolder((dataDir) => startsAlone({ dataDir, members: usualMembers, count: counts.at(-1) ?? 10_000 })),
  whole: () => inFolder((dataDir) => startsWhole({ dataDir, members: usualMembers, count: counts[0] ?? 1000 })),
  members: wideFleets,
  soak: () => onSystem((system) => soak(system, minutes, changesPerSecond)),
};

/** Parts that start and stop what they measure, and so can only measure ours. */
const ownOnly: ReadonlySet<string> = new Set(['start', 'whole', 'members']);

/** Everything but the soak. */
export async function run(): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const [name, part] of Object.entries(parts)) {
    if ((only ? !only.includes(name) : name === 'soak') || (given && ownOnly.has(name))) continue;
    process.stderr.write(`  ${name} …\n`);
    figures.push(...(await part()));
  }
  return figures;
}

if (import.meta.main) console.log(tableOf(await run()));
