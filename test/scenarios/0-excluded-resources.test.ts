import { describe, expect as check } from 'vitest';
import type { KubeObject } from '../../src/api/index.ts';
import { configMap, configMaps, deployment, deployments } from '../kit/objects.ts';
import { scenario } from '../kit/scenario.ts';
import type { Cast } from '../kit/scenario.ts';

const nginx = deployment('nginx', { labels: { tier: 'web' } });
const redis = deployment('redis', { labels: { tier: 'data' } });
const settings = configMap('settings', { labels: { tier: 'web' } });
const everything = [deployments(), configMaps()];

const place = (namespace: string): readonly KubeObject[] => [
  deployment('web', { namespace }),
  configMap('web', { namespace }),
];

/** Two policies select everything; `first` manages it. Objects that `first` excludes go to `second`, the rest stays. */
async function excluding(
  { admin, user, policy, expect }: Cast,
  rules: NonNullable<Parameters<Cast['policy']>[1]>['exclude'],
  moved: readonly KubeObject[],
): Promise<void> {
  const all = [nginx, redis, settings];
  await admin.creates(policy('first', { to: 'member1', select: everything, priority: 10 }));
  await user.creates(...all);
  await admin.creates(policy('second', { to: 'member2', select: everything }));
  for (const template of all) await expect(template).runsOn('member1');

  await admin.updates(policy('first', { to: 'member1', select: everything, priority: 10, exclude: rules ?? [] }));
  for (const template of all) {
    await expect(template).runsOn(moved.includes(template) ? 'member2' : 'member1');
    await expect(template).isManagedBy(moved.includes(template) ? 'second' : 'first');
  }
}

describe('Proposal 0: excluded resources', () => {
  scenario('apiVersion alone excludes', (cast) => excluding(cast, [{ apiVersion: 'v1' }], [settings]));
  scenario('kind alone excludes', (cast) => excluding(cast, [{ kind: 'Deployment' }], [nginx, redis]));
  scenario('namespace alone excludes', (cast) => excluding(cast, [{ namespace: 'default' }], [nginx, redis, settings]));
  scenario('name alone excludes', (cast) => excluding(cast, [{ name: 'redis' }], [redis]));
  scenario('labelSelector alone excludes', (cast) =>
    excluding(cast, [{ labelSelector: { matchLabels: { tier: 'web' } } }], [nginx, settings]),
  );

  scenario('two fields of a rule must both match', (cast) =>
    excluding(cast, [{ kind: 'Deployment', labelSelector: { matchLabels: { tier: 'web' } } }], [nginx]),
  );
  scenario('three fields of a rule must all match', (cast) =>
    excluding(
      cast,
      [
        {
          apiVersion: 'apps/v1',
          kind: 'Deployment',
          labelSelector: { matchExpressions: [{ key: 'tier', operator: 'In', values: ['data'] }] },
        },
      ],
      [redis],
    ),
  );
  scenario('a rule of which one field does not match excludes nothing', (cast) =>
    excluding(cast, [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'settings' }], []),
  );
  scenario('one matching rule is enough', (cast) =>
    excluding(cast, [{ name: 'nowhere' }, { name: 'nginx' }, { kind: 'ConfigMap' }], [nginx, settings]),
  );
  scenario('a namespace pattern excludes', (cast) =>
    excluding(cast, [{ namespace: 'other,def*' }], [nginx, redis, settings]),
  );

  scenario(
    'user story: namespace by namespace to new clusters, in four steps',
    async ({ admin, user, policy, expect, unchanged }) => {
      const [ns1, ns2, ns3] = ['ns1', 'ns2', 'ns3'].map(place);
      const old = { to: ['member1', 'member2'], select: everything, priority: 10 };
      const next = { to: ['member3', 'member4'], select: everything, priority: 9999 };
      await admin.creates(policy('default-cpp', old));
      await user.creates(...(ns1 ?? []), ...(ns2 ?? []), ...(ns3 ?? []));
      const runOn = async (
        templates: readonly KubeObject[] | undefined,
        ...members: readonly string[]
      ): Promise<void> => {
        for (const template of templates ?? []) await expect(template).runsOn(...members);
      };
      await runOn(ns1, 'member1', 'member2');

      await unchanged(() => admin.creates(policy('default-cpp-v2', next)));

      await admin.updates(policy('default-cpp', { ...old, exclude: [{ namespace: 'ns1' }] }));
      await runOn(ns1, 'member3', 'member4');
      await runOn(ns2, 'member1', 'member2');
      await runOn(ns3, 'member1', 'member2');

      await admin.updates(policy('default-cpp', { ...old, exclude: [{ namespace: 'ns1' }, { namespace: 'ns2' }] }));
      await runOn(ns1, 'member3', 'member4');
      await runOn(ns2, 'member3', 'member4');
      await runOn(ns3, 'member1', 'member2');

      await admin.deletes(policy('default-cpp'));
      await runOn(ns3, 'member3', 'member4');
      await expect(policy('default-cpp')).isGone();

      await unchanged(() => admin.updates(policy('default-cpp-v2', { ...next, priority: 10 })));
      for (const template of [ns1, ns2, ns3].flat()) if (template) await expect(template).isManagedBy('default-cpp-v2');
    },
    { scopes: ['cluster'] },
  );

  scenario(
    'excluded and nothing else matches: it stays where it is, released',
    async ({ admin, user, policy, expect, unchanged }) => {
      await admin.creates(policy('first', { to: 'member1' }));
      await user.creates(nginx);
      await unchanged(() => admin.updates(policy('first', { to: 'member1', exclude: [{ name: 'nginx' }] })));
      await expect(nginx).runsOn('member1');
      await expect(nginx).isUnclaimed();
    },
    { burst: false },
  );

  scenario('excluded, then included again', async ({ admin, user, policy, expect }) => {
    await admin.creates(policy('first', { to: 'member1' }));
    await user.creates(nginx);
    await admin.updates(policy('first', { to: 'member1', exclude: [{ name: 'nginx' }] }));
    await admin.updates(policy('first', { to: 'member2' }));
    await expect(nginx).isManagedBy('first');
    await expect(nginx).runsOn('member2');
  });

  scenario('a template that comes later is excluded too', async ({ admin, user, policy, expect }) => {
    await admin.creates(
      policy('first', { to: 'member1', exclude: [{ labelSelector: { matchLabels: { tier: 'web' } } }] }),
    );
    await user.creates(nginx, redis);
    await expect(nginx).runsNowhere();
    await expect(nginx).isUnclaimed();
    await expect(redis).runsOn('member1');
  });

  scenario('deleting an excluded template removes it from the members', async ({ admin, user, policy, expect }) => {
    await admin.creates(policy('first', { to: 'member1' }));
    await user.creates(nginx);
    await admin.updates(policy('first', { to: 'member1', exclude: [{ name: 'nginx' }] }));
    await user.deletes(nginx);
    await expect(nginx).runsNowhere();
  });

  scenario('an invalid exclusion is refused, with its path', async ({ admin, policy }) => {
    const refused = async (exclude: readonly object[]): Promise<readonly string[]> =>
      admin.failsToCreate(policy('bad', { to: 'member1', exclude }));
    check(await refused([{}])).toContain('spec.excludedResources[0]');
    check(await refused([{ kind: 'Deployment' }, { namespace: '*' }])).toContain('spec.excludedResources[1].namespace');
    check(await refused([{ namespace: 'a*b' }])).toContain('spec.excludedResources[0].namespace');
    check(await refused([{ labelSelector: { matchExpressions: [{ key: 'a', operator: 'Like' }] } }])).toContainEqual(
      check.stringContaining('spec.excludedResources[0].labelSelector.matchExpressions[0]'),
    );
  });
});
