import { describe, expect as check } from 'vitest';
import type { RolloutPolicy, Suspension } from '../../src/api/index.ts';
import { clusterRole, configMap, configMaps, deployment, deployments, rollout } from '../kit/objects.ts';
import type { RolloutWords } from '../kit/objects.ts';
import { scenario } from '../kit/scenario.ts';
import { all, fresh, newer, nginx, old, on, paused, running, three } from '../kit/suspension.ts';

const kinds = { namespace: 'RolloutPolicy', cluster: 'ClusterRolloutPolicy' } as const;

describe.each(['namespace', 'cluster'] as const)('the alternative for single resources, of a %s', (scope) => {
  const rolloutWith = (name: string, suspension: Suspension | undefined, words: RolloutWords = {}): RolloutPolicy =>
    rollout(name, suspension, { scope, ...words });
  const apache = deployment('apache');

  scenario(
    'suspends one resource and leaves the others of the policy alone',
    async (cast) => {
      await running(cast);
      const { admin, user, expect } = cast;
      await user.creates(apache);
      await admin.creates(rolloutWith('nginx-deploy-rollout-policy', all));
      await user.updates(newer, deployment('apache', { image: 'apache:2' }));
      await expect(nginx).runsImage({ member1: old, member2: old, member3: old });
      await expect(nginx).isSuspendedOn(...three);
      await expect(apache).runsImage({ member1: 'apache:2', member2: 'apache:2', member3: 'apache:2' });
    },
    paused,
  );

  scenario(
    'deleting its suspension resumes, and so does deleting it',
    async (cast) => {
      await running(cast);
      const { admin, user, expect } = cast;
      await admin.creates(rolloutWith('hold', all));
      await user.updates(newer);
      await admin.updates(rolloutWith('hold', undefined));
      await expect(nginx).runsImage({ member1: fresh, member2: fresh, member3: fresh });
      await admin.updates(rolloutWith('hold', all));
      await user.updates(nginx);
      await expect(nginx).isSuspendedOn(...three);
      await admin.deletes(rolloutWith('hold', all));
      await expect(nginx).runsImage({ member1: old, member2: old, member3: old });
    },
    paused,
  );

  scenario(
    'the canary walk of the alternative',
    async (cast) => {
      await running(cast);
      const { admin, user, expect } = cast;
      await admin.creates(rolloutWith('nginx-deploy-synchronization', on('member2', 'member3')));
      await user.updates(newer);
      await expect(nginx).runsImage({ member1: fresh, member2: old, member3: old });
      await admin.updates(rolloutWith('nginx-deploy-synchronization', on('member3')));
      await expect(nginx).runsImage({ member1: fresh, member2: fresh, member3: old });
    },
    paused,
  );

  scenario(
    `the stricter of policy and ${kinds[scope]} wins`,
    async (cast) => {
      await running(cast);
      const { admin, user, policy, expect } = cast;
      await admin.updates(policy('pp', { to: three, suspend: on('member1') }));
      await admin.creates(rolloutWith('hold', on('member2')));
      await user.updates(newer);
      await expect(nginx).runsImage({ member1: old, member2: old, member3: fresh });
      await admin.updates(policy('pp', { to: three }));
      await expect(nginx).isSuspendedOn('member2');
      await admin.deletes(rolloutWith('hold', undefined));
      await expect(nginx).runsImage({ member1: fresh, member2: fresh, member3: fresh });
    },
    paused,
  );

  scenario(
    'it suspends under a lazy policy as well',
    async ({ admin, user, policy, expect, unchanged }) => {
      await admin.creates(policy('pp', { to: three, lazy: true }));
      await user.creates(nginx);
      await admin.creates(rolloutWith('hold', all));
      await unchanged(() => user.updates(newer));
      await admin.deletes(rolloutWith('hold', all));
      await expect(nginx).runsImage({ member1: fresh, member2: fresh, member3: fresh });
    },
    paused,
  );

  scenario(
    'a suspension with an end resumes by itself',
    async (cast) => {
      await running(cast);
      const { admin, user, expect, unchanged } = cast;
      await admin.creates(rolloutWith('hold', all, { until: '2026-01-01T01:00:00Z', reason: 'freeze', owner: 'ops' }));
      await unchanged(() => user.updates(newer));
      await unchanged(() => admin.waits(1800));
      await admin.waits(1800);
      await expect(nginx).runsImage({ member1: fresh, member2: fresh, member3: fresh });
    },
    paused,
  );

  scenario('both spellings at once are refused there too', async ({ admin }) => {
    check(await admin.failsToCreate(rolloutWith('bad', { ...all, ...on('member1') }))).toContainEqual(
      check.stringContaining('spec.suspension'),
    );
  });

  scenario(
    'it suspends at once where policies are static, and resumes at once',
    async (cast) => {
      await running(cast);
      const { admin, user, expect, unchanged } = cast;
      await admin.creates(rolloutWith('hold', all));
      await expect(nginx).isSuspendedOn(...three);
      await unchanged(() => user.updates(newer));
      await admin.deletes(rolloutWith('hold', all));
      await expect(nginx).runsImage({ member1: fresh, member2: fresh, member3: fresh });
    },
    { ...paused, gates: { StaticPolicy: true } },
  );

  scenario(
    'copies that a placement removes stay while they are suspended, and leave when the suspension ends',
    async (cast) => {
      await running(cast);
      const { admin, policy, expect } = cast;
      await admin.creates(rolloutWith('hold', all));
      await admin.updates(policy('pp', { to: 'member1' }));
      await expect(nginx).runsOn(...three);
      await admin.deletes(rolloutWith('hold', all));
      await expect(nginx).runsOn('member1');
    },
    paused,
  );

  scenario(
    'a dependency is suspended while every workload that needs it there is',
    async ({ admin, user, policy, expect }) => {
      const settings = configMap('settings');
      const needy = (name: string) => deployment(name, { configMaps: ['settings'] });
      await admin.creates(policy('pp', { to: 'member1', propagateDeps: true }));
      await user.creates(settings, needy('nginx'), needy('other'));
      await admin.creates(rolloutWith('one', all));
      await expect(settings).isSuspendedOn();
      await admin.creates(rolloutWith('two', all, { resourceSelectors: [deployments({ name: 'other' })] }));
      await expect(settings).isSuspendedOn('member1');
      await user.updates(configMap('settings', { value: 'two' }));
      await expect(settings).says('data.value', { member1: 'one' });
      await admin.deletes(rolloutWith('two', all));
      await expect(settings).says('data.value', { member1: 'two' });
    },
    paused,
  );
});

describe('ClusterRolloutPolicy: templates that no RolloutPolicy can suspend', () => {
  const wide = (name: string, suspension: Suspension | undefined, words: RolloutWords = {}): RolloutPolicy =>
    rollout(name, suspension, { scope: 'cluster', ...words });
  const within = (namespace: string, image = old) => deployment('nginx', { namespace, image });
  const cluster = { ...paused, scopes: ['cluster'] } as const;

  scenario(
    'it suspends in all namespaces, or where its pattern says',
    async ({ admin, user, policy, expect }) => {
      await admin.creates(policy('pp', { to: 'member1' }));
      await user.creates(within('user1-a'), within('user1-b'), within('user2'));
      await admin.creates(wide('hold', all));
      await user.updates(within('user1-a', fresh), within('user1-b', fresh), within('user2', fresh));
      for (const namespace of ['user1-a', 'user1-b', 'user2'])
        await expect(within(namespace)).runsImage({ member1: old });
      await admin.updates(wide('hold', all, { resourceSelectors: [deployments({ namespace: 'user1-*' })] }));
      await expect(within('user1-a')).runsImage({ member1: old });
      await expect(within('user2')).runsImage({ member1: fresh });
      await admin.updates(wide('hold', all, { resourceSelectors: [deployments({ namespace: 'user1-b,user2' })] }));
      await expect(within('user1-a')).runsImage({ member1: fresh });
      await expect(within('user1-b')).runsImage({ member1: old });
      await admin.deletes(wide('hold', all));
      await expect(within('user1-b')).runsImage({ member1: fresh });
    },
    cluster,
  );

  scenario(
    'it suspends cluster-scoped templates',
    async ({ admin, user, policy, expect, unchanged }) => {
      const [reader, writer] = [clusterRole('reader'), clusterRole('writer')];
      const roles = { apiVersion: reader.apiVersion, kind: reader.kind };
      await admin.creates(policy('pp', { to: ['member1', 'member2'], select: [roles] }));
      await user.creates(reader, writer);
      await admin.creates(wide('hold', on('member2'), { resourceSelectors: [{ ...roles, name: 'reader' }] }));
      await expect(reader).isSuspendedOn('member2');
      await expect(writer).isSuspendedOn();
      await user.touches(reader);
      await expect(reader).says('metadata.labels.refresh-time', { member1: '1', member2: undefined });
      // A namespace pattern never means what has none.
      await admin.updates(wide('hold', on('member2'), { resourceSelectors: [{ ...roles, namespace: 'default' }] }));
      await expect(reader).says('metadata.labels.refresh-time', { member1: '1', member2: '1' });
      await admin.updates(wide('hold', all, { resourceSelectors: [roles] }));
      await unchanged(() => user.touches(writer));
      await admin.deletes(wide('hold', all));
      await expect(writer).says('metadata.labels.refresh-time', { member1: '2', member2: '2' });
    },
    cluster,
  );

  scenario(
    'the stricter of both kinds wins, and each lets go by itself',
    async (cast) => {
      await running(cast);
      const { admin, user, expect } = cast;
      await admin.creates(wide('hold', on('member1')), rollout('hold', on('member2')));
      await user.updates(newer);
      await expect(nginx).runsImage({ member1: old, member2: old, member3: fresh });
      await admin.deletes(wide('hold', undefined));
      await expect(nginx).runsImage({ member1: fresh, member2: old, member3: fresh });
      await admin.deletes(rollout('hold', undefined));
      await expect(nginx).runsImage({ member1: fresh, member2: fresh, member3: fresh });
    },
    paused,
  );

  scenario(
    'it suspends every template that gets a label',
    async ({ admin, user, policy, expect, unchanged }) => {
      const menu = (value: string, labels = {}) => configMap('menu', { namespace: 'shop', value, labels });
      const frozen = { freeze: 'yes' };
      await admin.creates(policy('pp', { to: 'member1', select: [configMaps()] }));
      await user.creates(menu('one'));
      await admin.creates(
        wide('hold', all, { resourceSelectors: [configMaps({ labelSelector: { matchLabels: frozen } })] }),
      );
      await user.updates(menu('two'));
      await expect(menu('two')).says('data.value', { member1: 'two' });
      await unchanged(() => user.updates(menu('three', frozen)));
      await user.updates(menu('four'));
      await expect(menu('four')).says('data.value', { member1: 'four' });
    },
    cluster,
  );

  scenario(
    'it suspends a namespace that every member gets, and allows its deletion',
    async ({ admin, user, expect, unchanged }) => {
      const namespace = (name: string) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
      const [early, late] = [namespace('early'), namespace('late')];
      const paused = (suspension: Suspension) =>
        wide('hold', suspension, {
          resourceSelectors: [early, late].map(({ metadata, ...kind }) => ({ ...kind, ...metadata })),
        });
      await user.creates(early);
      await admin.creates(paused(on('member2')));
      await expect(early).isSuspendedOn('member2');
      await user.touches(early);
      await expect(early).says('metadata.labels.refresh-time', { member1: '1', member2: undefined });
      await user.creates(late);
      await expect(late).runsOn('member1', 'member3', 'member4');
      await admin.updates(paused(all));
      await unchanged(() => user.touches(early));
      await admin.deletes(paused(all));
      await expect(early).says('metadata.labels.refresh-time', { member1: '2', member2: '2' });
      await expect(late).runsOn('member1', 'member2', 'member3', 'member4');
      await admin.creates(paused(all));
      await user.deletes(late);
      await expect(late).runsNowhere();
    },
    cluster,
  );
});
