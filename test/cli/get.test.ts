/** `sluice get` takes what kubectl takes: several kinds and names, an order, labels, columns of the user. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeKubeconfig } from '../../src/auth/index.ts';
import { configMap, configMaps, deployment, deployments, policy } from '../kit/objects.ts';
import { openSystem } from './kit.ts';
import type { System } from './kit.ts';

let system: System;
beforeAll(async () => {
  system = await openSystem({ members: ['member1', 'member2'] });
  await system.apply(
    policy('all', { to: ['member1', 'member2'], select: [configMaps(), deployments()] }),
    configMap('a', { labels: { tier: 'front' } }),
    configMap('b'),
    deployment('web', { replicas: 3 }),
    deployment('api', { replicas: 1 }),
  );
}, 60_000);
afterAll(() => system.close());

/** Rows with single bars between columns, and no ages. */
async function rows(...args: readonly string[]): Promise<readonly string[]> {
  const { code, out, err } = await system.run(['get', ...args]);
  expect([code, err]).toEqual([0, '']);
  return out.split('\n').map((line) => line.replaceAll(/ {3,}/g, '|').replaceAll(/\|\d+[smhd](?=\||$)/g, '|AGE'));
}

test('several kinds are shown as one table each, with their kinds in front of the names', async () => {
  const found = await rows('cm,deploy', '-C', 'member1', '-l', 'tier!=x', '-o', 'name');
  expect(found).toContain('member1/configmaps/a');
  expect(found).toContain('member1/deployments.apps/web');
  const tables = await rows('deploy,cm', '-C', 'member1');
  expect(tables).toContain('configmap/a|member1|1|AGE|Y');
  expect(tables.some((line) => line.startsWith('deployment.apps/web|member1|'))).toBe(true);
  expect(tables.filter((line) => line === '')).toHaveLength(2);
});

test('several names are shown, and one that no member has is an error after the others', async () => {
  expect(await rows('cm', 'a', 'b', '-C', 'member2', '-o', 'name')).toEqual([
    'member2/configmaps/a',
    'member2/configmaps/b',
    '',
  ]);
  expect(await rows('cm/a', 'deploy/web', '-C', 'member2', '-o', 'name')).toEqual([
    'member2/configmaps/a',
    'member2/deployments.apps/web',
    '',
  ]);
  expect(await system.run(['get', 'cm', 'a', 'zzz', '-C', 'member1', '-o', 'name'])).toEqual({
    code: 1,
    out: 'member1/configmaps/a\n',
    err: 'sluice: there is no ConfigMap zzz in these members: -A looks in all namespaces\n',
  });
  expect(await system.run(['get', 'cm,deploy', '-w'])).toMatchObject({ code: 2 });
});

test('rows are ordered by a path, numbers by value', async () => {
  const by = (path: string) => rows('deploy', '-C', 'member1', '--sort-by', path, '-o', 'name');
  expect(await by('.spec.replicas')).toEqual(['member1/deployments.apps/api', 'member1/deployments.apps/web', '']);
  const table = await rows('deploy', '-C', 'member1', '--sort-by', '{.metadata.name}');
  expect(table.slice(1, 3).map((line) => line.split('|')[0])).toEqual(['api', 'web']);
  expect(await system.run(['get', 'deploy', '--sort-by', '{.a'])).toMatchObject({ code: 2 });
});

test('labels are the last column', async () => {
  const [heads, first] = await rows('cm', 'a', '-C', 'member1', '--show-labels');
  expect(heads).toBe('NAME|CLUSTER|DATA|AGE|ADOPTION|LABELS');
  expect(first).toMatch(/\|Y\|.*\btier=front\b/);
});

test('columns of the user end with the cluster', async () => {
  const columns = 'custom-columns=NAME:.metadata.name,WANTED:.spec.replicas,NOTE:.metadata.annotations.none';
  expect(await rows('deploy', 'web', '-o', columns)).toEqual([
    'NAME|WANTED|NOTE|CLUSTER',
    'web|3|<none>|member1',
    'web|3|<none>|member2',
    '',
  ]);
  expect(await system.run(['get', 'deploy', '-o', 'custom-columns=NAME'])).toMatchObject({ code: 2 });
});

test('callers who may not read the Secrets of members are told which right is missing', async () => {
  const { certificate, key } = system.site.authority.clientCertificate({ commonName: 'team', organizations: [] });
  const role = { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata: { name: 'team' } };
  const rules = [{ apiGroups: ['cluster.karmada.io'], resources: ['clusters'], verbs: ['get', 'list'] }];
  await system.user.create({ ...role, rules } as never);
  await system.user.create({
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: { name: 'team' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'team' },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'team' }],
  } as never);
  const context = { ...system.site.context('sluice'), user: { certificate, key } };
  await writeKubeconfig(`${system.folder}/team.yaml`, [context]);
  const { code, out, err } = await system.run(['get', 'cm', '--kubeconfig', 'team.yaml']);
  expect([code, out]).toEqual([1, '']);
  expect(err).toContain(
    'warning: member1 cannot be read: you need permission to get the Secret of the member on the hub, or a context member1 in your kubeconfig\n',
  );
});
