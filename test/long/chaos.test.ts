/**
 * Anything happens, in many stories side by side on one system, while controllers die and members are in trouble. At every
 * pause hub and members stand as they do in a world in which nothing ever went wrong.
 * `SLUICE_SEED=n` tells other stories.
 */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { keyOf, refOf } from '../../src/api/index.ts';
import type { Gates, KubeObject } from '../../src/api/index.ts';
import { equal } from '../../src/base/index.ts';
import type { World } from '../../src/engine/index.ts';
import type { FaultChange } from '../../src/sim/index.ts';
import { startLive } from '../kit/live.ts';
import type { Live } from '../kit/live.ts';
import { namespaces, stories } from '../kit/stories/anything.ts';
import type { Story, Vocabulary } from '../kit/stories/anything.ts';
import { done, labelled } from '../kit/stories/done.ts';
import { happen, memberNames, stageFor } from '../kit/stories/event.ts';
import type { Event } from '../kit/stories/event.ts';
import { relocated } from '../kit/stories/relocate.ts';
import { settleAs } from '../kit/stories/tell.ts';
import { comparedFieldsOf } from '../kit/stories/compared-fields.ts';
import { until } from '../kit/until.ts';
import { KilledProcess } from './killed-process.ts';

const seed = Number(process.env['SLUICE_SEED'] ?? 20_261_116);
const words: Vocabulary = { fleet: false, time: false, clusterRoles: false };
const storiesAtOnce = 24;

/** A story on the live system, and the same in a world in which nothing goes wrong. */
interface StoryRun {
  readonly name: string;
  readonly events: readonly Event[];
  readonly world: World;
}

/** The circumstances of a batch of stories. */
interface Circumstances {
  readonly gates: Partial<Gates>;
  /** How long trouble in a member lasts, and how long it is not called not ready. */
  readonly troubleMilliseconds: number;
  readonly patienceSeconds: number;
}

const hiccups = { troubleMilliseconds: 700, patienceSeconds: 60 };
const outages = { troubleMilliseconds: 2_500, patienceSeconds: 0.2 };
const batches: readonly Circumstances[] = [
  { gates: {}, ...hiccups },
  { gates: {}, ...outages },
  { gates: { StaticPolicy: true }, ...hiccups },
];

/**
 * A model knows neither the capacity of a member nor the time there; and replicas go elsewhere while a member is not
 * ready.
 */
function known(when: Circumstances): fc.Arbitrary<Story> {
  const unknown = when.patienceSeconds < 1 ? /Divided|"until"/ : /Aggregated|"until"/;
  return stories(words, 6).filter((story) => !unknown.test(JSON.stringify(story)));
}

function runsOf(batch: number, when: Circumstances): readonly StoryRun[] {
  const { gates } = when;
  return fc.sample(known(when), { numRuns: storiesAtOnce, seed: 10 * seed + batch }).map((story, i) => {
    const name = `c${batch}${String(i).padStart(2, '0')}`;
    const { steps } = relocated({ story, change: {} }, name);
    return { name, events: steps.map(({ event }) => event), world: stageFor(gates) };
  });
}

/** A disturbance during a round. */
interface Disturbance {
  readonly says: string;
  /** The controllers die with so many writes. */
  readonly death?: { readonly at: number; readonly when: 'before' | 'after' };
  readonly member?: { readonly name: string; readonly fault: FaultChange };
}

const faults: readonly FaultChange[] = [
  { down: true },
  { partition: true },
  { errorPercent: 60 },
  { throttlePercent: 60 },
  { latencyMilliseconds: 150 },
  { cutWatches: true },
];

const disturbances: fc.Arbitrary<Disturbance> = fc
  .record({
    death: fc.option(
      fc.record({ at: fc.integer({ min: 1, max: 60 }), when: fc.constantFrom('before' as const, 'after' as const) }),
      { freq: 2 },
    ),
    member: fc.option(fc.record({ name: fc.constantFrom(...memberNames), fault: fc.constantFrom(...faults) })),
  })
  .map(({ death, member }) => ({
    says: JSON.stringify({ death, member }),
    ...(death && { death }),
    ...(member && { member }),
  }));

/** One event of every story, and something that goes wrong meanwhile; all is at rest in the end. */
async function round(
  live: Live,
  events: readonly Event[],
  { death, member, lasts }: Disturbance & { readonly lasts: number },
): Promise<void> {
  const killed = death && new KilledProcess(death);
  if (killed) {
    await live.stop();
    await live.start({ between: killed.between, betweenMembers: killed.betweenMembers });
  }
  if (member) await live.simulated(member.name).setFaults(member.fault);
  await Promise.all(events.filter((event) => event.do !== 'tamper').map((event) => done(live, event, false)));
  if (member) {
    await new Promise((resolve) => setTimeout(resolve, lasts));
    await live.simulated(member.name).setFaults({ ...noFault });
  }
  await Promise.all(events.filter((event) => event.do === 'tamper').map((event) => done(live, event, false)));
  if (killed) {
    await live.settle(() => killed.dead);
    await live.restart();
  }
  await live.settle();
}

const noFault: FaultChange = {
  down: false,
  partition: false,
  errorPercent: 0,
  throttlePercent: 0,
  latencyMilliseconds: 0,
};

const onHub = [
  { apiVersion: 'work.karmada.io/v1alpha2', kind: 'ResourceBinding' },
  { apiVersion: 'work.karmada.io/v1alpha1', kind: 'Work' },
];
const templates = [
  { apiVersion: 'apps/v1', kind: 'Deployment' },
  { apiVersion: 'v1', kind: 'ConfigMap' },
  { apiVersion: 'v1', kind: 'Secret' },
];

/** Everything that stands on the hub and in the members, by key. */
async function allObjects(live: Live): Promise<FoundObjects> {
  const found = new Map<string, KubeObject>();
  for (const kind of [...onHub, ...templates]) {
    for (const item of (await live.user.listAll(kind)).items) found.set(keyOf(refOf(item)), item);
  }
  for (const name of live.members) {
    for (const kind of templates) {
      for (const item of (await live.member(name).listAll(kind)).items)
        found.set(`@${name}|${keyOf(refOf(item))}`, item);
    }
  }
  return found;
}

type FoundObjects = ReadonlyMap<string, KubeObject>;
type Lines = Readonly<Record<string, unknown>>;

/** How a story stands, in lines that can be compared. */
function linesOf(entries: Iterable<readonly [string, KubeObject]>, name: string): Lines {
  const lines: [string, unknown][] = [];
  for (const [key, object] of entries) {
    const sketch = comparedFieldsOf(key, object);
    if (sketch && JSON.stringify(sketch.about).includes(name)) lines.push([key, sketch.seen]);
  }
  return Object.fromEntries(lines);
}

/** The differences from the story, in words; empty when there are none. */
function faultsOf(
  { name, events, world }: StoryRun,
  turn: number,
  [before, after]: readonly [FoundObjects, FoundObjects],
): string {
  const [wanted, is] = [linesOf(world.entries(), name), linesOf(after, name)];
  const told = events.slice(0, turn + 1);
  const other = [...new Set([...Object.keys(wanted), ...Object.keys(is)])]
    .filter((key) => !equal(wanted[key], is[key]))
    .map((key) => `${key}\n      wanted ${JSON.stringify(wanted[key])}\n      found  ${JSON.stringify(is[key])}`);
  const anew =
    told.at(-1)?.do === 'tamper' ? [] : Object.keys(is).filter((key) => isAnew(before.get(key), after.get(key)));
  const lines = [...other, ...anew.map((key) => `${key} was deleted and made anew`)];
  return lines.length === 0 ? '' : [name, ...told.map((event) => JSON.stringify(event)), ...lines].join('\n    ');
}

/** True when there was one before and another one has taken its place. */
function isAnew(before: KubeObject | undefined, after: KubeObject | undefined): boolean {
  return before !== undefined && after !== undefined && before.metadata.uid !== after.metadata.uid;
}

async function prepare({ gates, patienceSeconds }: Circumstances, runs: readonly StoryRun[]): Promise<Live> {
  const live = await startLive({ members: memberNames, gates, patienceSeconds });
  await live.untilReady();
  for (const [i, name] of memberNames.entries()) {
    const ref = { apiVersion: 'cluster.karmada.io/v1alpha1', kind: 'Cluster', name };
    await live.user.patch(ref, labelled('zone', i === 2 ? 'z2' : 'z1'), { type: 'merge' });
  }
  for (const { name } of runs) {
    for (const namespace of namespaces) {
      await live.user.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: `${name}${namespace}` } });
    }
  }
  await live.settle();
  return live;
}

/** The next event of every story in its model. */
function foresee(runs: readonly StoryRun[], turn: number): readonly Event[] {
  return runs.flatMap(({ world, events }) => {
    const event = events[turn];
    if (!event) return [];
    happen(world, event, turn);
    settleAs(world, 'settle');
    return [event];
  });
}

/** The disturbances beside the stories. */
interface Weather {
  readonly troubles: readonly Disturbance[];
  readonly lasts: number;
  /** Changes of the members now and then, under all stories at once. */
  readonly fleet: readonly Event[];
}

const fleetEvents: fc.Arbitrary<Event> = fc.record({
  do: fc.constant('fleet' as const),
  cluster: fc.constantFrom(...memberNames),
  taints: fc.constantFrom([], [], [{ key: 'full', effect: 'NoSchedule' as const }]),
  zone: fc.constantFrom('z1', 'z2'),
});
const fleetEvery = 3;

async function tellAll(live: Live, runs: readonly StoryRun[], weather: Weather): Promise<void> {
  const longest = Math.max(...runs.map(({ events }) => events.length));
  let before = await allObjects(live);
  for (let turn = 0; turn < longest; turn++) {
    const trouble = weather.troubles[turn] ?? { says: 'nothing' };
    const change = (turn + 1) % fleetEvery === 0 ? weather.fleet[turn] : undefined;
    if (change) await changeFleet(live, runs, change);
    await round(live, foresee(runs, turn), { ...trouble, lasts: weather.lasts });
    before = await until(
      `all is as it should be after round ${turn} with ${trouble.says}`,
      async () => {
        const after = await allObjects(live);
        expect(runs.map((one) => faultsOf(one, turn, [before, after])).filter((fault) => fault !== '')).toEqual([]);
        return after;
      },
      patience,
    );
  }
}

async function changeFleet(live: Live, runs: readonly StoryRun[], change: Event): Promise<void> {
  for (const { world } of runs) {
    happen(world, change, 0);
    settleAs(world, 'settle');
  }
  await done(live, change, false);
  await live.settle();
}

const patience = 20_000;

describe(`all stories end as expected, whatever goes wrong meanwhile (SLUICE_SEED=${seed})`, () => {
  test.each(batches.map((when, batch) => [batch, when] as const))('batch %i, %j', async (batch, when) => {
    const runs = runsOf(batch, when);
    const sampling = { numRuns: 40, seed: 10 * seed + batch };
    const troubles = fc.sample(disturbances, sampling);
    const weather = { troubles, lasts: when.troubleMilliseconds, fleet: fc.sample(fleetEvents, sampling) };
    const live = await prepare(when, runs);
    try {
      await tellAll(live, runs, weather);
    } finally {
      await live.close();
    }
  });
});
