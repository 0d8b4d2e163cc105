import { expect as assert } from 'vitest';
import { appliedClusterOverridesAnnotation, appliedOverridesAnnotation } from '../../src/api/index.ts';
import type { KubeObject, Overriders } from '../../src/api/index.ts';
import { configMap, configMaps, deployment, deployments, override, tagged } from '../kit/objects.ts';
import { scenario } from '../kit/scenario.ts';

const everywhere = ['member1', 'member2', 'member3'];
const nginx = deployment('nginx', { labels: { tier: 'front', zone: 'a' } });

/** The same value in every member. */
const inAll = <T>(value: T): Readonly<Record<string, T>> => Object.fromEntries(everywhere.map((name) => [name, value]));

scenario('A labels overrider replaces, adds and removes labels of the object', async ({ user, policy, expect }) => {
  const labels: Overriders = {
    labelsOverrider: [
      { operator: 'replace', value: { tier: 'back', absent: 'x' } },
      { operator: 'add', value: { added: 'y' } },
      { operator: 'remove', value: { zone: '' } },
    ],
  };
  await user.creates(policy('pp', { to: everywhere }), override('op', labels, { on: everywhere }), nginx);
  for (const [key, value] of [
    ['tier', 'back'],
    ['added', 'y'],
    ['zone', undefined],
    ['absent', undefined],
  ] as const)
    await expect(nginx).says(`metadata.labels.${key}`, inAll(value));
});

scenario(
  'An annotations overrider changes annotations, and takes them back when it goes',
  async ({ user, policy, expect }) => {
    const op = override('op', { annotationsOverrider: [{ operator: 'add', value: { note: 'one' } }] });
    await user.creates(policy('pp', { to: everywhere }), op, nginx);
    await expect(nginx).says('metadata.annotations.note', inAll('one'));
    await user.deletes(op);
    await expect(nginx).says('metadata.annotations.note', inAll(undefined));
  },
);

const images: Overriders = {
  imageOverrider: [
    { component: 'Registry', operator: 'replace', value: 'fictional.registry.us' },
    { component: 'Repository', operator: 'replace', value: 'busybox' },
    { component: 'Tag', operator: 'replace', value: '1.0' },
  ],
};

scenario(
  'An image overrider without a predicate changes the images of all containers',
  async ({ user, policy, expect }) => {
    await user.creates(policy('pp', { to: everywhere }), override('op', images, { on: everywhere }), nginx);
    await expect(nginx).runsImage(inAll('fictional.registry.us/busybox:1.0'));
  },
);

const pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'one', namespace: 'default' },
  spec: { containers: [{ name: 'web', image: 'nginx:1.25' }] },
} as KubeObject;
const pods = { apiVersion: 'v1', kind: 'Pod' };

scenario('An image overrider changes the images of a Pod', async ({ user, policy, expect }) => {
  const op = override('op', images, { resourceSelectors: [pods] });
  await user.creates(policy('pp', { to: everywhere, select: [pods] }), op, pod);
  const containers = [assert.objectContaining({ image: 'fictional.registry.us/busybox:1.0' })];
  await expect(pod).says('spec.containers', inAll(containers));
});

scenario('An image overrider with a predicate changes only the image at its path', async ({ user, policy, expect }) => {
  const path = '/spec/template/spec/containers/0/image';
  const one: Overriders = {
    imageOverrider: [
      { predicate: { path }, component: 'Registry', operator: 'replace', value: 'fictional.registry.us' },
    ],
  };
  await user.creates(policy('pp', { to: everywhere }), override('op', one), nginx);
  await expect(nginx).runsImage(inAll('fictional.registry.us/nginx:1.25'));
});

const settings = {
  ...configMap('settings'),
  data: { 'a.json': '{"db":{"host":"x","port":1}}', 'a.yaml': 'server:\n  port: 80\n' },
};

scenario('A field overrider patches the JSON and the YAML in a ConfigMap', async ({ user, policy, expect }) => {
  const fields: Overriders = {
    fieldOverrider: [
      { fieldPath: '/data/a.json', json: [{ subPath: '/db/port', operator: 'replace', value: 2 }] },
      { fieldPath: '/data/a.yaml', yaml: [{ subPath: '/server/host', operator: 'add', value: 'h' }] },
    ],
  };
  const op = override('op', fields, { resourceSelectors: [configMaps()] });
  await user.creates(policy('pp', { to: everywhere, select: [configMaps()] }), op, settings);
  const data = { 'a.json': '{"db":{"host":"x","port":2}}', 'a.yaml': 'server:\n  host: h\n  port: 80\n' };
  await expect(settings).says('data', inAll(data));
});

scenario(
  'An override without selectors is for every template of its namespace, and of no other',
  async ({ user, policy, expect }) => {
    const elsewhere = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'elsewhere' } } as KubeObject;
    const other = deployment('other', { namespace: 'elsewhere' });
    await user.creates(elsewhere, policy('cpp', { to: everywhere }), nginx, other);
    await user.creates(override('op', images, { resourceSelectors: [] }));
    await expect(nginx).runsImage(inAll('fictional.registry.us/busybox:1.0'));
    await expect(other).runsImage(inAll('nginx:1.25'));
  },
  { scopes: ['cluster'] },
);

scenario('A cluster override without selectors, created last, changes what runs', async ({ user, policy, expect }) => {
  await user.creates(policy('pp', { to: everywhere }), nginx);
  await expect(nginx).runsImage(inAll('nginx:1.25'));
  await user.creates(override('cop', images, { scope: 'cluster', resourceSelectors: [] }));
  await expect(nginx).runsImage(inAll('fictional.registry.us/busybox:1.0'));
});

scenario(
  'A cluster override labels a Namespace in all members',
  async ({ user, expect }) => {
    const team = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team' } } as KubeObject;
    const add: Overriders = { labelsOverrider: [{ operator: 'add', value: { owner: 'us' } }] };
    const cop = override('cop', add, {
      scope: 'cluster',
      resourceSelectors: [{ apiVersion: 'v1', kind: 'Namespace', name: 'team' }],
    });
    await user.creates(cop, team);
    await expect(team).says('metadata.labels.owner', inAll('us'));
    await user.deletes(cop);
    await expect(team).says('metadata.labels.owner', inAll(undefined));
  },
  { scopes: ['cluster'] },
);

scenario('An override is for the clusters that it names, and no others', async ({ user, policy, expect }) => {
  await user.creates(policy('pp', { to: everywhere }), nginx);
  await user.creates(override('op', tagged('2'), { on: { exclude: ['member2', 'member3'] } }));
  await expect(nginx).runsImage({ member1: 'nginx:2', member2: 'nginx:1.25', member3: 'nginx:1.25' });
});

scenario('The deprecated form with targetCluster and overriders works', async ({ user, policy, expect }) => {
  const op = override(
    'op',
    {},
    { overrideRules: [], targetCluster: { clusterNames: ['member1'] }, overriders: tagged('2') },
  );
  await user.creates(policy('pp', { to: everywhere }), op, nginx);
  await expect(nginx).runsImage({ member1: 'nginx:2', member2: 'nginx:1.25', member3: 'nginx:1.25' });
});

scenario(
  'Cluster overrides come first, then the less precise, then by name: the last one wins',
  async ({ user, policy, expect }) => {
    await user.creates(policy('pp', { to: 'member1' }), nginx);
    await user.creates(
      override('z', tagged('cluster'), { scope: 'cluster', resourceSelectors: [deployments({ name: 'nginx' })] }),
    );
    await expect(nginx).runsImage({ member1: 'nginx:cluster' });
    await user.creates(override('b', tagged('kind')));
    await expect(nginx).runsImage({ member1: 'nginx:kind' });
    await user.creates(override('a', tagged('earlier')));
    await expect(nginx).runsImage({ member1: 'nginx:kind' });
    await user.creates(override('a', tagged('name'), { resourceSelectors: [deployments({ name: 'nginx' })] }));
    await expect(nginx).runsImage({ member1: 'nginx:name' });
  },
);

scenario('A Work says which overriders were applied to it, as long as they are', async ({ user, policy, expect }) => {
  const op = override('op', tagged('2'));
  const cop = override('cop', tagged('3'), { scope: 'cluster' });
  await user.creates(policy('pp', { to: 'member1' }), nginx, op, cop);
  await expect(nginx).work('member1', (work) => {
    const { annotations = {} } = work?.metadata ?? {};
    const noted = (name: string, tag: string): unknown => [{ policyName: name, overriders: tagged(tag) }];
    assert(JSON.parse(annotations[appliedOverridesAnnotation] ?? '')).toEqual(noted('op', '2'));
    assert(JSON.parse(annotations[appliedClusterOverridesAnnotation] ?? '')).toEqual(noted('cop', '3'));
  });
  await user.deletes(op);
  await user.deletes(cop);
  await expect(nginx).work('member1', (work) => {
    assert(work?.metadata.annotations).not.toHaveProperty([appliedOverridesAnnotation]);
    assert(work?.metadata.annotations).not.toHaveProperty([appliedClusterOverridesAnnotation]);
  });
});

scenario('An edit of an override, and its deletion, take effect at once', async ({ user, policy, expect }) => {
  await user.creates(policy('pp', { to: 'member1' }), override('op', tagged('2')), nginx);
  await user.updates(override('op', tagged('3')));
  await expect(nginx).runsImage({ member1: 'nginx:3' });
  await user.updates(override('op', tagged('4'), { resourceSelectors: [configMaps()] }));
  await expect(nginx).runsImage({ member1: 'nginx:1.25' });
  await user.updates(override('op', tagged('5')));
  await user.deletes(override('op', tagged('5')));
  await expect(nginx).runsImage({ member1: 'nginx:1.25' });
});

const broken: Overriders = { plaintext: [{ path: '/spec/none', operator: 'replace', value: 1 }] };

scenario(
  'A broken override stops its own template in all members, and nothing else',
  async ({ user, policy, expect, unchanged }) => {
    const other = deployment('other');
    await user.creates(policy('pp', { to: everywhere }), nginx, other);
    const bad = override('op', broken, { on: 'member1', resourceSelectors: [deployments({ name: 'nginx' })] });
    await user.creates(bad);
    await unchanged(() => user.touches(nginx));
    await expect(nginx).binding((binding) => {
      const failed = { type: 'OverridesApplied', status: 'False', reason: 'OverrideFailed' };
      assert(binding?.status?.conditions).toContainEqual(assert.objectContaining(failed));
      const effect = binding?.status?.conditions?.find(({ type }) => type === 'InEffect');
      assert(effect).toMatchObject({
        status: 'False',
        reason: 'Failing',
        message: assert.stringContaining('default/op'),
      });
    });
    await user.touches(other);
    await expect(other).says('metadata.labels.refresh-time', inAll('2'));
    await user.updates(
      override('op', tagged('2'), { on: 'member1', resourceSelectors: [deployments({ name: 'nginx' })] }),
    );
    await expect(nginx).runsImage({ member1: 'nginx:2', member2: 'nginx:1.25', member3: 'nginx:1.25' });
    await expect(nginx).says('metadata.labels.refresh-time', inAll('1'));
    await expect(nginx).binding((binding) => {
      assert(binding?.status?.conditions?.map(({ type }) => type)).not.toContain('OverridesApplied');
    });
  },
);

scenario('A broken override keeps a copy that is to move where it is', async ({ user, policy, expect, unchanged }) => {
  await user.creates(policy('pp', { to: 'member1' }), nginx, override('op', broken, { on: 'member2' }));
  await unchanged(() => user.updates(policy('pp', { to: 'member2' })));
  await user.deletes(override('op', broken));
  await expect(nginx).runsOn('member2');
});

scenario('An override must leave the object the one that it is', async ({ user, policy, expect }) => {
  await user.creates(policy('pp', { to: 'member1' }));
  await user.creates(
    override('op', { plaintext: [{ path: '/metadata/namespace', operator: 'replace', value: 'kube-system' }] }),
  );
  await user.creates(nginx);
  await expect(nginx).runsNowhere();
});

scenario('An override cannot change the marks of the control plane', async ({ user, policy, expect }) => {
  const marks: Overriders = {
    labelsOverrider: [{ operator: 'add', value: { 'karmada.io/managed': 'false', mine: 'yes' } }],
    plaintext: [{ path: '/metadata/finalizers', operator: 'add', value: ['x/y'] }],
  };
  await user.creates(policy('pp', { to: 'member1' }), override('op', marks), nginx);
  await expect(nginx).says('metadata.labels.mine', { member1: 'yes' });
  await expect(nginx).says('metadata.finalizers', { member1: undefined });
});

scenario('An override leaves replicas to the schedule unless it names them', async ({ user, policy, expect }) => {
  const replicaScheduling = { replicaSchedulingType: 'Divided', replicaDivisionPreference: 'Weighted' } as const;
  await user.creates(policy('pp', { to: ['member1', 'member2'], placement: { replicaScheduling } }));
  await user.creates(deployment('nginx', { replicas: 4 }), override('op', tagged('2')));
  await expect(nginx).hasReplicas({ member1: 2, member2: 2 });
  await user.updates(
    override('op', { plaintext: [{ path: '/spec/replicas', operator: 'replace', value: 7 }] }, { on: 'member1' }),
  );
  await expect(nginx).hasReplicas({ member1: 7, member2: 2 });
});

scenario('Dependencies are overridden too', async ({ user, policy, expect }) => {
  const web = deployment('web', { configMaps: ['settings'] });
  const op = override(
    'op',
    { plaintext: [{ path: '/data/value', operator: 'replace', value: 'two' }] },
    { resourceSelectors: [configMaps()], on: 'member1' },
  );
  await user.creates(policy('pp', { to: ['member1', 'member2'], propagateDeps: true }), configMap('settings'), web, op);
  await expect(configMap('settings')).says('data.value', { member1: 'two', member2: 'one' });
});

scenario(
  'An override edited under a suspension takes effect when it ends',
  async ({ user, policy, expect, unchanged }) => {
    const suspended = policy('pp', { to: 'member1', suspend: { dispatching: true } });
    await user.creates(policy('pp', { to: 'member1' }), nginx);
    await user.updates(suspended);
    await unchanged(() => user.creates(override('op', tagged('2'))));
    await user.updates(policy('pp', { to: 'member1' }));
    await expect(nginx).runsImage({ member1: 'nginx:2' });
  },
);

scenario(
  'An override edit brings no content that waits under a lazy policy',
  async ({ user, policy, expect }) => {
    await user.creates(policy('pp', { to: 'member1', lazy: true }), nginx);
    await user.deletes(policy('pp'));
    await user.touches(nginx);
    await user.creates(override('op', tagged('2')));
    await expect(nginx).says('metadata.labels.refresh-time', { member1: undefined });
    await expect(nginx).runsImage({ member1: 'nginx:1.25' });
    await user.creates(policy('next', { to: 'member1' }));
    await expect(nginx).runsImage({ member1: 'nginx:2' });
    await expect(nginx).says('metadata.labels.refresh-time', { member1: '1' });
  },
  { burst: false },
);

scenario(
  'A copy that is about to leave keeps the override that it has',
  async ({ user, policy, expect }) => {
    const slow = deployment('slow', { outcome: 'NeverReady' });
    await user.creates(policy('pp', { to: 'member1' }), slow, override('op', tagged('2')));
    await user.readies('member1', slow, 2);
    await user.updates(policy('pp', { to: 'member2' }));
    await user.updates(override('op', tagged('3')));
    await expect(slow).runsImage({ member1: 'nginx:2', member2: 'nginx:3' });
  },
  { burst: false },
);

scenario('Labels of a cluster decide which overrides its copies have', async ({ user, policy, expect }) => {
  await user.creates(policy('pp', { to: ['member1', 'member2'] }), nginx);
  await user.creates(override('op', tagged('gpu'), { on: { labelSelector: { matchLabels: { gpu: 'yes' } } } }));
  await expect(nginx).runsImage({ member1: 'nginx:1.25', member2: 'nginx:1.25' });
  const cluster = { apiVersion: 'cluster.karmada.io/v1alpha1', kind: 'Cluster', metadata: { name: 'member2' } };
  await user.edits(cluster, (live) => ({ ...live, metadata: { ...live.metadata, labels: { gpu: 'yes' } } }));
  await expect(nginx).runsImage({ member1: 'nginx:1.25', member2: 'nginx:gpu' });
  await user.edits(cluster, (live) => ({ ...live, metadata: { ...live.metadata, labels: {} } }));
  await expect(nginx).runsImage({ member1: 'nginx:1.25', member2: 'nginx:1.25' });
});

scenario(
  'A member keeps its own replicas under overrides, too',
  async ({ user, policy, expect }) => {
    const labels = { 'resourcetemplate.karmada.io/retain-replicas': 'true' };
    await user.creates(policy('pp', { to: 'member1' }), deployment('nginx', { labels }));
    await user.tampers(
      'member1',
      nginx,
      (live) => ({ ...live, spec: { ...(live as never as { spec: object }).spec, replicas: 9 } }) as KubeObject,
    );
    await user.creates(override('op', tagged('2')));
    await expect(nginx).runsImage({ member1: 'nginx:2' });
    await expect(nginx).hasReplicas({ member1: 9 });
  },
  { burst: false },
);
