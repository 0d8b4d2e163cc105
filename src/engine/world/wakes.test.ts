import { expect, test } from 'vitest';
import { keyOf, refOf } from '../../api/index.ts';
import type { Cluster, KubeObject } from '../../api/index.ts';
import { memberCluster } from '../../../test/kit/objects.ts';
import { wake } from './wakes.ts';
import { emptyWorld } from './world.ts';

const work = {
  apiVersion: 'work.karmada.io/v1alpha1',
  kind: 'Work',
  metadata: { name: 'foo', namespace: 'karmada-es-member1' },
  spec: { workload: { manifests: [] } },
} as KubeObject;

function wokenBy(before: Cluster, after: Cluster): readonly string[] {
  const world = emptyWorld();
  world.write({ verb: 'create', object: work });
  const woken: string[] = [];
  wake(world, { key: keyOf(refOf(after)), before, after }, (question, key) => woken.push(`${question} ${key}`));
  return woken;
}

test('an object to be sent to a member is looked at again when the member serves other kinds, not at each heartbeat', () => {
  const member = memberCluster('member1');
  const more = { groupVersion: 'example.com/v1', resources: [{ name: 'foos', kind: 'Foo' }] };
  const served = [...(member.status?.apiEnablements ?? []), more];
  const asked = `dispatch ${keyOf(refOf(work))}`;
  expect(wokenBy(member, { ...member, status: { ...member.status, apiEnablements: served } })).toContain(asked);
  expect(wokenBy(member, { ...member, status: { ...member.status, kubernetesVersion: 'v2' } })).not.toContain(asked);
});
