import { expect, test } from 'vitest';
import { keyOf, refOf } from '../../api/index.ts';
import type { KubeObject } from '../../api/index.ts';
import { modelStage } from '../../../test/kit/model.ts';
import type { ModelStage } from '../../../test/kit/model.ts';
import { configMap, configMaps, deployment, deployments, policy } from '../../../test/kit/objects.ts';
import type { PolicyWords } from '../../../test/kit/objects.ts';
import { run } from '../world/index.ts';

const settings = configMap('settings');
const web = deployment('web', { configMaps: ['settings'] });
const pp = (words: PolicyWords): KubeObject => policy('pp', { to: 'member1', ...words });
const pulling = pp({ select: [deployments()], propagateDeps: true });
const [workloads, all] = [[deployments()], [deployments(), configMaps()]];

/** The Works of the members after a change of policies that the detector takes up last for one template. */
async function changed(late: KubeObject, given: readonly KubeObject[], change: KubeObject): Promise<ModelStage> {
  const stage = await modelStage({});
  for (const object of [settings, web, ...given]) {
    stage.applyNow(object);
    await stage.settle();
  }
  stage.applyNow(change);
  const isLate = (question: string, key: string): boolean => question === 'claim' && key === keyOf(refOf(late));
  run(stage.world, {
    pick: (open) =>
      Math.max(
        0,
        open.findIndex(([question, key]) => !isLate(question, key)),
      ),
  });
  return stage;
}

const settingsIn = (stage: ModelStage): KubeObject | undefined =>
  stage.world.inMember('member1', keyOf(refOf(settings)));

test('an object that its own policy takes over from a workload stays where it is', async () => {
  const { world: before } = await changed(settings, [pulling], pulling);
  const stage = await changed(settings, [pulling], pp({ select: all, propagateDeps: false }));
  const uid = before.inMember('member1', keyOf(refOf(settings)))?.metadata.uid;
  expect(uid).toBeDefined();
  expect(settingsIn(stage)?.metadata.uid).toBe(uid);
  expect(settingsIn(stage)?.metadata.labels).toHaveProperty(['karmada.io/managed'], 'true');
});

test('an object that a workload takes over from its own policy waits for the suspension that comes with it', async () => {
  const first = policy('first', { scope: 'cluster', to: 'member1', select: workloads, propagateDeps: true });
  const suspension = pp({ select: all, preemption: 'Always', suspend: { dispatching: true } });
  const stage = await changed(web, [first], suspension);
  expect(settingsIn(stage)?.metadata.labels).not.toHaveProperty(['propagationpolicy.karmada.io/permanent-id']);
});
