/** `sluice install` on a bare kube-apiserver: what it makes, what it may, and how it goes. */
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { refOf } from '../../src/api/index.ts';
import type { KubeObject } from '../../src/api/index.ts';
import { manifests, userOf, usualWords } from '../../src/app/index.ts';
import type { ApiClient } from '../../src/client/index.ts';
import { documentsIn } from '../../src/base/index.ts';
import { helmProgram } from '../kit/kube/binaries.ts';
import { hubControllers, startCluster, startEtcd } from '../kit/kube/cluster.ts';
import type { Etcd, KubeCluster } from '../kit/kube/cluster.ts';

let etcd: Etcd;
let hub: KubeCluster;
let user: ApiClient;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-install-'));
  etcd = await startEtcd();
  hub = await startCluster({ name: 'hub', etcd, controllers: hubControllers });
});
afterAll(async () => {
  await hub?.close();
  await etcd?.close();
  await rm(folder, { recursive: true, force: true });
});

interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

async function run(program: string, args: readonly string[]): Promise<Ran> {
  const child = spawn(program, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  let [out, err] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => void (out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => void (err += text));
  const code = await new Promise<number>((resolve) => child.once('close', (status) => resolve(status ?? -1)));
  return { code, out, err };
}

const sluice = (...args: readonly string[]): Promise<Ran> =>
  run(process.execPath, [join(import.meta.dirname, '../../bin/sluice.js'), ...args]);
const onHub = (command: string, ...args: readonly string[]): Promise<Ran> =>
  sluice(command, '--hub-kubeconfig', hub.kubeconfig, ...args);

test('a dry run says what would be made, and makes nothing', async () => {
  const { code, out } = await onHub('install', '--dry-run');
  expect([code, out]).toEqual([
    0,
    expect.stringContaining('deployment/sluice-controllers -n sluice-system created (dry run)'),
  ]);
  expect(
    await (await hub.client()).find({ apiVersion: 'v1', kind: 'Namespace', name: 'sluice-system' }),
  ).toBeUndefined();
});

test('an installation is accepted strictly, and a second one changes nothing', async () => {
  const first = await onHub('install');
  expect(first).toMatchObject({ code: 0, err: '' });
  expect(first.out).toContain('customresourcedefinition/works.work.karmada.io created');
  const second = await onHub('install');
  expect(second).toMatchObject({
    code: 0,
    err: '',
    out: expect.stringMatching(/^\d+ objects: \d+ unchanged\n$/) as string,
  });
  user = await hub.client();
});

test('an upgrade with other words changes only what differs', async () => {
  const { code, out } = await onHub('install', '--replicas', '3');
  const changed = out.split('\n').filter((line) => line.includes(' configured'));
  expect([code, changed.length]).toEqual([0, 3]);
  expect(changed.slice(0, 2).sort()).toEqual([
    'deployment/sluice-controllers -n sluice-system configured',
    'deployment/sluice-webhook -n sluice-system configured',
  ]);
});

async function may(name: string, verb: string, resource: string): Promise<boolean> {
  const [plural = '', subresource = ''] = (resource.split('.')[0] ?? '').split('/');
  const group = resource.split('.').slice(1).join('.');
  const resourceAttributes = {
    verb,
    group,
    resource: plural,
    ...(subresource && { subresource }),
    namespace: 'default',
  };
  const spec = { user: name, groups: ['system:authenticated'], resourceAttributes };
  const review = { apiVersion: 'authorization.k8s.io/v1', kind: 'SubjectAccessReview', metadata: {}, spec };
  const { status } = (await user.create(review as unknown as KubeObject)) as KubeObject & {
    status: { allowed: boolean };
  };
  return status.allowed;
}

const writes = ['create', 'update', 'delete', 'deletecollection'];

test.each<readonly [verb: string, resource: string]>([
  ['create', 'pods'],
  ['create', 'pods/exec'],
  ['get', 'pods/exec'],
  ['get', 'pods/log'],
  ['get', 'nodes/proxy'],
  ['create', 'serviceaccounts/token'],
  ['impersonate', 'users'],
  ['impersonate', 'groups'],
  ['escalate', 'clusterroles.rbac.authorization.k8s.io'],
  ['bind', 'clusterroles.rbac.authorization.k8s.io'],
  ['patch', 'clusterrolebindings.rbac.authorization.k8s.io'],
  ['patch', 'nodes'],
  ['patch', 'apiservices.apiregistration.k8s.io'],
  ['patch', 'mutatingwebhookconfigurations.admissionregistration.k8s.io'],
  ['approve', 'signers.certificates.k8s.io'],
  ['delete', 'clusterrolebindings.rbac.authorization.k8s.io'],
  ['delete', 'customresourcedefinitions.apiextensions.k8s.io'],
  ['delete', 'clusters.cluster.karmada.io'],
  ['delete', 'propagationpolicies.policy.karmada.io'],
  ...['secrets', 'configmaps', 'deployments.apps', 'persistentvolumeclaims'].flatMap((what) =>
    writes.map((verb) => [verb, what] as const),
  ),
])('controllers must not %s %s', async (verb, resource) => {
  expect(await may(userOf('controllers', 'sluice-system'), verb, resource)).toBe(false);
});

test.each([
  ['list', 'secrets'],
  ['get', 'secrets'],
  ['patch', 'deployments.apps'],
  ['update', 'clusters.cluster.karmada.io'],
  ['create', 'works.work.karmada.io'],
  ['impersonate', 'users'],
])('the webhook must not %s %s', async (verb, resource) => {
  expect(await may(userOf('webhook', 'sluice-system'), verb, resource)).toBe(false);
});

test('the chart renders the objects of the installation', async () => {
  const helm = await helmProgram();
  const chart = join(import.meta.dirname, '../../deploy/chart');
  const render = async (...values: readonly string[]): Promise<readonly KubeObject[]> => {
    const args = ['template', 'sluice', chart, '--namespace', 'sluice-system', '--include-crds'];
    const { code, out, err } = await run(helm, [...args, '--kube-version', '1.34.0', ...values]);
    expect([code, err]).toEqual([0, '']);
    return documentsIn(out).filter(Boolean) as KubeObject[];
  };
  const byName = (objects: readonly KubeObject[]): Readonly<Record<string, KubeObject>> =>
    Object.fromEntries(
      objects
        .map((object) => [`${object.kind} ${object.metadata.namespace ?? ''} ${object.metadata.name}`, object] as const)
        .filter(([name]) => name !== 'Namespace  sluice-system'),
    );
  const version = JSON.parse((await sluice('version', '-o', 'json')).out) as { readonly version: string };
  const usual = usualWords(version.version);
  const asJson = (objects: readonly KubeObject[]): readonly KubeObject[] =>
    JSON.parse(JSON.stringify(objects)) as KubeObject[];
  expect(byName(await render())).toEqual(byName(asJson(manifests(usual))));
  const bare = ['--set', 'programs=false,privilegedTemplates=true,webhook.url=https://10.0.0.7:9443'];
  const words = { ...usual, programs: false, privilegedTemplates: true, webhookUrl: 'https://10.0.0.7:9443' };
  expect(byName(await render(...bare))).toEqual(byName(asJson(manifests(words))));
  const watched = await render('--set', 'monitoring=true');
  expect(byName(watched)).toEqual(byName(asJson(manifests({ ...usual, monitoring: true }))));
  const wrong = await run(helm, [
    'template',
    'sluice',
    chart,
    '--kube-version',
    '1.34.0',
    '--set',
    'controllers.replicas=none',
  ]);
  expect([wrong.code, wrong.err]).toEqual([1, expect.stringContaining('replicas')]);
});

test('an installation with managed templates is not removed unless told, and then only what was installed goes', async () => {
  const without = await onHub('install', '--no-programs', '--webhook-url', 'https://127.0.0.1:1');
  expect(without.code).toBe(0);
  // Nobody answers at that address: without the webhooks the binding can be made.
  for (const kind of ['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration'])
    await user.delete({ apiVersion: 'admissionregistration.k8s.io/v1', kind, name: 'sluice' });
  user = await hub.client();
  const binding = {
    apiVersion: 'work.karmada.io/v1alpha2',
    kind: 'ResourceBinding',
    metadata: { name: 'web-deployment', namespace: 'default', finalizers: ['karmada.io/binding-controller'] },
    spec: { resource: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'default', name: 'web' } },
  } as KubeObject;
  await user.create(binding);
  const refused = await onHub('uninstall', '--yes');
  expect([refused.code, refused.err]).toEqual([
    1,
    expect.stringContaining('1 templates are managed by policies (default/web-deployment)'),
  ]);
  expect(await onHub('uninstall', '--yes', '--orphan')).toMatchObject({ code: 0, err: '' });
  expect(await user.find(refOf(binding))).toBeDefined();
  expect(
    await user.find({ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', name: 'sluice-controllers' }),
  ).toBeUndefined();
  expect(await onHub('uninstall', '--yes', '--orphan', '--delete-definitions')).toMatchObject({ code: 0, err: '' });
  expect(await onHub('uninstall', '--yes')).toMatchObject({ code: 0, out: '0 objects: nothing to do\n' });
});
