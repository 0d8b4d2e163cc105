import { hash } from 'node:crypto';
import { keyOf, refOf } from '../src/api/index.ts';
import type { KubeObject, Policy } from '../src/api/index.ts';
import { useSha256 } from '../src/base/index.ts';
import {
  candidatesOf,
  decideClaim,
  eachTemplateOf,
  emptyWorld,
  fingerprintOf,
  gatherClaim,
  mutate,
  plan,
  policiesNear,
  run as settle,
} from '../src/engine/index.ts';
import type { PlanTotals, World } from '../src/engine/index.ts';
import { deployment, deployments, memberCluster, policy } from '../test/kit/objects.ts';
import type { PolicyWords } from '../test/kit/objects.ts';
import { collectGarbage, processorMicroseconds, processorSeconds } from './kit/measure.ts';
import type { Figure } from './kit/measure.ts';

function put(world: World, object: KubeObject): void {
  const uuid = `id-${object.kind}-${object.metadata.namespace ?? ''}-${object.metadata.name}`;
  world.write({ verb: 'create', object: mutate(object, { operation: 'CREATE', uuid, now: world.now }) });
}

/**
 * A mix of policies: of ten, five name a resource, two its labels, two a namespace or a prefix, one takes all of a
 * namespace.
 */
function anyPolicy(i: number): Policy {
  const namespace = `team-${i % 2_000}`;
  const select: Readonly<Record<number, PolicyWords>> = {
    0: { select: [deployments({ labelSelector: { matchLabels: { app: `app-${i}` } } })] },
    1: { scope: 'cluster', select: [deployments({ labelSelector: { matchLabels: { app: `app-${i}` } } })] },
    2: { scope: 'cluster', select: [deployments({ namespace: `group-${i}*` })] },
    3: { scope: 'cluster', select: [deployments({ namespace: `group-${i},other-${i}` })] },
    4: { select: [deployments()] },
  };
  return policy(`policy-${i}`, {
    namespace,
    to: 'member1',
    ...(select[i % 10] ?? { select: [deployments({ name: `app-${i}` })] }),
  });
}

function worldOfPolicies(count: number): World {
  const world = emptyWorld();
  for (let i = 0; i < count; i++) put(world, anyPolicy(i));
  return world;
}

function perTemplate(count: number): number {
  const world = worldOfPolicies(count);
  const templates = Array.from({ length: 200 }, (_, i) => deployment(`app-${i}`, { namespace: `team-${i}` }));
  const rounds = 50;
  return processorMicroseconds(templates.length * rounds, () => {
    for (let round = 0; round < rounds; round++) {
      for (const template of templates) candidatesOf(policiesNear(world, template), template);
    }
  });
}

function policiesOfTemplate(): readonly Figure[] {
  const few = perTemplate(100);
  const many = perTemplate(10_000);
  return [
    { what: 'policies of a template, 100 policies', value: few, unit: 'µs' },
    { what: 'policies of a template, 10,000 policies', value: many, unit: 'µs', budget: 20 },
    { what: 'growth from 100 to 10,000 policies', value: many / few, unit: '×', budget: 3 },
  ];
}

/** 100,000 templates in 2,000 namespaces: team-0 … team-1999. */
function worldOfTemplates(count: number): World {
  const world = emptyWorld();
  for (let i = 0; i < count; i++) put(world, deployment(`app-${i}`, { namespace: `team-${i % 2_000}` }));
  return world;
}

function visiting(world: World, prefix: string): Figure {
  const wide = policy('wide', { scope: 'cluster', to: 'member1', select: [deployments({ namespace: prefix })] });
  let hits = 0;
  eachTemplateOf(world, wide, () => void hits++);
  const value = processorMicroseconds(hits, () => eachTemplateOf(world, wide, () => undefined));
  return { what: `templates of ${prefix} among 100,000: ${hits.toLocaleString('en')} hits, each`, value, unit: 'µs' };
}

function templatesOfPolicy(): readonly Figure[] {
  const world = worldOfTemplates(100_000);
  return ['team-7*', 'team-77*', 'team-777*'].map((prefix) => visiting(world, prefix));
}

/** A settled hub in which one policy manages many templates. */
function managedWorld(count: number, words: PolicyWords): World {
  const world = emptyWorld();
  for (const name of ['member1', 'member2', 'member3']) world.write({ verb: 'create', object: memberCluster(name) });
  put(world, policy('all', { scope: 'cluster', ...words }));
  for (let i = 0; i < count; i++) put(world, deployment(`app-${i}`, { namespace: `team-${i % 2_000}` }));
  settle(world);
  return world;
}

function claims(): Figure {
  const world = managedWorld(5_000, { to: 'member1' });
  const keys = Array.from({ length: 5_000 }, (_, i) =>
    keyOf(refOf(deployment(`app-${i}`, { namespace: `team-${i % 2_000}` }))),
  );
  const each = processorMicroseconds(keys.length * 4, () => {
    for (let round = 0; round < 4; round++) {
      for (const key of keys) {
        const facts = gatherClaim(world, key);
        if (facts) decideClaim(facts);
      }
    }
  });
  return {
    what: 'claim of a settled template: gather and decide',
    value: 1e6 / each,
    unit: '/s',
    budget: 100_000,
    atLeast: true,
  };
}

function fingerprints(): Figure {
  const env = Array.from({ length: 25 }, (_, i) => ({
    name: `VARIABLE_NUMBER_${i}`,
    value: `the value of variable ${i}`,
  }));
  const template = { ...deployment('nginx'), data: { env } } as unknown as KubeObject;
  const size = JSON.stringify(template).length;
  const copies = Array.from({ length: 16_000 }, () => ({ ...template }));
  let from = 0;
  const value = processorMicroseconds(2_000, () => {
    for (let i = 0; i < 2_000; i++) fingerprintOf(copies[from + i] ?? template);
    from += 2_000;
  });
  return { what: `fingerprint of a template of ${size} bytes`, value, unit: 'µs', budget: 15 };
}

/** Measures some plans of one change to a world, one after the other. */
async function plansOf(
  world: World,
  change: readonly KubeObject[],
): Promise<{ totals: PlanTotals; seconds: number; heap: number }> {
  const found: { totals: PlanTotals; seconds: number; heap: number }[] = [];
  for (let round = 0; round < 3; round++) {
    await collectGarbage();
    let totals: PlanTotals | undefined;
    const seconds = processorSeconds(() => void ({ totals } = plan(world, { apply: change })));
    if (totals) found.push({ totals, seconds, heap: process.memoryUsage().heapUsed });
  }
  const [best] = found.sort((a, b) => a.seconds - b.seconds);
  if (!best) throw new Error('nothing was planned');
  return { ...best, heap: Math.max(...found.map(({ heap }) => heap)) };
}

async function planned(): Promise<readonly Figure[]> {
  const world = managedWorld(100_000, { to: 'member1' });
  const moving = await plansOf(world, [policy('all', { scope: 'cluster', to: 'member2' })]);
  const select = [deployments({ namespace: 'team-*' })];
  const better = policy('better', { scope: 'cluster', to: 'member1', select, priority: 1, preemption: 'Always' });
  const taking = await plansOf(world, [better]);
  const count = (many: number): string => many.toLocaleString('en');
  const how = 'processor time, best of 3';
  return [
    {
      what: `plan that moves ${count(moving.totals.moved)} templates, ${how}`,
      value: moving.seconds,
      unit: 's',
      budget: 2,
    },
    {
      what: 'heap right after it, its garbage and the world included',
      value: moving.heap / 2 ** 30,
      unit: 'GiB',
      budget: 1,
    },
    {
      what: `plan that updates ${count(taking.totals.update)} where they are, ${how}`,
      value: taking.seconds,
      unit: 's',
    },
  ];
}

/** Finding, claiming, fingerprinting and planning at the size of a large fleet. */
export async function run(): Promise<readonly Figure[]> {
  useSha256((text) => hash('sha256', text, 'hex'));
  return [...policiesOfTemplate(), ...templatesOfPolicy(), claims(), fingerprints(), ...(await planned())];
}
