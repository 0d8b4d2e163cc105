import { afterAll, beforeAll, expect, test } from 'vitest';
import { refOf } from '../../src/api/index.ts';
import type { KubeObject } from '../../src/api/index.ts';
import type { ApiClient } from '../../src/client/index.ts';
import { callerOf } from '../kit/caller.ts';
import { configMap, deployment } from '../kit/objects.ts';
import { until } from '../kit/until.ts';
import { openSystem } from './kit.ts';
import type { Printed, System } from './kit.ts';

const group = 'rbac.authorization.k8s.io';
const team = { kind: 'ServiceAccount', name: 'team', namespace: 'default' };

let system: System;
beforeAll(async () => {
  system = await openSystem({ members: ['member1', 'member2'], pods: true, proxy: true });
  await system.member('member1').create(configMap('mine'));
  await system.member('member1').create(deployment('web', { replicas: 1 }));
  await grant(system.user, [
    { apiGroups: ['cluster.karmada.io'], resources: ['clusters'], verbs: ['get', 'list'] },
    {
      apiGroups: ['cluster.karmada.io'],
      resources: ['clusters/proxy'],
      resourceNames: ['member1'],
      verbs: ['get', 'create'],
    },
  ]);
  await grant(system.member('member1'), [
    { apiGroups: [''], resources: ['configmaps', 'pods', 'pods/log', 'pods/exec'], verbs: ['*'] },
  ]);
  await system.account(team.name);
}, 60_000);
afterAll(() => system.close());

/** Gives the team these rights on a server. */
async function grant(server: ApiClient, rules: readonly object[]): Promise<void> {
  const [apiVersion, metadata] = [`${group}/v1`, { name: 'team' }];
  await server.create({ apiVersion, kind: 'ClusterRole', metadata, rules } as KubeObject);
  const roleRef = { apiGroup: group, kind: 'ClusterRole', name: 'team' };
  await server.create({ apiVersion, kind: 'ClusterRoleBinding', metadata, roleRef, subjects: [team] } as KubeObject);
}

const asTeam = (...words: readonly string[]): Promise<Printed> => system.run([...words, '--kubeconfig', 'team.json']);

test('a team reads a member with its own rights, without the Secret of the member', async () => {
  const { code, out, err } = await asTeam('get', 'configmap', 'mine', '-C', 'member1');
  expect([code, err]).toEqual([0, '']);
  expect(out).toMatch(/mine +member1/);
});

test('a team without the right to a member is told which right it needs', async () => {
  const { code, err } = await asTeam('get', 'configmap', '-C', 'member2');
  expect(code).toBe(1);
  expect(err).toContain('you need permission to get clusters/proxy');
});

test('a team may not read in a member what the member does not allow it', async () => {
  const { out, err } = await asTeam('get', 'secret', '-C', 'member1');
  expect(out + err).toContain('system:serviceaccount:default:team');
});

test('logs and exec of a simulated pod say that nothing runs in it', async () => {
  const member = system.member('member1');
  const podsOf = async (): Promise<readonly KubeObject[]> =>
    (await member.listAll({ apiVersion: 'v1', kind: 'Pod' }, { namespace: 'default' })).items;
  await until('there is a pod', async () => (await podsOf()).length > 0);
  const [pod] = await podsOf();
  const { name } = refOf(pod ?? configMap('none'));
  const pods = '/apis/cluster.karmada.io/v1alpha1/clusters/member1/proxy/api/v1/namespaces/default/pods';
  const caller = callerOf(system.site, 'system:serviceaccount:default:team');
  expect(await caller.send(`${pods}/${name}/log`)).toMatchObject({
    status: 200,
    text: 'this pod is simulated: it runs no process and writes no log\n',
  });
  expect(await caller.send(`${pods}/none/log`)).toMatchObject({ status: 404 });
  const upgrade = { headers: { connection: 'Upgrade', upgrade: 'websocket' } };
  expect(await caller.upgrade(`${pods}/${name}/exec?command=sh`, upgrade)).toMatchObject({
    status: 400,
    text: expect.stringContaining('this pod is simulated and runs no process') as string,
  });
});
