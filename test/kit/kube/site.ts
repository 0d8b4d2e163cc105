/**
 * A whole fleet of real clusters: a hub with Sluice installed, its roles as programs with no more than the installed permissions,
 * and real members. Start with `openSite`.
 */
import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { KubeObject } from '../../../src/api/index.ts';
import { install, manifests, remoteHub, userOf, usualWords } from '../../../src/app/index.ts';
import type { ApiClient } from '../../../src/client/index.ts';
import { wallClock } from '../../../src/observe/index.ts';
import { until } from '../until.ts';
import { hubControllers, memberControllers, startCluster, startEtcd } from './cluster.ts';
import type { Etcd, KubeCluster } from './cluster.ts';
import { freePort, startProgram } from './process.ts';
import type { Program } from './process.ts';

const sluice = join(import.meta.dirname, '../../../bin/sluice.js');
const namespace = 'sluice-system';
const startMilliseconds = 60_000;

/** How a site is set up. */
export interface SiteWords {
  readonly members?: readonly string[];
  /** Members have an etcd of their own, which goes on while that of the hub is away. */
  readonly ownEtcd?: boolean;
  /** Users whose writes to the hub are recorded. */
  readonly audited?: readonly string[];
}

/** A role that runs. */
export interface Role extends Program {
  readonly port: number;
  /** The answer to a read of `/readyz`, `/metrics` and so on. */
  get(path: string): Promise<string>;
}

/** A hub and members that answer, with Sluice installed and nothing of it running yet. */
export class Site {
  readonly etcd: Etcd;
  /** The etcd of the members. */
  readonly other: Etcd;
  readonly hub: KubeCluster;
  readonly members: ReadonlyMap<string, KubeCluster>;
  /** The administrator's client of the hub. */
  user: ApiClient;
  readonly webhookPort: number;
  readonly #roles: Program[] = [];
  readonly #granted = new Set<string>();

  constructor(parts: Pick<Site, 'etcd' | 'other' | 'hub' | 'members' | 'user' | 'webhookPort'>) {
    this.etcd = parts.etcd;
    this.other = parts.other;
    this.hub = parts.hub;
    this.members = parts.members;
    this.user = parts.user;
    this.webhookPort = parts.webhookPort;
  }

  /** Starts `sluice webhook` on the address that the hub calls. */
  async startWebhook(...flags: readonly string[]): Promise<Role> {
    const kubeconfig = await this.hub.kubeconfigFor({ name: userOf('webhook', namespace) });
    return this.#start('webhook', kubeconfig, [`--listen=127.0.0.1:${this.webhookPort}`, ...flags]);
  }

  /** Starts `sluice controllers`. */
  async startControllers(...flags: readonly string[]): Promise<Role> {
    return this.startControllersAs({ name: userOf('controllers', namespace) }, ...flags);
  }

  /** Starts `sluice controllers` as another user, who gets the permissions of the installation. */
  async startControllersAs(user: { readonly name: string }, ...flags: readonly string[]): Promise<Role> {
    if (user.name !== userOf('controllers', namespace) && !this.#granted.has(user.name)) await this.#grant(user.name);
    const kubeconfig = await this.hub.kubeconfigFor(user);
    return this.#start('controllers', kubeconfig, ['--listen=127.0.0.1:0', ...flags]);
  }

  /** Binds the roles of the controllers to a user. */
  async #grant(name: string): Promise<void> {
    this.#granted.add(name);
    const account = userOf('controllers', namespace).split(':').at(-1);
    for (const kind of ['ClusterRoleBinding', 'RoleBinding']) {
      const { items } = await this.user.listAll<RoleBinding>({ apiVersion: rbacApi, kind });
      for (const { roleRef, subjects = [], metadata } of items) {
        if (!subjects.some((subject) => subject.name === account)) continue;
        const subject = { kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name };
        const { namespace: home } = metadata;
        const copy = { name: `${metadata.name}-${name}`, ...(home && { namespace: home }) };
        const bound = { apiVersion: rbacApi, kind, metadata: copy, roleRef, subjects: [subject] };
        await this.user.create(bound);
      }
    }
  }

  /** The writes to the hub of an audited user since this time. */
  async writesOf(user: string, since: number): Promise<readonly string[]> {
    const lines = (await readFile(join(this.hub.folder, 'audit.log'), 'utf8')).split('\n').filter(Boolean);
    return lines
      .map((line) => JSON.parse(line) as AuditEvent)
      .filter(
        ({ user: { username }, verb, stage, requestReceivedTimestamp }) =>
          username === user &&
          stage === 'ResponseComplete' &&
          !['get', 'list', 'watch'].includes(verb) &&
          Date.parse(requestReceivedTimestamp) >= since,
      )
      .map(({ verb, requestURI }) => `${verb} ${requestURI}`);
  }

  async #start(role: 'controllers' | 'webhook', kubeconfig: string, flags: readonly string[]): Promise<Role> {
    const args = [sluice, role, `--hub-kubeconfig=${kubeconfig}`, ...flags];
    const program = startProgram(process.execPath, args, join(this.hub.folder, `${role}.log`));
    this.#roles.push(program);
    const ended = program.exited.then((code) => {
      throw new Error(`sluice ${role} ended with code ${code}: ${program.tail()}`);
    });
    const ready = until(`sluice ${role} is ready`, async () => readyPort(program), startMilliseconds);
    const port = await Promise.race([ready, ended]).catch((error: unknown) => {
      throw new Error(`sluice ${role} is not ready: ${program.tail()}`, { cause: error });
    });
    ended.catch(() => undefined);
    const get = async (path: string): Promise<string> => (await fetch(`http://127.0.0.1:${port}${path}`)).text();
    return { ...program, port, get };
  }

  /** Runs `sluice` with these arguments against the hub as the administrator. */
  async sluice(
    ...args: readonly string[]
  ): Promise<{ readonly code: number; readonly out: string; readonly err: string }> {
    const child = spawn(process.execPath, [sluice, ...args, '--kubeconfig', this.hub.kubeconfig]);
    let [out, err] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => void (out += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => void (err += text));
    const code = await new Promise<number>((resolve) => child.once('close', (status) => resolve(status ?? -1)));
    return { code, out, err };
  }

  /** Makes every member a member by `sluice join`. */
  async joinAll(): Promise<void> {
    for (const [name, member] of this.members) {
      const { code, out, err } = await this.sluice('join', name, '--cluster-kubeconfig', member.kubeconfig);
      if (code !== 0) throw new Error(`join of ${name} failed: ${out}${err}`);
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#roles.map((role) => role.stop('SIGKILL')));
    await Promise.all([...this.members.values(), this.hub].map((cluster) => cluster.close()));
    await Promise.all([this.etcd.close(), this.other.close()]);
  }
}

const rbacApi = 'rbac.authorization.k8s.io/v1';

interface RoleBinding extends KubeObject {
  readonly roleRef: object;
  readonly subjects?: readonly { readonly name: string }[];
}

interface AuditEvent {
  readonly user: { readonly username: string };
  readonly verb: string;
  readonly stage: string;
  readonly requestURI: string;
  readonly requestReceivedTimestamp: string;
}

/** Records the requests of some users, without their bodies. */
function auditPolicy(users: readonly string[]): string {
  const rules = [{ level: 'Metadata', users }, { level: 'None' }];
  return JSON.stringify({ apiVersion: 'audit.k8s.io/v1', kind: 'Policy', rules });
}

function readyPort(program: Program): number | undefined {
  const port = /^sluice (?:controllers are|webhook is) ready: .* port (\d+)$/m.exec(program.tail())?.[1];
  return port === undefined ? undefined : Number(port);
}

/** Starts the clusters and installs Sluice on the hub. */
export async function openSite(words: SiteWords = {}): Promise<Site> {
  const { members = ['member1', 'member2'], audited = [], ownEtcd = false } = words;
  const etcd = await startEtcd();
  const other = ownEtcd ? await startEtcd() : etcd;
  const closing: KubeCluster[] = [];
  try {
    const files = audited.length > 0 ? { 'audit-policy.json': auditPolicy(audited) } : {};
    const hub = await startCluster({ name: 'hub', etcd, controllers: hubControllers, files });
    closing.push(hub);
    const started = new Map<string, KubeCluster>();
    for (const name of members) {
      const member = await startCluster({ name, etcd: other, controllers: memberControllers });
      started.set(name, member);
      closing.push(member);
    }
    const webhookPort = await freePort();
    const remote = remoteHub(hub.connection(), { userAgent: 'test' });
    await remote.refresh();
    const words = { ...usualWords('test'), programs: false, webhookUrl: `https://127.0.0.1:${webhookPort}` };
    await install(remote, manifests(words), { dryRun: false, clock: wallClock, tell: () => undefined });
    await remote.client.close();
    return new Site({ etcd, other, hub, members: started, user: await hub.client(), webhookPort });
  } catch (error) {
    await Promise.all(closing.map((cluster) => cluster.close()));
    await Promise.all([etcd.close(), other.close()]);
    throw error;
  }
}
