import { expect, test } from 'vitest';
import { keyOf, refOf } from '../../api/index.ts';
import type { Binding, KubeObject } from '../../api/index.ts';
import { modelStage } from '../../../test/kit/model.ts';
import type { ModelStage } from '../../../test/kit/model.ts';
import { configMap, deployment, deployments, policy } from '../../../test/kit/objects.ts';
import type { PolicyWords } from '../../../test/kit/objects.ts';
import { bindingRefOf } from '../claim/index.ts';
import { run } from '../world/index.ts';
import { policySuspensions } from './suspensions.ts';

const settings = configMap('settings');
const web = deployment('web', { configMaps: ['settings'] });
const bare = deployment('web');
const suspendedThere = { dispatchingOnClusters: { clusterNames: ['member2'] } };
const pulling = (to: readonly string[], words: PolicyWords = {}): KubeObject =>
  policy('pp', { to, select: [deployments()], propagateDeps: true, ...words });
const here = ['member1'];
const both = ['member1', 'member2'];

async function stageWith(...objects: readonly KubeObject[]): Promise<ModelStage> {
  const stage = await modelStage({});
  for (const object of objects) {
    stage.applyNow(object);
    await stage.settle();
  }
  return stage;
}

const settingsIn = (stage: ModelStage, member: string): boolean =>
  typeof stage.world.member(member, keyOf(refOf(settings))) === 'object';

test.each<readonly [string, readonly KubeObject[], KubeObject]>([
  ['the policy places it elsewhere', [pulling(here, { suspend: suspendedThere })], pulling(here)],
  [
    'the policy does not propagate dependencies any more',
    [pulling(both, { suspend: suspendedThere, propagateDeps: false })],
    pulling(both, { propagateDeps: false }),
  ],
  ['the workload does not need it any more', [bare], pulling(both)],
])('a dependency that only a suspension keeps is not sent when the suspension ends: %s', async (_, writes, freed) => {
  const stage = await stageWith(settings, web, pulling(both, { suspend: suspendedThere }), ...writes);
  expect(settingsIn(stage, 'member2')).toBe(false);
  stage.applyNow(freed);
  // The dependencies distributor comes last.
  run(stage.world, { without: new Set(['dependencies']) });
  expect(settingsIn(stage, 'member2')).toBe(false);
  run(stage.world, { restart: true });
  expect(settingsIn(stage, 'member2')).toBe(false);
});

test('a dependency that is still needed is sent when the suspension ends', async () => {
  const stage = await stageWith(settings, web, pulling(both, { suspend: suspendedThere }));
  expect(settingsIn(stage, 'member2')).toBe(false);
  stage.applyNow(pulling(both));
  run(stage.world, { without: new Set(['dependencies']) });
  expect(settingsIn(stage, 'member2')).toBe(true);
});

test('a suspension counts from the moment its policy has it, until the binding has lost it too', async () => {
  const stage = await stageWith(settings, web, pulling(both));
  const suspensionsOfWeb = (): readonly unknown[] => {
    const binding = stage.world.get(keyOf(bindingRefOf(web))) as Binding;
    return policySuspensions(stage.world, binding).map(({ clusters }) => clusters);
  };
  expect(suspensionsOfWeb()).toEqual([]);
  stage.applyNow(pulling(both, { suspend: suspendedThere }));
  expect(suspensionsOfWeb()).toEqual([['member2']]);
  await stage.settle();
  stage.applyNow(pulling(both, { suspend: { dispatchingOnClusters: { clusterNames: ['member1'] } } }));
  expect(suspensionsOfWeb()).toEqual([['member2', 'member1']]);
  await stage.settle();
  expect(suspensionsOfWeb()).toEqual([['member1']]);
});

test('a dependency waits as soon as the policy of the workload is suspended', async () => {
  const stage = await stageWith(settings, web, pulling(here));
  stage.applyNow(pulling(here, { suspend: { dispatching: true } }));
  stage.applyNow(configMap('settings', { value: 'new' }));
  // The detector comes last.
  run(stage.world, {
    pick: (open) =>
      Math.max(
        0,
        open.findLastIndex(([question]) => question !== 'claim'),
      ),
  });
  expect(stage.world.member('member1', keyOf(refOf(settings)))).not.toMatchObject({ data: { value: 'new' } });
});
