import { keyOf, refOf } from '../src/api/index.ts';
import type { KubeObject, Overriders } from '../src/api/index.ts';
import { decideRender, emptyWorld, gatherRender, mutate, overridesNear, run as settle } from '../src/engine/index.ts';
import type { World } from '../src/engine/index.ts';
import { deployment, deployments, memberCluster, override, policy } from '../test/kit/objects.ts';
import { processorMicroseconds } from './kit/measure.ts';
import type { Figure } from './kit/measure.ts';

function put(world: World, object: KubeObject): void {
  const uuid = `id-${object.kind}-${object.metadata.namespace ?? ''}-${object.metadata.name}`;
  world.write({ verb: 'create', object: mutate(object, { operation: 'CREATE', uuid, now: world.now }) });
}

const three: Overriders = {
  imageOverrider: [{ component: 'Registry', operator: 'replace', value: 'mirror.example.com' }],
  labelsOverrider: [{ operator: 'add', value: { place: 'here' } }],
  plaintext: [{ path: '/spec/template/spec/nodeSelector', operator: 'add', value: { disk: 'ssd' } }],
};

/** Renders the Work of one binding again, with everything that is read for it. */
function perWork(...overrides: readonly KubeObject[]): number {
  const world = emptyWorld();
  put(world, memberCluster('member1'));
  put(world, policy('pp', { to: 'member1' }));
  for (const object of overrides) put(world, object);
  const template = deployment('nginx');
  put(world, template);
  settle(world);
  const binding = keyOf(refOf(bindingIn(world)));
  const rounds = 20_000;
  return processorMicroseconds(rounds, () => {
    for (let round = 0; round < rounds; round++) {
      const facts = gatherRender(world, binding);
      if (facts) decideRender({ ...facts, binding: { ...facts.binding }, works: new Map() });
    }
  });
}

function bindingIn(world: World): KubeObject {
  for (const [, object] of world.entries()) if (object.kind === 'ResourceBinding') return object;
  throw new Error('there is no binding');
}

/** Finding the overrides of a template among many. */
function perLookup(count: number): number {
  const world = emptyWorld();
  for (let i = 0; i < count; i++) {
    const words = { namespace: `team-${i % 100}`, resourceSelectors: [deployments({ name: `app-${i}` })] };
    put(world, override(`op-${i}`, three, words));
  }
  const templates = Array.from({ length: 100 }, (_, i) => deployment(`app-${i}`, { namespace: `team-${i}` }));
  const rounds = 200;
  return processorMicroseconds(templates.length * rounds, () => {
    for (let round = 0; round < rounds; round++) for (const template of templates) overridesNear(world, template);
  });
}

/** The cost of overrides. */
export function run(): readonly Figure[] {
  const [bare, overridden] = [perWork(), perWork(override('op', three))];
  return [
    { what: 'a Work rendered anew, without overrides', value: bare, unit: 'µs' },
    { what: 'the same with three overriders', value: overridden, unit: 'µs' },
    { what: 'the three overriders alone', value: overridden - bare, unit: 'µs', budget: 50 },
    { what: 'finding the overrides of a template among 10', value: perLookup(10), unit: 'µs' },
    { what: 'finding the overrides of a template among 10,000', value: perLookup(10_000), unit: 'µs' },
  ];
}
