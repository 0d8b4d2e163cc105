import { expect, test } from 'vitest';
import { keyOf, refOf } from '../../src/api/index.ts';
import type { KubeObject } from '../../src/api/index.ts';
import { run } from '../../src/engine/index.ts';
import { atRest, gone, rightAfter } from '../kit/worlds.ts';
import { deployment, policy } from '../kit/objects.ts';

const nginx = deployment('nginx');

function definition(name: string): KubeObject {
  const finalizers = ['customresourcecleanup.apiextensions.k8s.io'];
  return { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', metadata: { name, finalizers } };
}

for (const [kind, name, only] of [
  ['Work', 'works.work.karmada.io', 9],
  ['Cluster', 'clusters.cluster.karmada.io', 9],
  ['Cluster', 'clusters.cluster.karmada.io', 1],
  ['ResourceBinding', 'resourcebindings.work.karmada.io', 9],
] as const) {
  test(`The definition of ${kind} is deleted and takes up to ${only} objects along: no member loses anything`, () => {
    const world = atRest({}, definition(name), policy('pp', { to: ['member1', 'member2'] }), nginx);
    rightAfter(world, gone(definition(name)));
    const objects = [...world.entries()].filter(([key, object]) => !key.startsWith('@') && object.kind === kind);
    for (const [, object] of objects.slice(0, only)) rightAfter(world, gone(object));
    run(world);
    run(world, { restart: true });
    for (const member of ['member1', 'member2'])
      expect(world.inMember(member, keyOf(refOf(nginx)))?.metadata.deletionTimestamp).toBeUndefined();
    for (const member of ['member1', 'member2']) expect(world.inMember(member, keyOf(refOf(nginx)))).toBeDefined();
  });
}
