import * as fc from 'fast-check';
import { describe } from 'vitest';
import { keyOf, refOf } from '../../src/api/index.ts';
import type { KubeObject } from '../../src/api/index.ts';
import { bindingRefOf, explain, plan, run } from '../../src/engine/index.ts';
import type { World } from '../../src/engine/index.ts';
import { atRest } from '../kit/worlds.ts';
import { configMap, deployment, policy } from '../kit/objects.ts';
import { happen } from '../kit/stories/event.ts';
import { property } from '../kit/stories/runs.ts';

const web = deployment('web', { configMaps: ['settings'] });
const moved = (to: string): KubeObject => policy('pp', { to, propagateDeps: true });

/** Annotations that the control plane reads back; others than itself can write them too. */
const notes = [
  'sluice.dev/in-effect',
  'sluice.dev/affinity-group',
  'sluice.dev/rescheduled',
  'sluice.dev/waits-at',
  'sluice.dev/reconcile',
  'policy.karmada.io/applied-placement',
  'resourcebinding.karmada.io/dependencies',
] as const;

const fields = [
  'clusterAffinity',
  'clusterAffinities',
  'clusterTolerations',
  'spreadConstraints',
  'policy',
  'template',
];
const parts = fc.dictionary(fc.constantFrom(...fields), fc.jsonValue({ maxDepth: 2 }));
const texts = fc.oneof(
  fc.string(),
  fc.json({ maxDepth: 3 }),
  parts.map((part) => JSON.stringify(part)),
);
const scribbles = fc.dictionary(fc.constantFrom(...notes), texts, { minKeys: 1 });

function scribbled(world: World, key: string, annotations: Readonly<Record<string, string>>): void {
  const object = world.get(key);
  if (!object) return;
  const metadata = { ...object.metadata, annotations: { ...object.metadata.annotations, ...annotations } };
  world.write({ verb: 'update', object: { ...object, metadata } });
}

describe('arbitrary values in the annotations of the control plane', () => {
  property(
    'the world comes to rest and can be explained and planned',
    fc.record({ onBinding: scribbles, onTemplate: scribbles }),
    ({ onBinding, onTemplate }) => {
      const world = atRest({ Failover: true }, moved('member1'), configMap('settings'), web);
      scribbled(world, keyOf(bindingRefOf(web)), onBinding);
      scribbled(world, keyOf(refOf(web)), onTemplate);
      const taints = [{ key: 'down', effect: 'NoExecute', timeAdded: '2026-01-01T00:00:00Z' }] as const;
      happen(world, { do: 'fleet', cluster: 'member1', taints, zone: 'z1' }, 0);
      explain(world, refOf(web));
      run(world, { restart: true });
      explain(world, refOf(web));
      plan(world, { apply: [moved('member2')] });
    },
  );
});
