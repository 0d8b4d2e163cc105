/**
 * A restart changes nothing: templates in every state that there is, the controllers stopped and started again, and not
 * one write to a member, a binding or a Work. How many templates: SLUICE_TEMPLATES (1,000 by default).
 */
import { afterEach, expect, test } from 'vitest';
import type { KubeObject } from '../../src/api/index.ts';
import { keyOf, refOf } from '../../src/api/index.ts';
import { startLive } from '../kit/live.ts';
import type { Live } from '../kit/live.ts';
import { configMap, configMaps, deployment, deployments, policy } from '../kit/objects.ts';
import type { PolicyWords } from '../kit/objects.ts';

const count = Number(process.env['SLUICE_TEMPLATES'] ?? 1_000);
const kinds = [
  { apiVersion: 'apps/v1', kind: 'Deployment' },
  { apiVersion: 'v1', kind: 'ConfigMap' },
];

let live: Live | undefined;
afterEach(async () => {
  await live?.close();
  live = undefined;
});

type Version = 'one' | 'two';

/** One template of a state: every fourth is a Deployment, whose status comes back. */
function template(state: string, index: number, version: Version): KubeObject {
  const labels = { state };
  const name = `${state}-${index}`;
  return index % 4 === 0
    ? deployment(name, { labels, image: `nginx:${version}` })
    : configMap(name, { labels, value: version });
}

function templates(state: string, version: Version = 'one'): readonly KubeObject[] {
  return Array.from({ length: Math.ceil(count / states.length) }, (_, index) => template(state, index, version));
}

function selecting(state: string): NonNullable<PolicyWords['select']> {
  const labelSelector = { matchLabels: { state } };
  return [deployments({ labelSelector }), configMaps({ labelSelector })];
}

/** The policy of a state, which selects by label. */
function policyOf(state: string, words: PolicyWords): KubeObject {
  return policy(state, { select: selecting(state), ...words });
}

const both = ['member1', 'member2'];
const all = { suspendDispatching: true };

interface State {
  readonly name: string;
  /** Brings its templates into the state; the system settles between two steps. */
  readonly steps: (live: Live) => readonly (() => Promise<void>)[];
  /** Where its templates are, and which version of them. */
  readonly runs: Readonly<Record<string, Version>>;
}

const apply =
  (system: Live, ...objects: readonly KubeObject[]) =>
  (): Promise<void> =>
    system.apply(...objects);
const send =
  (system: Live, state: string, version: Version = 'one') =>
  (): Promise<void> =>
    system.applyAll(templates(state, version));

const states: readonly State[] = [
  {
    name: 'immediate',
    steps: (to) => [apply(to, policyOf('immediate', { to: both })), send(to, 'immediate')],
    runs: { member1: 'one', member2: 'one' },
  },
  {
    name: 'lazy-pending',
    steps: (to) => [
      apply(to, policyOf('lazy-pending', { to: 'member1', lazy: true })),
      send(to, 'lazy-pending'),
      apply(to, policyOf('lazy-pending', { to: 'member2', lazy: true })),
    ],
    runs: { member1: 'one' },
  },
  {
    name: 'lazy-unplaced',
    steps: (to) => [send(to, 'lazy-unplaced'), apply(to, policyOf('lazy-unplaced', { to: both, lazy: true }))],
    runs: {},
  },
  {
    name: 'suspended',
    steps: (to) => [
      apply(to, policyOf('suspended', { to: both })),
      send(to, 'suspended'),
      apply(to, policyOf('suspended', { to: both, suspend: all })),
      send(to, 'suspended', 'two'),
    ],
    runs: { member1: 'one', member2: 'one' },
  },
  {
    name: 'drifted',
    steps: (to) => [
      apply(to, policyOf('drifted', { to: 'member1' })),
      send(to, 'drifted'),
      apply(to, policyOf('drifted', { to: 'member1', suspend: all })),
      () => drift(to),
    ],
    runs: { member1: 'two' },
  },
  {
    name: 'moving',
    steps: (to) => [
      apply(to, policyOf('moving', { to: 'member1' })),
      send(to, 'moving'),
      apply(to, policyOf('moving', { to: 'member1', suspend: all })),
      apply(to, policyOf('moving', { to: 'member2', suspend: all })),
    ],
    runs: { member1: 'one' },
  },
];

/** Somebody changes the objects in the member while nothing may be sent there. */
async function drift(system: Live): Promise<void> {
  const member = system.member('member1');
  for (const wanted of templates('drifted', 'two')) {
    const found = await member.get(refOf(wanted));
    const { apiVersion: _, kind: __, metadata: ___, ...content } = wanted;
    await member.update({ ...found, ...content });
  }
}

/** Brings everything into its state, all states side by side. */
async function prepare(system: Live, wanted: readonly State[]): Promise<void> {
  const scripts = wanted.map(({ steps }) => [...steps(system)]);
  while (scripts.some((script) => script.length > 0)) {
    for (const script of scripts) await script.shift()?.();
    await system.settle();
  }
}

function versionOf(object: KubeObject): unknown {
  const { data, spec } = object as KubeObject & {
    readonly data?: { readonly value: string };
    readonly spec?: { readonly template: { readonly spec: { readonly containers: readonly { image: string }[] } } };
  };
  return data?.value ?? spec?.template.spec.containers[0]?.image.slice('nginx:'.length);
}

function wantedIn(member: string, expected: readonly State[]): Readonly<Record<string, Version>> {
  const entries = expected.flatMap(({ name, runs }) => {
    const version = runs[member];
    return version ? templates(name).map((object) => [keyOf(refOf(object)), version] as const) : [];
  });
  return Object.fromEntries(entries);
}

/** Everything is where its state says that it is, in the version that it says, and nowhere else. */
async function expectStates(system: Live, expected: readonly State[]): Promise<void> {
  for (const name of system.members) {
    const contents = await system.contents(name, kinds);
    const found = new Map([...contents].map(([key, object]) => [key, versionOf(object)]));
    expect(Object.fromEntries(found)).toEqual(wantedIn(name, expected));
  }
}

/** The revisions of everything that we manage in every member. */
async function revisions(system: Live): Promise<Readonly<Record<string, unknown>>> {
  const found: Record<string, unknown> = {};
  for (const name of system.members) {
    for (const [key, { metadata }] of await system.contents(name, kinds))
      found[`${name} ${key}`] = `${metadata.uid} ${metadata.resourceVersion}`;
  }
  return found;
}

/** The writes under these prefixes of the hub during an operation. */
async function writtenWhile(system: Live, doing: () => Promise<void>): Promise<readonly string[]> {
  const written: string[] = [];
  const { store } = system.site;
  const watches = [
    '/registry/work.karmada.io/',
    '/registry/policy.karmada.io/',
    '/registry/apps/',
    '/registry/core/configmaps/',
  ].map((prefix) =>
    store.watch(prefix, store.revision, {
      onEvents: (events) => written.push(...events.map(({ type, entry }) => `${type} ${entry.key}`)),
      onEnd: () => {},
    }),
  );
  await doing();
  for (const watch of watches) watch.close();
  return written;
}

async function expectQuietRestart(system: Live): Promise<void> {
  const before = await revisions(system);
  const written = await writtenWhile(system, async () => {
    await system.stop();
    await system.start();
    await system.settle();
  });
  expect(written).toEqual([]);
  for (const name of system.members) expect(system.writesTo(name)).toBe(0);
  expect(await revisions(system)).toEqual(before);
}

/** Pending changes were pending, not lost: after activation everything ends as the policies say. */
async function setFree(system: Live): Promise<void> {
  await system.apply(
    policyOf('suspended', { to: both }),
    policyOf('drifted', { to: 'member1' }),
    policyOf('moving', { to: 'member2' }),
  );
  await system.applyAll([...templates('lazy-pending', 'two'), ...templates('lazy-unplaced', 'two')]);
  await system.settle();
}

const free: Readonly<Record<string, State['runs']>> = {
  immediate: { member1: 'one', member2: 'one' },
  'lazy-pending': { member2: 'two' },
  'lazy-unplaced': { member1: 'two', member2: 'two' },
  suspended: { member1: 'two', member2: 'two' },
  drifted: { member1: 'one' },
  moving: { member2: 'one' },
};

test(`a restart writes nothing, with ${count} templates in every state`, async () => {
  const system = await startLive();
  live = system;
  await live.untilReady();
  await prepare(live, states);
  await expectStates(live, states);
  expect(live.writesTo('member1')).toBeGreaterThan(0);

  await expectQuietRestart(live);
  await expectQuietRestart(live);
  await expectStates(live, states);

  expect(await writtenWhile(live, () => setFree(system))).not.toEqual([]);
  await expectStates(
    live,
    states.map((state) => ({ ...state, runs: free[state.name] ?? {} })),
  );
});

const staticStates: readonly State[] = [
  {
    name: 'static-pending',
    steps: (to) => [
      apply(to, policyOf('static-pending', { to: 'member1' })),
      send(to, 'static-pending'),
      apply(to, policyOf('static-pending', { to: 'member2' })),
    ],
    runs: { member1: 'one' },
  },
  {
    name: 'static-released',
    steps: (to) => [
      apply(to, policyOf('static-released', { to: 'member1' })),
      send(to, 'static-released'),
      () => to.user.delete(refOf(policyOf('static-released', {}))).then(() => undefined),
      apply(to, policyOf('another', { to: 'member2', select: selecting('static-released') })),
    ],
    runs: { member1: 'one' },
  },
  {
    name: 'static-held',
    steps: (to) => [
      apply(to, policyOf('static-held', { to: 'member1' })),
      send(to, 'static-held'),
      apply(to, policyOf('static-held', { to: 'member1', suspend: all })),
      send(to, 'static-held', 'two'),
    ],
    runs: { member1: 'one' },
  },
];

test('a restart writes nothing where policies are static', async () => {
  live = await startLive({ gates: { StaticPolicy: true } });
  await live.untilReady();
  await prepare(live, staticStates);
  await expectStates(live, staticStates);

  await expectQuietRestart(live);
  await expectStates(live, staticStates);

  await live.applyAll([...templates('static-pending', 'two'), ...templates('static-released', 'two')]);
  await live.settle();
  await expectStates(live, [
    { name: 'static-pending', steps: () => [], runs: { member2: 'two' } },
    { name: 'static-released', steps: () => [], runs: { member2: 'two' } },
    { name: 'static-held', steps: () => [], runs: { member1: 'one' } },
  ]);
});

test('a move that a stop has cut in two is finished, and everything is sent once', async () => {
  live = await startLive();
  await live.untilReady();
  const wanted = templates('moved');
  await live.apply(policyOf('moved', { to: 'member1' }));
  await live.applyAll(wanted);
  await live.settle();
  await live.apply(policyOf('moved', { to: 'member2' }));
  await live.stop();
  await live.start();
  await live.settle();
  await expectStates(live, [{ name: 'moved', steps: () => [], runs: { member2: 'one' } }]);
  const generations = [...(await live.contents('member2', kinds)).values()].map(({ metadata }) => metadata.generation);
  expect(new Set(generations.filter((generation) => generation !== undefined))).toEqual(new Set([1]));
  expect(live.writesTo('member2')).toBeLessThanOrEqual(wanted.length);
});
