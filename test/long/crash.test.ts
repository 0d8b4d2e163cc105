/**
 * The controllers die with every write of a story, to the hub or to a member, and others take over on the same store: the
 * end is the same as if nobody had died. Two ways to die: right after the first write of a life, whose answer is lost, and right before the
 * second one. Each life is one write long, so that a story goes through every point at which it can be cut.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { KubeObject } from '../../src/api/index.ts';
import { keyOf, refOf } from '../../src/api/index.ts';
import { startLive } from '../kit/live.ts';
import type { Live } from '../kit/live.ts';
import { configMap, configMaps, deployment, deployments, policy, rollout } from '../kit/objects.ts';
import type { PolicyWords } from '../kit/objects.ts';
import { until } from '../kit/until.ts';
import { KilledProcess } from './killed-process.ts';
import type { Death } from './killed-process.ts';

let live: Live;
beforeAll(async () => {
  live = await startLive();
  await live.untilReady();
  await live.settle();
});
afterAll(() => live.close());

const kinds = [
  { apiVersion: 'apps/v1', kind: 'Deployment' },
  { apiVersion: 'v1', kind: 'ConfigMap' },
];
const bindings = { apiVersion: 'work.karmada.io/v1alpha2', kind: 'ResourceBinding' };
const works = { apiVersion: 'work.karmada.io/v1alpha1', kind: 'Work' };
const policies = { apiVersion: 'policy.karmada.io/v1alpha1', kind: 'PropagationPolicy' };

const select = [deployments({ namespace: 'default' }), configMaps({ namespace: 'default', name: 'settings' })];
const web = (image: string): KubeObject => deployment('web', { image, configMaps: ['settings'] });
const settings = (value: string): KubeObject => configMap('settings', { value });
const suspend = { suspendDispatching: true };
const suspension = rollout('pause', suspend, { resourceSelectors: [deployments({ name: 'web' })] });
const places = (to: string | readonly string[], words: PolicyWords = {}): KubeObject =>
  policy('places', { to, select, ...words });

type Step = () => Promise<void>;
const applies =
  (...objects: readonly KubeObject[]): Step =>
  () =>
    live.apply(...objects);
const deletes =
  (object: KubeObject): Step =>
  async () =>
    void (await live.user.delete(refOf(object)));

const stories: Readonly<Record<string, readonly Step[]>> = {
  'placed, changed and moved': [
    applies(places(['member1', 'member2'])),
    applies(web('web:1'), settings('one')),
    applies(web('web:2')),
    applies(places('member2')),
  ],
  'waiting under a lazy policy, then touched': [
    applies(web('web:1')),
    applies(places('member1', { lazy: true })),
    applies(web('web:2')),
    applies(places('member2', { lazy: true })),
    applies(web('web:3')),
  ],
  'suspended while it is changed and moved, then resumed': [
    applies(places('member1')),
    applies(web('web:1'), settings('one')),
    applies(places('member1', { suspend })),
    applies(web('web:2'), places('member2', { suspend })),
    applies(places('member2')),
  ],
  'propagating its dependencies, then suspended by itself': [
    applies(places(['member1', 'member2'], { select: [deployments({ namespace: 'default' })], propagateDeps: true })),
    applies(web('web:1'), settings('one')),
    applies(suspension),
    applies(web('web:2'), settings('two')),
    deletes(suspension),
  ],
  'taken over, deleted and made again': [
    applies(places('member1')),
    applies(web('web:1'), settings('one')),
    applies(policy('stronger', { to: 'member2', select, priority: 5, preemption: 'Always' })),
    deletes(web('')),
    applies(web('web:2')),
    deletes(places([])),
  ],
};

/** The final state, without the parts that differ from one run to the next. */
async function picture(): Promise<Readonly<Record<string, unknown>>> {
  const seen: Record<string, unknown> = {};
  for (const member of live.members) {
    for (const [key, object] of await live.contents(member, kinds)) seen[`${member} ${key}`] = contentOf(object);
  }
  for (const kind of [bindings, works]) {
    const { items } = await live.user.listAll(kind);
    for (const item of items) if (isOfStory(item)) seen[keyOf(refOf(item))] = placeOf(item);
  }
  return seen;
}

/** Namespaces are propagated too, once and for all. */
function isOfStory({ kind, metadata }: KubeObject): boolean {
  return kind !== 'Work' || /^(web|settings)-/.test(metadata.name);
}

function contentOf(object: KubeObject): unknown {
  const { status: _, metadata, ...content } = object as KubeObject & { readonly status?: unknown };
  return { ...content, labels: Object.keys(metadata.labels ?? {}).sort() };
}

function placeOf(object: KubeObject): unknown {
  const { spec } = object as KubeObject & {
    readonly spec: { readonly clusters?: unknown; readonly suspendDispatching?: boolean };
  };
  return { clusters: spec.clusters, suspended: spec.suspendDispatching ?? false };
}

/** How often the content of each Deployment in a member has changed. */
async function generations(): Promise<Readonly<Record<string, number>>> {
  const found: Record<string, number> = {};
  for (const member of live.members) {
    for (const [key, { metadata }] of await live.contents(member, kinds))
      if (metadata.generation) found[`${member} ${key}`] = metadata.generation;
  }
  return found;
}

interface StoryRun {
  readonly lives: number;
  /** How many lives ended at a write to a member, or with it. */
  readonly atMembers: number;
  readonly end: Awaited<ReturnType<typeof picture>>;
  readonly generations: Awaited<ReturnType<typeof generations>>;
}

/** Tells a story to controllers that die as they are told, again and again, then clears up. */
async function told(steps: readonly Step[], death?: Death): Promise<StoryRun> {
  let lives = 1;
  let atMembers = 0;
  await live.stop();
  let killed = await born(death);
  for (const step of steps) {
    await step();
    for (await live.settle(() => killed.dead); killed.dead; await live.settle(() => killed.dead)) {
      if (++lives > 400) throw new Error('the story makes no progress');
      if (killed.diedAt === 'member') atMembers++;
      await live.stop();
      killed = await born(death);
    }
  }
  await live.stop();
  await live.start();
  await live.settle();
  const end = await picture();
  const counted = await generations();
  await cleared();
  return { lives, atMembers, end, generations: counted };
}

async function born(death: Death = { at: Infinity, when: 'before' }): Promise<KilledProcess> {
  const killed = new KilledProcess(death);
  try {
    await live.start({ between: killed.between, betweenMembers: killed.betweenMembers });
  } catch (error) {
    if (!killed.dead) throw error;
  }
  return killed;
}

/** Everything is deleted, and nothing is left of it: no binding, no Work, no object in a member. */
async function cleared(): Promise<void> {
  for (const kind of [...kinds, policies]) {
    const { items } = await live.user.listAll(kind, { namespace: 'default' });
    for (const item of items) if (item.metadata.name !== 'kube-root-ca.crt') await live.user.delete(refOf(item));
  }
  await until('nothing is left', async () => {
    expect(await picture()).toEqual({});
    return true;
  });
  await live.settle();
}

describe.each(Object.entries(stories))('%s', (_name, steps) => {
  test('ends the same whoever dies on the way', async () => {
    const reference = await told(steps);
    expect(Object.keys(reference.end)).not.toEqual([]);
    for (const death of [
      { at: 1, when: 'after' },
      { at: 2, when: 'before' },
    ] as const) {
      const outcome = await told(steps, death);
      expect(outcome.end).toEqual(reference.end);
      expect(outcome.lives).toBeGreaterThan(steps.length);
      expect(outcome.atMembers).toBeGreaterThan(0);
      for (const [key, generation] of Object.entries(outcome.generations))
        expect([key, generation]).toEqual([key, Math.min(generation, reference.generations[key] ?? 0)]);
    }
  });
});
