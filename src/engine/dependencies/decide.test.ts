import { describe, expect, test } from 'vitest';
import { dependenciesFinalizer, keyOf } from '../../api/index.ts';
import type { Binding, Gates, KubeObject, Work } from '../../api/index.ts';
import { bindingRefOf } from '../claim/index.ts';
import { memberWorksKey } from '../match/index.ts';
import { run } from '../world/index.ts';
import type { World } from '../world/index.ts';
import { configMap, configMaps, deployment, deployments, policy, rollout } from '../../../test/kit/objects.ts';
import type { PolicyWords } from '../../../test/kit/objects.ts';
import { atRest, decided, gone, rightAfter, told } from '../../../test/kit/worlds.ts';
import type { Doing } from '../../../test/kit/worlds.ts';

const settings = configMap('settings');
const nginx = deployment('nginx', { configMaps: ['settings'] });
const web = deployment('web', { configMaps: ['settings'] });
const pulling = (words: PolicyWords = {}): KubeObject => policy('pp', { to: 'member1', propagateDeps: true, ...words });

function bindingIn(world: World, object: KubeObject): Binding | undefined {
  return world.get(keyOf(bindingRefOf(object))) as Binding | undefined;
}

function neededOn(world: World): readonly string[] {
  const all = bindingIn(world, settings)?.spec.requiredBy ?? [];
  return all.flatMap(({ name, clusters }) => (clusters ?? []).map((target) => `${name}→${target.name}`));
}

describe('the dependencies of a workload', () => {
  test.each<[string, Partial<Gates>, readonly Doing[], readonly string[]]>([
    ['what it mounts', {}, [settings, pulling(), nginx], ['nginx-deployment→member1']],
    ['what appears later', {}, [pulling(), nginx, settings], ['nginx-deployment→member1']],
    ['nothing when the policy does not say so', {}, [settings, pulling({ propagateDeps: false }), nginx], []],
    ['nothing when the gate is off', { PropagateDeps: false }, [settings, pulling(), nginx], []],
    ['nothing any more when the policy stops', {}, [settings, pulling(), nginx, pulling({ propagateDeps: false })], []],
    ['nothing any more when it is gone', {}, [settings, pulling(), nginx, gone(nginx)], []],
    ['nothing that it does not mount any more', {}, [settings, pulling(), nginx, deployment('nginx')], []],
    ['to where it goes', {}, [settings, pulling(), nginx, pulling({ to: 'member2' })], ['nginx-deployment→member2']],
    ['for two at once', {}, [settings, pulling(), nginx, web], ['nginx-deployment→member1', 'web-deployment→member1']],
    ['for the other when one goes', {}, [settings, pulling(), nginx, web, gone(nginx)], ['web-deployment→member1']],
    [
      'nothing new while its change waits for a policy',
      {},
      [settings, pulling(), deployment('nginx'), gone(pulling()), nginx],
      [],
    ],
    [
      'a dependency stays where its workload is suspended',
      {},
      [
        settings,
        pulling(),
        nginx,
        pulling({ to: 'member1', suspend: { dispatching: true } }),
        pulling({ to: 'member2', suspend: { dispatching: true } }),
      ],
      ['nginx-deployment→member2', 'nginx-deployment→member1'],
    ],
    [
      'also when only that workload is suspended',
      {},
      [settings, pulling(), nginx, rollout('r', { suspendDispatching: true }), pulling({ to: 'member2' })],
      ['nginx-deployment→member2', 'nginx-deployment→member1'],
    ],
    [
      'and goes with the workload all the same',
      {},
      [settings, pulling(), nginx, rollout('r', { suspendDispatching: true }), gone(nginx)],
      [],
    ],
  ])('%s', (_, gates, doing, expected) => {
    expect(neededOn(atRest(gates, ...doing))).toEqual(expected);
  });
});

test('where several workloads disagree about a dependency, the stricter setting counts', () => {
  const world = atRest(
    {},
    settings,
    policy('a', { to: 'member1', propagateDeps: true, select: [deployments({ name: 'nginx' })] }),
    policy('b', {
      to: 'member2',
      propagateDeps: true,
      conflictResolution: 'Overwrite',
      preserveResourcesOnDeletion: true,
      select: [deployments({ name: 'web' })],
    }),
    nginx,
    web,
  );
  expect(bindingIn(world, settings)?.spec).toMatchObject({
    conflictResolution: 'Overwrite',
    preserveResourcesOnDeletion: true,
  });
  const spoken = atRest({}, settings, pulling({ preserveResourcesOnDeletion: false }), nginx);
  expect(bindingIn(spoken, settings)?.spec).toMatchObject({ preserveResourcesOnDeletion: false });
  const alone = rightAfter(atRest({}, settings, pulling(), nginx));
  expect(bindingIn(alone, settings)?.spec).toMatchObject({ conflictResolution: 'Abort' });
  expect(bindingIn(alone, settings)?.spec).not.toHaveProperty('preserveResourcesOnDeletion');
});

test('a dependency with a policy of its own keeps the settings of that policy', () => {
  const own = policy('own', { to: 'member3', select: [configMaps()], conflictResolution: 'Overwrite' });
  const world = atRest({}, own, settings, pulling(), nginx);
  expect(bindingIn(world, settings)?.spec).toMatchObject({
    conflictResolution: 'Overwrite',
    clusters: [{ name: 'member3' }],
  });
  expect(neededOn(world)).toEqual(['nginx-deployment→member1']);
  expect(told(decided(world, 'dependencies', bindingRefOf(nginx)))).toBe('UpToDate');
});

test('the binding of another object of the same name is not a dependency', () => {
  const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'settings', uid: 'another', controller: true };
  const metadata = { name: 'settings-configmap', namespace: 'default', ownerReferences: [owner] };
  const spec = { resource: { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'default', name: 'settings' } };
  const { apiVersion, kind } = bindingRefOf(settings);
  const foreign = { apiVersion, kind, metadata, spec } as unknown as KubeObject;
  const world = atRest({}, settings, pulling(), (hub) => hub.write({ verb: 'create', object: foreign }), nginx);
  expect(bindingIn(world, settings)?.metadata.ownerReferences).toEqual([owner]);
  expect(neededOn(world)).toEqual([]);
});

test('a workload that no longer needs a dependency removes its label, suspended or not', () => {
  const suspension = pulling({ suspend: { dispatching: true } });
  for (const doing of [[gone(nginx)], [suspension, gone(nginx)], [deployment('nginx')]]) {
    const world = atRest({}, settings, pulling(), nginx, ...doing);
    expect(neededOn(world)).toEqual([]);
    const labels = Object.keys(bindingIn(world, settings)?.metadata.labels ?? {});
    expect(labels.filter((key) => key.includes('depended-by'))).toEqual([]);
  }
});

test('a workload with dependencies is marked, so that it cannot be deleted before it releases them', () => {
  const world = atRest({}, settings, pulling(), nginx);
  const marked = bindingIn(world, nginx);
  expect(marked?.metadata.finalizers).toContain('karmada.io/binding-dependencies-distributor');
  expect(marked?.metadata.annotations?.['resourcebinding.karmada.io/dependencies']).toContain('settings');
  const leaving = rightAfter(world, gone(nginx));
  expect(told(decided(leaving, 'dependencies', bindingRefOf(nginx)))).toBe('Detached detach record');
});

test.each<[string, Doing]>([
  ['its policy', pulling({ suspend: { dispatching: true } })],
  ['a RolloutPolicy on it', rollout('r', { suspendDispatching: true })],
  ['a ClusterRolloutPolicy on it', rollout('r', { suspendDispatching: true }, { scope: 'cluster' })],
])('while %s suspends the workload, its own dependencies are suspended too', (_, suspension) => {
  const world = atRest({}, settings, pulling(), nginx, suspension);
  const works: KubeObject[] = [];
  world.each(memberWorksKey('karmada-es-member1'), (work) => void works.push(work));
  expect(works.map((work) => (work as Work).spec.suspendDispatching)).toEqual([true, true]);
});

test('as long as a suspension keeps a dependency in place, the mark that cleans up after the workload stays', () => {
  const suspension = pulling({ propagateDeps: false, suspend: { dispatching: true } });
  const world = atRest({}, settings, pulling(), web, suspension);
  const isMarked = (): boolean => bindingIn(world, web)?.metadata.finalizers?.includes(dependenciesFinalizer) === true;
  expect(neededOn(world)).toEqual(['web-deployment→member1']);
  expect(isMarked()).toBe(true);
  rightAfter(world, pulling({ propagateDeps: false }));
  run(world);
  expect(neededOn(world)).toEqual([]);
  expect(isMarked()).toBe(false);
});
