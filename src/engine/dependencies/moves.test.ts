import { expect, test } from 'vitest';
import { keyOf, refOf } from '../../api/index.ts';
import type { KubeObject } from '../../api/index.ts';
import { modelStage } from '../../../test/kit/model.ts';
import type { ModelStage } from '../../../test/kit/model.ts';
import { configMap, configMaps, deployment, deployments, policy } from '../../../test/kit/objects.ts';
import type { PolicyWords } from '../../../test/kit/objects.ts';
import { plan } from '../plan/index.ts';

const settings = configMap('settings');
const web = deployment('web', { configMaps: ['settings'] });
/** Its replacement never becomes healthy, so its move does not end. */
const slow = deployment('web', { configMaps: ['settings'], outcome: 'NeverReady' });
const pp = (words: PolicyWords): KubeObject => policy('pp', { select: [deployments()], ...words });

async function stageWith(...objects: readonly KubeObject[]): Promise<ModelStage> {
  const stage = await modelStage({});
  await then(stage, ...objects);
  return stage;
}

async function then(stage: ModelStage, ...objects: readonly KubeObject[]): Promise<void> {
  for (const object of objects) {
    stage.applyNow(object);
    await stage.settle();
  }
}

const placesOf = ({ world }: ModelStage): readonly string[] =>
  ['member1', 'member2'].filter((member) => world.inMember(member, keyOf(refOf(settings))));

test.each([
  ['ends', web],
  ['does not end', slow],
])('an old copy that ran without a dependency does not get it while it leaves, if the move %s', async (_, workload) => {
  const stage = await stageWith(pp({ to: 'member1' }), settings, workload);
  const change = pp({ to: 'member2', propagateDeps: true });
  const { effects } = plan(stage.world, { apply: [change] });
  await then(stage, change);
  expect(placesOf(stage)).toEqual(['member2']);
  expect(effects.map(({ template, cluster, effect }) => `${template.name} ${cluster} ${effect}`)).toEqual([
    'web member1 delete',
    'web member2 create',
    'settings member2 create',
  ]);
});

test('a move to where dependencies come along leaves alone what the old member has of its own', async () => {
  const own = { ...settings, data: { own: 'yes' } };
  const stage = await stageWith(pp({ to: 'member1', conflictResolution: 'Overwrite' }), settings, web);
  stage.world.write({ verb: 'create', object: own, at: 'member1' });
  await then(stage, pp({ to: 'member2', propagateDeps: true, conflictResolution: 'Overwrite' }));
  expect(stage.world.inMember('member1', keyOf(refOf(settings)))).toHaveProperty('data', { own: 'yes' });
});

test('a dependency that had the policy of its workload stays with the old copy', async () => {
  const stage = await stageWith(pp({ to: 'member1', select: [deployments(), configMaps()] }), settings, slow);
  await then(stage, pp({ to: 'member2', propagateDeps: true }));
  expect(placesOf(stage)).toEqual(['member1', 'member2']);
});

test('a dependency that is made again during a move comes back to the old copy', async () => {
  const stage = await stageWith(pp({ to: 'member1', propagateDeps: true }), settings, slow);
  await then(stage, pp({ to: 'member2', propagateDeps: true }));
  stage.world.write({ verb: 'delete', ref: refOf(settings) });
  await stage.settle();
  expect(placesOf(stage)).toEqual([]);
  await then(stage, settings);
  expect(placesOf(stage)).toEqual(['member1', 'member2']);
});
