import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { keyOf, refOf } from '../../src/api/index.ts';
import type { KubeObject } from '../../src/api/index.ts';
import { bindingRefOf, run, whyUnreadable, worldOf } from '../../src/engine/index.ts';
import type { World } from '../../src/engine/index.ts';
import { atRest, gone, rightAfter } from '../kit/worlds.ts';
import { clusterRole, configMap, configMaps, deployment, policy, rollout } from '../kit/objects.ts';
import { property } from '../kit/stories/runs.ts';

const nginx = deployment('nginx');
const now = '2026-01-01T00:00:00Z';

/** A fleet on which nginx runs, with an object of every kind that the decisions read. */
function ground(): World {
  return atRest(
    {},
    policy('pp', { to: ['member1', 'member2'], propagateDeps: true }),
    policy('everywhere', { scope: 'cluster', to: 'member1', select: [{ apiVersion: 'v1', kind: 'ServiceAccount' }] }),
    configMap('settings'),
    deployment('nginx', { configMaps: ['settings'] }),
    rollout('freeze', { suspendDispatching: true }, { resourceSelectors: [configMaps({ name: 'none' })] }),
  );
}

const objectsOf = (world: World): readonly KubeObject[] =>
  [...world.entries()].filter(([key]) => !key.startsWith('@')).map(([, object]) => object);
const membersOf = (world: World): { member: string; object: KubeObject }[] =>
  [...world.entries()].flatMap(([key, object]) =>
    key.startsWith('@') ? [{ member: key.slice(1, key.indexOf('|')), object }] : [],
  );

const settled = ground();
const own = objectsOf(settled).filter(({ apiVersion }) => apiVersion.includes('karmada.io'));

type Json = Readonly<Record<string, unknown>>;

/** Every path of an object below its identity. */
function pathsOf(value: unknown, path: readonly string[] = []): readonly (readonly string[])[] {
  if (typeof value !== 'object' || value === null || path.length > 6) return [path];
  return [path, ...Object.entries(value).flatMap(([name, inner]) => pathsOf(inner, [...path, name]))];
}

const identity: ReadonlySet<string> = new Set([
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'metadata.finalizers',
]);
const isBreakable = (path: readonly string[]): boolean =>
  path.length > 1 && !identity.has(path.slice(0, 2).join('.')) && path[0] !== 'apiVersion' && path[0] !== 'kind';
const breakable = own.flatMap((object) =>
  [...pathsOf(object), ['spec'], ['status']]
    .filter((path) => isBreakable(path) || path[0] === 'spec')
    .map((path) => ({ object, path })),
);

/** The object with other JSON, or nothing, under a path. */
function broken(object: unknown, [first, ...rest]: readonly string[], value: unknown): unknown {
  const content = object as Json;
  if (first === undefined) return value;
  const { [first]: inner, ...others } = content;
  const next = rest.length === 0 ? value : broken(inner, rest, value);
  const made = next === undefined ? others : { ...content, [first]: next };
  return Array.isArray(object) ? Object.values(made) : made;
}

const junk = fc.oneof(
  fc.constant(undefined),
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom(null, [], {}, '', 'x', -1, true, [null], [{}]),
);
const breakage = fc.record({ at: fc.constantFrom(...breakable), value: junk });

function withBroken(
  at: { object: KubeObject; path: readonly string[] },
  value: unknown,
): { bad: KubeObject; world: World } {
  const bad = broken(at.object, at.path, value) as KubeObject;
  const world = ground();
  const objects = objectsOf(world).map((object) => (keyOf(refOf(object)) === keyOf(refOf(bad)) ? bad : object));
  return { bad, world: worldOf({ objects, members: membersOf(world), now: world.now }) };
}

property(
  'whatever is stored under a kind of ours, a start and everything about other objects goes on',
  breakage,
  ({ at, value }) => {
    const { bad, world } = withBroken(at, value);
    const to = bad.kind === 'Cluster' && bad.metadata.name === 'member3' ? 'member2' : 'member3';
    run(world, { restart: true });
    rightAfter(
      world,
      policy('later', {
        scope: 'cluster',
        to,
        select: [{ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', name: 'later' }],
      }),
      clusterRole('later'),
    );
    run(world);
    expect(world.inMember(to, keyOf(refOf(clusterRole('later'))))).toBeDefined();
  },
);

property(
  'an object that cannot be read says so, nothing is taken from a member, and it can be deleted',
  breakage,
  ({ at, value }) => {
    const { bad, world } = withBroken(at, value);
    const why = whyUnreadable(bad);
    fc.pre(why !== undefined);
    run(world, { restart: true });
    const key = keyOf(refOf(bad));
    const { status } = (world.unreadable.get(key)?.object ?? {}) as { status?: { conditions?: readonly Json[] } };
    // A status that nobody can read is written anew, and then there is nothing to complain about.
    if (world.unreadable.has(key)) {
      expect(status?.conditions).toContainEqual(
        expect.objectContaining({ type: 'Accepted', status: 'False', message: why }),
      );
    }
    for (const { member } of membersOf(settled)) {
      if (settled.inMember(member, keyOf(refOf(nginx))))
        expect(world.inMember(member, keyOf(refOf(nginx)))).toBeDefined();
    }
    rightAfter(world, gone(bad));
    run(world);
    run(world, { restart: true });
    expect(world.unreadable.has(key)).toBe(false);
    if (bad.kind !== 'Cluster' && bad.kind !== 'ClusterPropagationPolicy' && bad.kind !== 'PropagationPolicy') {
      expect(world.inMember('member1', keyOf(refOf(nginx)))).toBeDefined();
    }
  },
);

test('a Work without a workload is what stopped the hub', () => {
  const binding = bindingRefOf(nginx);
  expect(settled.get(keyOf(binding))).toBeDefined();
  for (const spec of [{}, { workload: {} }, undefined]) {
    const metadata = { name: 'bad', namespace: 'karmada-es-member1', uid: 'u' };
    const bad = { apiVersion: 'work.karmada.io/v1alpha1', kind: 'Work', metadata, ...(spec && { spec }) };
    const world = worldOf({ objects: [...objectsOf(ground()), bad], now });
    run(world, { restart: true });
    expect(world.unreadable.get(keyOf(refOf(bad)))?.message).toMatch(/Required value/);
  }
});
