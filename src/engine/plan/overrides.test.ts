import { expect, test } from 'vitest';
import { reconcileAnnotation, refOf } from '../../api/index.ts';
import type { KubeObject, Overriders } from '../../api/index.ts';
import { modelStage } from '../../../test/kit/model.ts';
import type { ModelStage } from '../../../test/kit/model.ts';
import { configMaps, deployment, override, policy, tagged } from '../../../test/kit/objects.ts';
import { explain } from './explain.ts';
import { plan } from './plan.ts';
import type { Plan } from './plan.ts';

async function stageWith(...objects: readonly KubeObject[]): Promise<ModelStage> {
  const stage = await modelStage({});
  for (const object of objects) {
    stage.applyNow(object);
    await stage.settle();
  }
  return stage;
}

const nginx = deployment('nginx');
const pp = policy('pp', { to: ['member1', 'member2'] });
const lines = ({ effects }: Plan): readonly string[] =>
  effects.map(({ cluster, effect, when, because }) => `${cluster} ${effect} ${when} ${because}`);
const scaled: Overriders = { plaintext: [{ path: '/spec/replicas', operator: 'replace', value: 9 }] };
const labelled: Overriders = { labelsOverrider: [{ operator: 'add', value: { a: 'b' } }] };
const broken: Overriders = { plaintext: [{ path: '/spec/none', operator: 'remove' }] };

test.each<[string, Overriders, readonly string[]]>([
  ['restarts', tagged('2'), ['member1 restart now OverridesChanged']],
  ['scales', scaled, ['member1 scale now OverridesChanged']],
  ['updates', labelled, ['member1 update now OverridesChanged']],
])('a plan says what a new override %s, and where', async (_, overriders, expected) => {
  const { world } = await stageWith(pp, nginx);
  expect(lines(plan(world, { apply: [override('op', overriders, { on: 'member1' })] }))).toEqual(expected);
});

test('a plan says what the deletion of an override restarts, and what its edit takes back elsewhere', async () => {
  const { world } = await stageWith(pp, nginx, override('op', tagged('2'), { on: 'member1' }));
  const both = ['member1 restart now OverridesChanged', 'member2 restart now OverridesChanged'];
  expect(lines(plan(world, { delete: [refOf(override('op', {}))] }))).toEqual(both.slice(0, 1));
  expect(lines(plan(world, { apply: [override('op', tagged('2'), { on: 'member2' })] }))).toEqual(both);
});

test('an edit of a lazy override is pending, and its template then says what waits', async () => {
  const stage = await stageWith(pp, nginx);
  const lazy = override('op', tagged('2'), { lazy: true });
  const result = plan(stage.world, { apply: [lazy] });
  expect(lines(result)).toEqual(['member1 restart pending OverrideWaits', 'member2 restart pending OverrideWaits']);
  expect(result.effects[0]?.waits).toBe('lazy');
  stage.applyNow(lazy);
  await stage.settle();
  expect(explain(stage.world, refOf(nginx))?.pending).toMatchObject({ because: 'OverrideWaits' });
  const asked = { ...nginx, metadata: { ...nginx.metadata, annotations: { [reconcileAnnotation]: 'one' } } };
  expect(lines(plan(stage.world, { apply: [asked] }))).toEqual([
    'member1 restart now ActivatedOnRequest',
    'member2 restart now ActivatedOnRequest',
  ]);
});

test('an override edited under a suspension is a suspended effect', async () => {
  const suspended = policy('pp', { to: 'member1', suspend: { dispatching: true } });
  const { world } = await stageWith(policy('pp', { to: 'member1' }), nginx, suspended);
  expect(lines(plan(world, { apply: [override('op', tagged('2'))] }))).toEqual(['member1 restart suspended Suspended']);
});

test.each([
  ['no template', override('op', tagged('2'), { resourceSelectors: [configMaps()] }), 'SelectsNothing'],
  [
    'no cluster',
    override('op', tagged('2'), { on: { labelSelector: { matchLabels: { gpu: 'yes' } } } }),
    'NoTargetCluster',
  ],
  ['what it cannot change', override('op', broken), 'OverrideFailed'],
])('a plan warns of an override that selects %s', async (_, object, because) => {
  const { world } = await stageWith(pp, nginx);
  const { warnings, effects } = plan(world, { apply: [object] });
  expect(warnings.map((warning) => warning.because)).toContain(because);
  expect(effects).toEqual([]);
});

test('an explanation lists the overrides in their order, and those that are for others', async () => {
  const { world } = await stageWith(
    pp,
    nginx,
    override('b', tagged('2'), { on: 'member1' }),
    override('a', tagged('3'), { scope: 'cluster' }),
    override('far', tagged('4'), { on: 'member4' }),
    override('name', tagged('5'), {
      resourceSelectors: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'other' }],
    }),
    override('kind', {}, { resourceSelectors: [configMaps()] }),
  );
  const told = explain(world, refOf(nginx))?.overrides?.map(
    ({ policy: { name }, outcome, because, clusters }) => `${name} ${outcome} ${because} ${clusters.join()}`,
  );
  expect(told).toEqual([
    'a applied OverrideApplies member1,member2',
    'b applied OverrideApplies member1',
    'far noCluster NoTargetCluster ',
    'name noMatch NameDiffers ',
  ]);
});
