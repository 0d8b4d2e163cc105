/** The roles of an installation on real clusters, with the installed permissions and no others. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { conditionStatus } from '../../src/engine/index.ts';
import { refOf } from '../../src/api/index.ts';
import type { Cluster, KubeObject } from '../../src/api/index.ts';
import { openSite } from '../kit/kube/site.ts';
import type { Site } from '../kit/kube/site.ts';
import { deployment, policy } from '../kit/objects.ts';
import { until, untilGone, untilObject } from '../kit/until.ts';

let site: Site;

beforeAll(async () => {
  site = await openSite();
  await site.startWebhook();
  await site.startControllers('--leader-elect', '--lease-seconds=6');
  await site.joinAll();
});
afterAll(async () => site?.close());

test('members that were joined become ready', async () => {
  for (const name of site.members.keys())
    await untilObject<Cluster>(
      site.user,
      { apiVersion: 'cluster.karmada.io/v1alpha1', kind: 'Cluster', name },
      ({ status }) => conditionStatus(status?.conditions, 'Ready') === 'True',
    );
});

test('a workload is placed on the members of its policy, and its status comes back', async () => {
  const nginx = deployment('nginx');
  await site.user.create(policy('nginx', { to: 'member1' }));
  await site.user.create(nginx);
  const member = await site.members.get('member1')?.client();
  if (!member) throw new Error('no member1');
  await untilObject(member, refOf(nginx), ({ metadata }) => metadata.labels?.['karmada.io/managed'] === 'true');
  await untilObject(site.user, refOf(nginx), (object) => {
    const { status } = object as KubeObject & { readonly status?: { readonly observedGeneration?: number } };
    return status?.observedGeneration !== undefined;
  });
  await site.user.delete(refOf(nginx));
  await untilGone(member, refOf(nginx));
});

test('an invalid policy is refused by the webhook with every reason, and a defaulted one is accepted', async () => {
  const bad = policy('bad', { to: 'member1', exclude: [{}] });
  await expect(site.user.create(bad)).rejects.toThrow(/spec\.excludedResources\[0\]/);
  const stored = await until('the policy', () => site.user.find(refOf(policy('nginx', { to: 'member1' }))));
  expect(stored.metadata.finalizers).toEqual(['karmada.io/propagation-policy-controller']);
});
