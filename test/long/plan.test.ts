/**
 * A plan tells what then happens: on a whole system, with members over HTTPS, a plan is asked for by the program, the
 * change is made by the program, and what the members saw is compared with it, effect by effect.
 * `SLUICE_SEED=n` tells other stories.
 */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { keyOf, refOf } from '../../src/api/index.ts';
import type { Gates, KubeObject, Ref } from '../../src/api/index.ts';
import { withHub } from '../../src/cli/connect.ts';
import type { Io } from '../../src/cli/index.ts';
import { groundOf, judgeLive } from '../../src/cli/judge.ts';
import type { JudgedChange } from '../../src/cli/judge.ts';
import { withMembers } from '../../src/cli/members.ts';
import { fetchSnapshot } from '../../src/cli/world/state.ts';
import { effectOf, plan } from '../../src/engine/index.ts';
import type { Plan } from '../../src/engine/index.ts';
import { openSystem } from '../cli/kit.ts';
import type { System } from '../cli/kit.ts';
import { namespaces } from '../kit/stories/anything.ts';
import type { Vocabulary } from '../kit/stories/anything.ts';
import { companies } from '../kit/stories/dependency-stories.ts';
import { edits } from '../kit/stories/policy-edits.ts';
import { done, labelled } from '../kit/stories/done.ts';
import { firstOf, proposals } from '../kit/stories/proposal.ts';
import type { Proposal } from '../kit/stories/proposal.ts';
import type { Event } from '../kit/stories/event.ts';
import { tell } from '../kit/stories/tell.ts';
import { relocated } from '../kit/stories/relocate.ts';
import type { Relocated } from '../kit/stories/relocate.ts';

const seed = Number(process.env['SLUICE_SEED'] ?? 20_261_115);
const words: Vocabulary = { fleet: false, time: false, clusterRoles: false };

/** Any story with any change, and changes of policies in stories about templates in company. */
const together = companies(words).map(({ story, change }) => ({ story, change: firstOf(change) }));
const all: fc.Arbitrary<Proposal> = fc.oneof(
  { weight: 3, arbitrary: proposals(words, { steps: 5, objects: 3 }) },
  { weight: 3, arbitrary: edits(words) },
  { weight: 1, arbitrary: together },
);

interface World extends Relocated {
  readonly name: string;
  /** Its people apply with kubectl, which leaves a note on what it applied. */
  readonly remembers: boolean;
}

/** Number of worlds of a batch that must have effects of each sort: most random changes have none. */
const quotas = { now: 20, suspended: 5, pending: 5, none: 6 } as const;
const worldsAtOnce = 36;

const waysOf = ['now', 'suspended', 'pending'] as const;

/** The model's effects of the change; the members will be asked. */
function sortOf({ story, change }: Proposal): keyof typeof quotas {
  const { effects } = plan(tell(story), change);
  return waysOf.find((when) => effects.some((effect) => effect.when === when)) ?? 'none';
}

function chosenFor(batch: number): readonly Proposal[] {
  const open = { ...quotas } as Record<keyof typeof quotas, number>;
  const chosen: Proposal[] = [];
  for (const told of fc.sample(all, { numRuns: 400, seed: seed + batch })) {
    if (chosen.length === worldsAtOnce) break;
    if (open[sortOf(told)]-- > 0) chosen.push(told);
  }
  return chosen;
}

function worldsOf(batch: number): readonly World[] {
  return chosenFor(batch).map((one, i) => {
    const name = `w${String(batch * worldsAtOnce + i).padStart(4, '0')}`;
    return { name, remembers: i % 2 === 0, ...relocated(one, name) };
  });
}

/** Tells the stories of all worlds side by side: each goes on to its next pause, and then all come to rest. */
async function tellAll(system: System, worlds: readonly World[]): Promise<void> {
  const rounds = worlds.map(({ steps, remembers }) => ({ stretches: stretchesOf(steps), remembers }));
  const longest = Math.max(...rounds.map(({ stretches }) => stretches.length));
  for (let i = 0; i < longest; i++) {
    await Promise.all(
      rounds.map(async ({ stretches, remembers }) => {
        for (const event of stretches[i] ?? []) await done(system, event, remembers);
      }),
    );
    await system.settle();
  }
}

/** The events that happen at once, pause after pause. */
function stretchesOf(steps: World['steps']): readonly (readonly Event[])[] {
  const stretches: Event[][] = [[]];
  for (const { event, pause } of steps) {
    stretches.at(-1)?.push(event);
    if (pause !== 'goOn') stretches.push([]);
  }
  return stretches;
}

const rootCertificate = 'kube-root-ca.crt';
const kinds = [
  { apiVersion: 'apps/v1', kind: 'Deployment' },
  { apiVersion: 'v1', kind: 'ConfigMap' },
  { apiVersion: 'v1', kind: 'Secret' },
];

type MemberContents = ReadonlyMap<string, KubeObject>;

/** Everything that stands in the members, by place; a member that is down has what it had before. */
async function allObjects(system: System, down = '', before: MemberContents = new Map()): Promise<MemberContents> {
  const found = new Map([...before].filter(([place]) => place.startsWith(`@${down}|`)));
  for (const { name } of system.members) {
    if (name === down) continue;
    const lists = await Promise.all(kinds.map((kind) => system.member(name).listAll(kind)));
    for (const item of lists.flatMap(({ items }) => items)) found.set(`@${name}|${keyOf(refOf(item))}`, item);
  }
  return found;
}

/** The effects in the members on objects of a world. */
function seen(world: World, before: MemberContents, after: MemberContents): readonly string[] {
  const found: string[] = [];
  for (const key of new Set([...before.keys(), ...after.keys()])) {
    const object = after.get(key) ?? before.get(key);
    // Every cluster puts its own certificate into every namespace, whatever we sent.
    if (!object?.metadata.namespace?.startsWith(world.name) || object.metadata.name === rootCertificate) continue;
    const effect = effectOf(before.get(key), after.get(key));
    if (effect) found.push(`${key} ${effect}`);
  }
  return found.sort();
}

function announced({ effects }: Plan, wanted: 'now' | 'unreachable'): string[] {
  return effects
    .filter(({ when, template }) => when === wanted && template.name !== rootCertificate)
    .map(({ cluster, template, effect }) => `@${cluster}|${keyOf(template)} ${effect}`)
    .sort();
}

interface Foreseen {
  readonly world: World;
  readonly plan: Plan;
  /** The exit code of the program. */
  readonly code: number;
  /** The manifests that are applied, as a file. */
  readonly file: string | undefined;
  readonly gone: readonly Ref[];
}

/** Every so many worlds the program itself is asked; for the others only what it asks, on one reading of the hub. */
const programEvery = 6;

async function foreseeAll(system: System, worlds: readonly World[]): Promise<readonly Foreseen[]> {
  const flags = { timeout: '30s', kubeconfig: system.kubeconfig };
  const io = { directory: system.folder, environment: {}, err: () => {} } as unknown as Io;
  return withHub(flags, io, (hub) =>
    withMembers(hub, flags.timeout, async (members) => {
      const court = { hub, members, ground: groundOf(await fetchSnapshot(hub, members)) };
      return each(worlds, async (world, i) => {
        const { file, gone, asked } = await askedOf(system, world);
        if (i % programEvery === 0) return { world, file, gone, ...(await programSays(system, asked, file)) };
        const { plan: said, touches } = await judgeLive(court, asked);
        return { world, file, gone, plan: said, code: said.errors.length > 0 ? 1 : touches ? 3 : 0 };
      });
    }),
  );
}

/** Deletions are named in one namespace, as the program takes them. */
async function askedOf(
  system: System,
  world: World,
): Promise<Pick<Foreseen, 'file' | 'gone'> & { asked: JudgedChange }> {
  const there: Ref[] = [];
  for (const ref of world.change.delete) if (await system.user.find(ref)) there.push(ref);
  const namespace = there[0]?.namespace;
  const gone = there.filter((ref) => ref.namespace === namespace);
  // A value that a file cannot contain is left out.
  const manifests = JSON.parse(JSON.stringify(world.change.apply)) as readonly KubeObject[];
  const file = manifests.length > 0 ? await system.file(`${world.name}.yaml`, ...manifests) : undefined;
  const deletes = gone.map(({ kind, name }) => `${kind.toLowerCase()}/${name}`);
  return { file, gone, asked: { manifests, deletes, namespace } };
}

async function programSays(
  system: System,
  { deletes, namespace }: JudgedChange,
  file: string | undefined,
): Promise<Pick<Foreseen, 'plan' | 'code'>> {
  const args = [
    ...(file ? ['-f', file] : []),
    ...deletes.flatMap((word) => ['--delete', word]),
    ...(namespace ? ['-n', namespace] : []),
  ];
  if (args.length === 0) return { plan: { effects: [], errors: [] } as unknown as Plan, code: 0 };
  const { code, out, err } = await system.run(['plan', '-o', 'json', ...args]);
  if (out === '') throw new Error(err);
  return { plan: JSON.parse(out) as Plan, code };
}

async function make(system: System, { file, gone, plan, world }: Foreseen): Promise<void> {
  if (plan.errors.length > 0) return;
  if (file) {
    const { code, err } = await system.run(['apply', '-f', file, '--yes']);
    if (code !== 0) throw new Error(`${world.name}: the plan saw nothing wrong, but ${err}`);
  }
  for (const ref of gone) await system.user.delete(ref);
}

/** Runs over a list, some at a time. */
async function each<T, R>(items: readonly T[], work: (item: T, i: number) => Promise<R>): Promise<readonly R[]> {
  const results: R[] = [];
  for (let i = 0; i < items.length; i += 4) {
    const some = items.slice(i, i + 4).map((item, j) => work(item, i + j));
    results.push(...(await Promise.all(some)));
  }
  return results;
}

async function prepare(gates: Partial<Gates>): Promise<System> {
  const system = await openSystem({ gates, watchful: true });
  for (const [i, name] of ['member1', 'member2', 'member3'].entries()) {
    const ref = { apiVersion: 'cluster.karmada.io/v1alpha1', kind: 'Cluster', name };
    await system.user.patch(ref, labelled('zone', i === 2 ? 'z2' : 'z1'), { type: 'merge' });
  }
  return system;
}

/** A plan that is not what happened, with all that is needed to tell the story again. */
interface Wrong {
  readonly world: World;
  readonly announcedOnly: readonly string[];
  readonly happenedOnly: readonly string[];
  readonly code: number;
}

/** The members before the change, after it, and once every member is back. */
interface Moments {
  readonly before: MemberContents;
  readonly after: MemberContents;
  readonly back: MemberContents;
}

function wrongOf({ world, plan, code }: Foreseen, { before, after, back }: Moments): readonly Wrong[] {
  if (plan.errors.length > 0) return [];
  const later = (line: string): string => `${line} later`;
  const said = [...announced(plan, 'now'), ...announced(plan, 'unreachable').map(later)];
  const happened = [...seen(world, before, after), ...seen(world, after, back).map(later)];
  const announcedOnly = said.filter((line) => !happened.includes(line));
  const happenedOnly = happened.filter((line) => !said.includes(line));
  const isRight = announcedOnly.length + happenedOnly.length === 0 && code === codeFor(happened, before);
  return isRight ? [] : [{ world, announcedOnly, happenedOnly, code }];
}

/** The whole story in few lines. */
function retold({ world, announcedOnly, happenedOnly, code }: Wrong): string {
  const lines = [
    ...world.steps.map(({ event, pause }) => `${pause}: ${JSON.stringify(event)}`),
    `change: ${JSON.stringify(world.change)}`,
    `only announced: ${announcedOnly.join(', ')}`,
    `only happened: ${happenedOnly.join(', ')}`,
    `exit code ${code}`,
  ];
  return [`${world.name}${world.remembers ? ', applied with kubectl' : ''}`, ...lines].join('\n  ');
}

/** 3 when something that runs was touched: anything but the creation of what ran nowhere. */
function codeFor(happened: readonly string[], before: MemberContents): number {
  const ran = new Set([...before.keys()].map((place) => place.slice(place.indexOf('|'))));
  const touches = happened.some((line) => {
    const [place = '', effect] = line.split(' ');
    return effect !== 'create' || ran.has(place.slice(place.indexOf('|')));
  });
  return touches ? 3 : 0;
}

async function compare(system: System, batch: number, down: string | undefined): Promise<readonly Foreseen[]> {
  const worlds = worldsOf(batch);
  const names = worlds.flatMap(({ name }) => namespaces.map((namespace) => `${name}${namespace}`));
  await each(names, (name) => system.user.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } }));
  await tellAll(system, worlds);
  const before = await allObjects(system);
  if (down) await system.reach(down, false);
  const foreseen = await foreseeAll(system, worlds);
  // Several objects are one change to a plan: the controllers must not see half of it.
  await system.unseen(async () => void (await each(foreseen, (one) => make(system, one))));
  await system.settle();
  const after = await allObjects(system, down, before);
  if (down) await system.reach(down, true);
  const back = down ? await allObjects(system) : after;
  const wrong = foreseen.flatMap((one) => wrongOf(one, { before, after, back }));
  if (wrong.length > 0) throw new Error(`SLUICE_SEED=${seed}, batch ${batch}:\n${wrong.map(retold).join('\n')}`);
  return foreseen.filter(({ plan, file, gone }) => plan.errors.length === 0 && (file !== undefined || gone.length > 0));
}

const usual = {};
const fixed = { StaticPolicy: true };
/** A system for every batch: a hub that is full of old stories plans more slowly. */
const batches: readonly Batch[] = [
  { gates: usual },
  { gates: usual, down: 'member2' },
  { gates: fixed },
  { gates: usual },
  { gates: usual, down: 'member1' },
  { gates: fixed, down: 'member3' },
  { gates: usual },
  { gates: usual },
  { gates: usual, down: 'member2' },
  { gates: usual },
];

/** The gates of a system, and the member that is down while the change is planned and made. */
interface Batch {
  readonly gates: Partial<Gates>;
  readonly down?: string;
}

describe(`a plan tells what then happens in members (SLUICE_SEED=${seed})`, () => {
  const compared: Foreseen[] = [];

  test.each(batches.map((one, batch) => [batch, one] as const))('batch %i, %j', async (batch, { gates, down }) => {
    const system = await prepare(gates);
    try {
      compared.push(...(await compare(system, batch, down)));
    } finally {
      await system.close();
    }
  });

  test('there were more than 300, and of every sort', () => {
    expect(compared.length).toBeGreaterThanOrEqual(300);
    const texts = compared.map(({ world }) => JSON.stringify([world.steps, world.change]));
    const sorts = {
      lazy: /"Lazy"/,
      suspended: /"(suspendD|d)ispatching":true/,
      suspendedSomewhere: /ispatchingOnClusters/,
      rollout: /"RolloutPolicy/,
      wideRollout: /"ClusterRolloutPolicy/,
      preempting: /"preemption":"Always"/,
      excluding: /excludedResources/,
      divided: /"Divided"/,
      duplicated: /"Duplicated"/,
      pulling: /"propagateDeps":true/,
    };
    for (const [sort, pattern] of Object.entries(sorts)) {
      const count = texts.filter((text) => pattern.test(text)).length;
      expect([sort, count >= 30]).toEqual([sort, true]);
    }
    const several = compared.filter(({ world: { change } }) => change.apply.length + change.delete.length > 1);
    const quiet = compared.filter(({ plan }) => plan.effects.length === 0);
    const busy = compared.filter(({ plan }) => plan.effects.some(({ when }) => when === 'now'));
    const later = compared.filter(({ plan }) => plan.effects.some(({ when }) => when === 'unreachable'));
    expect(later.length).toBeGreaterThanOrEqual(30);
    expect([several.length >= 30, quiet.length >= 30, busy.length >= 100]).toEqual([true, true, true]);
  });
});
