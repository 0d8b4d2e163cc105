import { expect, test } from 'vitest';
import { keyOf, reconcileAnnotation, refOf } from '../../../api/index.ts';
import type { KubeObject, Work } from '../../../api/index.ts';
import { withAt } from '../../../base/index.ts';
import {
  clusterRole,
  configMap,
  configMaps,
  deployment,
  deployments,
  memberCluster,
  policy,
  rollout,
} from '../../../../test/kit/objects.ts';
import type { PolicyWords } from '../../../../test/kit/objects.ts';
import { modelStage } from '../../../../test/kit/model.ts';
import { run, worldOf } from '../../world/index.ts';
import type { World } from '../../world/index.ts';
import { plan } from '../plan.ts';
import { Similarity } from './similarity.ts';

const one = deployment('one');
const two = deployment('two');
const everywhere = policy('pp', { to: 'member1', select: [deployments()] });

const suspended = policy('pp', { to: 'member1', select: [deployments()], suspend: { dispatching: true } });

type Write = KubeObject | ((world: World) => void);

function textOf(world: World, object: KubeObject, texts = new Similarity(world)): string | undefined {
  const key = keyOf(refOf(object));
  const template = world.get(key);
  return template && texts.of(key, template)?.text;
}

/** Two templates alike under one policy, and what happened since. */
async function similarities(...writes: readonly Write[]): Promise<readonly (string | undefined)[]> {
  const stage = await modelStage({});
  for (const written of [everywhere, one, two, ...writes]) {
    if (typeof written === 'function') written(stage.world);
    else stage.applyNow(written);
    await stage.settle();
  }
  const texts = new Similarity(stage.world);
  return [one, two].map((object) => textOf(stage.world, object, texts));
}

const edited =
  (change: (object: KubeObject) => KubeObject): ((world: World) => void) =>
  (world) => {
    const object = world.get(keyOf(refOf(two)));
    if (object) world.write({ verb: 'update', object: change(object) });
  };

const annotated = (key: string, value: string): ((world: World) => void) =>
  edited((object) => ({
    ...object,
    metadata: { ...object.metadata, annotations: { ...object.metadata.annotations, [key]: value } },
  }));

test.each<readonly [string, readonly Write[]]>([
  ['nothing happened', []],
  ['the policy was edited', [policy('pp', { to: 'member2', select: [deployments()] })]],
  ['both were suspended', [suspended]],
])('alike: %s', async (_, writes) => {
  const [first, second] = await similarities(...writes);
  expect(first).toBeDefined();
  expect(second).toBe(first);
});

const named = deployments({ name: 'two' });
const scaledIn = (world: World): void => {
  const there = world.member('member1', keyOf(refOf(two)));
  if (typeof there === 'string') throw new Error('two does not run on member1');
  world.write({
    verb: 'update',
    object: { ...there, spec: { ...(there as { spec?: object }).spec, replicas: 7 } } as KubeObject,
    at: 'member1',
  });
};

test.each<readonly [string, readonly Write[]]>([
  ['other replicas', [deployment('two', { replicas: 5 })]],
  ['another policy selects it too', [policy('zz', { to: 'member1', select: [named], priority: -1 })]],
  ['another policy manages it', [policy('aa', { to: 'member2', select: [named], priority: 1, preemption: 'Always' })]],
  [
    'it is gone from the member',
    [suspended, (world) => world.write({ verb: 'delete', ref: refOf(two), at: 'member1' })],
  ],
  ['a mark of ours', [annotated('work.karmada.io/conflict-resolution', 'overwrite')]],
])('not alike: %s', async (_, writes) => {
  const [first, second] = await similarities(...writes);
  expect(first).toBeDefined();
  expect(second).toBeDefined();
  expect(second).not.toBe(first);
});

test.each<readonly [string, readonly Write[]]>([
  ['a RolloutPolicy may name it', [rollout('r', undefined, { resourceSelectors: [named] })]],
  ['a ClusterRolloutPolicy may name it', [rollout('r', undefined, { scope: 'cluster', resourceSelectors: [named] })]],
  ['it has dependencies', [policy('pp', { to: 'member1', select: [deployments()], propagateDeps: true })]],
])('each for itself: %s', async (_, writes) => {
  expect(await similarities(...writes)).toEqual([undefined, undefined]);
});

test('alike: what needs room, each in a namespace of its own', async () => {
  const stage = await modelStage({});
  const resources = { requests: { cpu: '100m' } };
  const needy = ['a', 'b'].map((namespace) =>
    withAt(
      deployment('web', { namespace }),
      ['spec', 'template', 'spec', 'initContainers'],
      [{ name: 'i', resources }],
    ),
  );
  stage.applyNow(policy('cpp', { scope: 'cluster', to: 'member1' }));
  for (const object of needy) stage.applyNow(object);
  await stage.settle();
  const texts = new Similarity(stage.world);
  const [first, second] = needy.map((object) => textOf(stage.world, object, texts));
  expect(first).toBeDefined();
  expect(second).toBe(first);
});

test('a change that a lazy policy may take up is told by its times', async () => {
  const stage = await modelStage({});
  for (const object of [one, two]) stage.applyNow(object);
  await stage.settle();
  const text = (): string | undefined => textOf(stage.world, two);
  expect(text()).toBeDefined();
  stage.applyNow(policy('pp', { to: 'member1', select: [deployments()], lazy: true }));
  expect(text()).toBeUndefined();
});

test('a template that is not in effect stands for itself: a request, other content', async () => {
  const stage = await modelStage({});
  for (const object of [everywhere, one, two]) stage.applyNow(object);
  await stage.settle();
  const another = edited(
    (object) => ({ ...object, spec: { ...(object as { spec?: object }).spec, paused: true } }) as KubeObject,
  );
  for (const written of [annotated(reconcileAnnotation, 'now'), another]) {
    const world = stage.world.fork();
    written(world);
    expect(textOf(world, two)).toBeUndefined();
    expect(textOf(world, one)).toBeDefined();
  }
});

test('a template that changed while its removal from a member is suspended stands for itself: the Work there is not written any more', async () => {
  // A move that waits has a task, with which every template stands for itself.
  const stage = await modelStage({ gates: { GracefulMove: false } });
  const places = (...to: readonly string[]) => policy('pp', { to, select: [deployments()] });
  for (const object of [places('member2', 'member3'), one, two]) stage.applyNow(object);
  await stage.settle();
  stage.applyNow(policy('pp', { to: 'member1', select: [deployments()], suspend: { suspendDispatching: true } }));
  await stage.settle();
  expect(textOf(stage.world, two)).toBeDefined();
  annotated('note', 'x')(stage.world);
  await stage.settle();
  expect(textOf(stage.world, two)).toBeUndefined();
  expect(textOf(stage.world, one)).toBeDefined();
});

/** The same hub, with kinds that count no generations, as ConfigMaps of a real one. */
function uncounted(world: World): World {
  const objects = [...world.entries()].filter(([key]) => !key.startsWith('@')).map(([, object]) => object);
  const bare = objects.map((object) => {
    const { generation: _, ...metadata } = object.metadata;
    return object.kind === 'ConfigMap' ? { ...object, metadata } : object;
  });
  const found = worldOf({ objects: bare, now: world.now, gates: world.gates });
  run(found, { restart: true });
  return found;
}

test('a kind without generations is compared by its content', async () => {
  const stage = await modelStage({});
  const maps = [configMap('one'), configMap('two')];
  for (const object of [policy('pp', { to: 'member1', select: [configMaps()] }), ...maps]) stage.applyNow(object);
  await stage.settle();
  const world = uncounted(stage.world);
  const text = (name: string): string | undefined => textOf(world, configMap(name));
  expect(text('one')).toBeDefined();
  expect(text('two')).toBe(text('one'));

  const works = [...world.entries()].map(([, object]) => object).filter(({ kind }) => kind === 'Work') as Work[];
  const work = works.find(({ spec }) => spec.workload.manifests[0]?.metadata.name === 'two');
  const [manifest] = work?.spec.workload.manifests ?? [];
  if (!work || !manifest) throw new Error('two has no Work');
  const stale = { ...manifest, data: { other: 'content' } } as KubeObject;
  world.write({
    verb: 'update',
    object: { ...work, spec: { ...work.spec, workload: { manifests: [stale] } } } as Work,
  });
  expect(text('two')).toBeUndefined();
});

const told = (world: World, ...apply: readonly KubeObject[]): readonly string[] =>
  plan(world, { apply })
    .effects.map(({ template, cluster, effect }) => `${template.name} ${cluster} ${effect}`)
    .sort();

test('a change that a member made during a suspension is listed for that template alone', async () => {
  const stage = await modelStage({});
  for (const object of [everywhere, one, two, suspended]) {
    stage.applyNow(object);
    await stage.settle();
  }
  scaledIn(stage.world);
  await stage.settle();
  expect(told(stage.world, everywhere)).toEqual(['two member1 scale']);
});

test.each(['one', 'two'])(
  'a change that becomes pending is listed for the templates for which it was not: %s',
  async (fresh) => {
    const stage = await modelStage({ gates: { StaticPolicy: true } });
    const better = (words: PolicyWords): KubeObject =>
      policy('better', { to: 'member2', select: [deployments()], priority: 1, ...words });
    for (const object of [everywhere, one, two, better({ exclude: [{ name: fresh }] })]) {
      stage.applyNow(object);
      await stage.settle();
    }
    expect(told(stage.world, better({}))).toEqual([`${fresh} member1 delete`, `${fresh} member2 create`]);
  },
);

test.each(['one', 'two'])(
  'a dependency that a workload begins to need is listed for that one alone: %s',
  async (needed) => {
    const stage = await modelStage({});
    const placed = (to: string): KubeObject => policy('maps', { to, select: [configMaps()] });
    const web = deployment('web', { configMaps: [needed] });
    for (const object of [everywhere, placed('member2'), configMap('one'), configMap('two'), web]) {
      stage.applyNow(object);
      await stage.settle();
    }
    const pulling = policy('pp', { to: 'member1', select: [deployments()], propagateDeps: true });
    const moved = ['one', 'two'].flatMap((name) => [`${name} member2 delete`, `${name} member3 create`]);
    expect(told(stage.world, pulling, placed('member3'))).toEqual([...moved, `${needed} member1 create`].sort());
  },
);

test('a template that waits for reasons of its own is not listed with a change that ends another pending dependency', async () => {
  const stage = await modelStage({});
  const names = ['one', 'two'];
  const webs = (image: string): readonly KubeObject[] =>
    names.map((name) => deployment(name, { configMaps: [name], image }));
  const maps = (to: string, words: PolicyWords = {}): KubeObject =>
    policy('maps', { to, select: [configMaps()], ...words });
  const pulling = policy('pulling', { to: 'member1', select: [deployments()], lazy: true, propagateDeps: true });
  for (const object of [
    everywhere,
    maps('member1', { preserveResourcesOnDeletion: true }),
    ...names.map((name) => configMap(name)),
    ...webs('nginx:1'),
    pulling,
    policy('pp', { to: 'member1', select: [{ apiVersion: 'v1', kind: 'Secret' }] }),
    maps('member2', { lazy: true, preserveResourcesOnDeletion: true }),
  ]) {
    stage.applyNow(object);
    await stage.settle();
  }
  const change = { apply: webs('nginx:2'), delete: [refOf(pulling)] };
  const [together, oneByOne] = [false, true].map((isOneByOne) => plan(stage.world, change, { isOneByOne }).effects);
  expect(together).toEqual(oneByOne);
});

test.each(['one', 'two'])(
  'a dependency that only a suspension keeps is listed for that one alone: %s',
  async (pulling) => {
    const stage = await modelStage({});
    const words = (more: PolicyWords): KubeObject => policy('pp', { to: 'member1', select: [deployments()], ...more });
    const others = [one, two].filter(({ metadata }) => metadata.name !== pulling);
    const workloads = [...others, deployment(pulling, { configMaps: ['settings'] })];
    const suspension = words({ suspend: { dispatching: true } });
    for (const object of [words({ propagateDeps: true }), configMap('settings'), ...workloads, suspension]) {
      stage.applyNow(object);
      await stage.settle();
    }
    expect(told(stage.world, words({}))).toEqual(['settings member1 delete']);
  },
);

test('two templates whose bindings would share a name are both in the plan', async () => {
  const stage = await modelStage({});
  for (const name of ['z', 'a:b', 'a.b']) stage.applyNow(clusterRole(name));
  await stage.settle();
  const roles = [{ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole' }];
  const found = told(stage.world, policy('cpp', { scope: 'cluster', to: 'member1', select: roles }));
  expect([...found].sort()).toEqual(['a.b member1 create', 'a:b member1 create', 'z member1 create']);
});

test('objects of one kind in two groups are both in the plan', async () => {
  const stage = await modelStage({});
  const groups = ['a', 'b'].map((group) => `${group}.example.com/v1`);
  const [a = '', b = ''] = groups;
  const { status } = memberCluster('member1');
  const apiEnablements = groups.map((groupVersion) => ({
    groupVersion,
    resources: [{ name: 'widgets', kind: 'Widget' }],
  }));
  await stage.writeStatus(refOf(memberCluster('member1')), { ...status, apiEnablements });
  const widget = (apiVersion: string, name: string): KubeObject => ({
    apiVersion,
    kind: 'Widget',
    metadata: { name, namespace: 'default' },
  });
  for (const object of [widget(b, 'w0'), widget(a, 'w0'), widget(a, 'w1'), widget(b, 'w1'), widget(b, 'w2')])
    stage.applyNow(object);
  await stage.settle();
  const select = groups.map((apiVersion) => ({ apiVersion, kind: 'Widget' }));
  const found = told(stage.world, policy('pp', { to: 'member1', select }));
  const twice = ['w0', 'w0', 'w1', 'w1', 'w2'].map((name) => `${name} member1 create`);
  expect([...found].sort()).toEqual(twice);
});

test('an object of somebody else in the way of one is told of that one alone', async () => {
  const stage = await modelStage({});
  for (const object of [everywhere, one, two]) stage.applyNow(object);
  await stage.settle();
  stage.world.write({ verb: 'create', object: two, at: 'member2' });
  await stage.settle();
  const { effects } = plan(stage.world, { apply: [policy('pp', { to: 'member2', select: [deployments()] })] });
  expect(effects.map(({ template, cluster, effect }) => `${template.name} ${cluster} ${effect}`)).toEqual([
    'one member1 delete',
    // The other is not replaced there, so it stays where it is.
    'one member2 create',
  ]);
});
