/**
 * A hub is backed up while it works, changes afterwards, is lost, and is restored from the older backup with the members as
 * they are. Nothing that runs in a member is deleted; the kubeconfig of before is still valid.
 */
import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { defaultGates, refOf } from '../../src/api/index.ts';
import type { KubeObject } from '../../src/api/index.ts';
import { up } from '../../src/app/index.ts';
import type { Running } from '../../src/app/index.ts';
import { connectTo } from '../../src/cli/connect.ts';
import type { ApiClient } from '../../src/client/index.ts';
import { contextOf, readKubeconfig } from '../../src/client/index.ts';
import { configMap, configMaps, deployment, deployments, policy } from '../kit/objects.ts';
import { untilQuiet } from '../kit/until.ts';

const bin = path.join(import.meta.dirname, '../../bin/sluice.js');
const members = ['member1', 'member2'];

let folder: string;
let running: Running | undefined;
const clients: ApiClient[] = [];
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'sluice-backup-'));
});
afterEach(async () => {
  await stop();
  await rm(folder, { recursive: true, force: true });
});

const at = (name: string): string => path.join(folder, name);
const kubeconfig = (): string => at('kubeconfig');

async function start(dataDir: string, port = 0, file = kubeconfig()): Promise<Running> {
  running = await up({
    dataDir: at(dataDir),
    listen: { host: '127.0.0.1', port },
    members,
    kubeconfig: file,
    gates: defaultGates,
    version: '0.0.0',
  });
  return running;
}

async function stop(): Promise<void> {
  for (const client of clients.splice(0)) await client.close();
  await running?.stop();
  running = undefined;
}

/** The program in a process of its own, with the kubeconfig of the first start. */
async function sluice(...args: readonly string[]): Promise<string> {
  const environment = { ...process.env, KUBECONFIG: kubeconfig() };
  const { stdout } = await promisify(execFile)(process.execPath, [bin, ...args], { cwd: folder, env: environment });
  return stdout;
}

/** The hub or a member, as the kubeconfig of the first start names it. */
async function connected(context: string, file = kubeconfig()): Promise<ApiClient> {
  const { connection } = contextOf(await readKubeconfig([file]), context);
  const { client } = await connectTo(connection, { timeout: '30s' });
  clients.push(client);
  return client;
}

async function settle({ plane, site }: Running): Promise<void> {
  await untilQuiet('the system comes to rest', 300, () => (plane.atRest ? site.store.revision : undefined));
}

const kinds = [
  { apiVersion: 'apps/v1', kind: 'Deployment' },
  { apiVersion: 'v1', kind: 'ConfigMap' },
];

/** `member1 Deployment/web` → uid, of everything that Sluice put into the members. */
async function uids(file = kubeconfig()): Promise<ReadonlyMap<string, string | undefined>> {
  const found = await Promise.all(members.map((member) => uidsIn(member, file)));
  return new Map(found.flat());
}

async function uidsIn(member: string, file: string): Promise<readonly (readonly [string, string | undefined])[]> {
  const client = await connected(member, file);
  const lists = await Promise.all(kinds.map((kind) => client.listAll(kind, { namespace: 'default' })));
  const managed = lists.flatMap(({ items }) => items).filter(({ metadata }) => metadata.labels?.['karmada.io/managed']);
  return managed.map(({ kind, metadata }) => [`${member} ${kind}/${metadata.name}`, metadata.uid]);
}

const selected = (name: string): KubeObject => deployment(name, { labels: { app: name } });
const policyOf = (name: string, ...to: readonly string[]): KubeObject =>
  policy(name, { to, select: [deployments({ labelSelector: { matchLabels: { app: name } } })] });

async function apply(hub: ApiClient, ...objects: readonly KubeObject[]): Promise<void> {
  for (const object of objects) {
    const live = await hub.find(refOf(object));
    if (live)
      await hub.update({ ...live, ...object, metadata: { ...live.metadata, labels: object.metadata.labels ?? {} } });
    else await hub.create(object);
  }
}

test('a restored hub deletes nothing in members until removals are resumed', { timeout: 300_000 }, async () => {
  const first = await start('first');
  const port = Number(new URL(first.url).port);
  const hub = await connected('sluice');
  await apply(hub, policyOf('web', ...members), policyOf('moves', 'member1'), policyOf('goes', 'member1'));
  await apply(hub, policyOf('returns', ...members), selected('returns'));
  await apply(hub, selected('web'), selected('moves'), selected('goes'));
  await apply(hub, policy('settings', { to: members, select: [configMaps()] }));
  await settle(first);

  // The backup has this deletion on its way: the template is gone and its Works are not.
  await first.plane.stop();
  await hub.delete(refOf(selected('returns')));
  const names = Array.from({ length: 40 }, (_, index) => `settings-${index}`);
  const writing = Promise.all(names.map((name) => hub.create(configMap(name))));
  const said = await sluice('backup', 'hub.backup', '--data-dir', 'first');
  expect(said).toMatch(/^Backed up \d+ objects at revision \d+ and \d+ key files to hub\.backup\.\n$/);
  await writing;
  await stop();

  const later = await start('first', port);
  const hubLater = await connected('sluice');
  await settle(later);
  expect([...(await uids()).keys()]).not.toContain('member1 Deployment/returns');
  await hubLater.delete(refOf(selected('goes')));
  await apply(
    hubLater,
    selected('returns'),
    policyOf('moves', 'member2'),
    policyOf('later', ...members),
    selected('later'),
  );
  await settle(later);
  const before = await uids();
  expect([...before.keys()]).toEqual(
    expect.arrayContaining(['member1 Deployment/later', 'member1 Deployment/returns', 'member2 Deployment/moves']),
  );
  await stop();

  await cp(at('first/members'), at('second/members'), { recursive: true });
  await sluice('restore', 'hub.backup', '--data-dir', 'second', '--yes');
  const second = await start('second', port, at('kubeconfig-of-second'));
  await settle(second);
  const kept = [...(await uids(at('kubeconfig-of-second')))].filter(([name]) => before.has(name));
  expect(new Map(kept)).toEqual(before);

  // The administrator's kubeconfig of before the restore is still valid.
  const again = await connected('sluice');
  expect(await again.find(refOf(selected('later')))).toBeUndefined();
  await again.delete(refOf(selected('web')));
  await settle(second);
  expect((await uids(at('kubeconfig-of-second'))).get('member1 Deployment/web')).toBe(
    before.get('member1 Deployment/web'),
  );
  const status = await sluice('status', '-o', 'wide');
  expect(status).toMatch(/Deployment\/default\/web +member1 +is to be removed, but removals are suspended/);
  expect(status).toMatch(
    /Removals are suspended since .*: the hub was restored from a backup of .*`sluice resume removals`/,
  );
  const foreseen = await sluice('resume', 'removals', '--dry-run');
  expect(foreseen).toContain('removals are resumed (dry run)');
  expect(foreseen).toMatch(/delete/);

  expect(await sluice('resume', 'removals', '--yes')).toBe('removals are resumed\n');
  await settle(second);
  const after = await uids(at('kubeconfig-of-second'));
  const gone = [...before.keys()].filter((name) => !after.has(name));
  const removed = ['returns', 'web'].flatMap((name) => members.map((member) => `${member} Deployment/${name}`));
  expect(gone.sort()).toEqual(removed.sort());
});
