/**
 * Real clusters on loopback: etcd, kube-apiserver and, where a cluster should do something, kube-controller-manager.
 * There is no kubelet: Pods stay Pending. Start with `startEtcd`, then `startCluster`.
 */
import { createPublicKey } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { get } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openAuthority, writeKubeconfig } from '../../../src/auth/index.ts';
import type { Authority } from '../../../src/auth/index.ts';
import { ApiClient, discover, HttpsTransport } from '../../../src/client/index.ts';
import type { Connection, Discovered } from '../../../src/client/index.ts';
import { until } from '../until.ts';
import { kubeBinaries } from './binaries.ts';
import { freePort, startProgram } from './process.ts';
import type { Program } from './process.ts';

/** An etcd server; several clusters can share it. */
export interface Etcd {
  readonly url: string;
  readonly program: () => Program;
  /** Starts it again on the same data after it was stopped. */
  start(): Promise<void>;
  stop(signal?: NodeJS.Signals): Promise<void>;
  /** Forgets all revisions but the newest, so that no watch of before can go on. */
  compact(): Promise<void>;
  /** Stops it and removes its data. */
  close(): Promise<void>;
}

const startMilliseconds = 120_000;

/** Starts an etcd server on free ports, in a temporary folder. */
export async function startEtcd(): Promise<Etcd> {
  const { etcd } = await kubeBinaries();
  const folder = await mkdtemp(join(tmpdir(), 'sluice-etcd-'));
  const [url, peer] = [`http://127.0.0.1:${await freePort()}`, `http://127.0.0.1:${await freePort()}`];
  const args = [
    `--data-dir=${join(folder, 'data')}`,
    `--listen-client-urls=${url}`,
    `--advertise-client-urls=${url}`,
    `--listen-peer-urls=${peer}`,
    `--initial-advertise-peer-urls=${peer}`,
    `--initial-cluster=default=${peer}`,
    '--log-level=warn',
  ];
  let program: Program | undefined;
  const running: Etcd = {
    url,
    program: () => program as Program,
    async start() {
      const started = startProgram(etcd, args, join(folder, 'etcd.log'));
      program = started;
      await untilUp(started, 'etcd', async () => (await fetch(`${url}/health`)).ok);
    },
    stop: async (signal) => program?.stop(signal),
    async compact() {
      const ask = async (path: string, body: object): Promise<{ header: { revision: string } }> =>
        (await (await fetch(`${url}/v3/kv/${path}`, { method: 'POST', body: JSON.stringify(body) })).json()) as {
          header: { revision: string };
        };
      const { header } = await ask('range', { key: Buffer.from('/').toString('base64') });
      await ask('compaction', { revision: header.revision, physical: true });
    },
    async close() {
      await program?.stop('SIGKILL');
      await rm(folder, { recursive: true, force: true });
    },
  };
  await running.start();
  return running;
}

async function untilUp(program: Program, name: string, isUp: () => Promise<boolean>): Promise<void> {
  const ended = program.exited.then((code) => {
    throw new Error(`${name} ended with code ${code}: ${program.tail()}`);
  });
  try {
    await Promise.race([ended, until(`${name} is up`, isUp, startMilliseconds)]);
  } catch (error) {
    throw new Error(`${name} is not up: ${program.tail()}`, { cause: error });
  }
}

/** How a cluster is set up. */
export interface ClusterWords {
  readonly name: string;
  readonly etcd: Etcd;
  /** The controllers of kube-controller-manager; none of it when absent. */
  readonly controllers?: readonly string[];
  /** Files of the cluster's folder that are written before it starts; `audit-policy.json` switches on the audit log. */
  readonly files?: Readonly<Record<string, string>>;
}

/** The controllers that a bare hub needs. */
export const hubControllers = ['namespace', 'garbagecollector', 'serviceaccount-token', 'serviceaccount'];

/** The controllers of a member whose workloads get their objects. */
export const memberControllers = [...hubControllers, 'deployment', 'replicaset', 'statefulset', 'daemonset', 'job'];

/** A cluster that answers. */
export class KubeCluster {
  readonly name: string;
  readonly url: string;
  readonly folder: string;
  readonly authority: Authority;
  /** The kubeconfig of the administrator. */
  readonly kubeconfig: string;
  readonly #etcd: Etcd;
  readonly #words: ClusterWords;
  readonly #port: number;
  #server: Program | undefined;
  #manager: Program | undefined;
  readonly #clients: ApiClient[] = [];

  constructor(
    words: ClusterWords,
    made: { readonly folder: string; readonly port: number; readonly authority: Authority },
  ) {
    this.#words = words;
    this.#etcd = words.etcd;
    this.name = words.name;
    this.folder = made.folder;
    this.#port = made.port;
    this.authority = made.authority;
    this.url = `https://127.0.0.1:${made.port}`;
    this.kubeconfig = join(made.folder, 'kubeconfig');
  }

  get server(): Program {
    if (!this.#server) throw new Error(`the API server of ${this.name} does not run`);
    return this.#server;
  }

  /** The connection of a user, by a certificate of the cluster's authority. */
  connection(user?: { readonly name: string; readonly groups?: readonly string[] }): Connection {
    const { authority } = this;
    const certificate = user
      ? authority.clientCertificate({ commonName: user.name, organizations: [...(user.groups ?? [])] })
      : authority.admin;
    return { server: this.url, caBundle: authority.certificate, certificate };
  }

  /** A client of a user, the administrator when absent; it is closed with the cluster. */
  async client(user?: { readonly name: string; readonly groups?: readonly string[] }): Promise<ApiClient> {
    let served: Discovered = { kinds: [], byKind: () => undefined, incomplete: [] };
    const transport = new HttpsTransport(this.connection(user));
    const client = new ApiClient({ transport, resources: () => served, fieldManager: 'kubectl' });
    served = await discover(client);
    this.#clients.push(client);
    return client;
  }

  /** Writes a kubeconfig for a user into the folder of the cluster. */
  async kubeconfigFor(user: { readonly name: string; readonly groups?: readonly string[] }): Promise<string> {
    const file = join(this.folder, `${user.name.replaceAll(/[^a-z0-9]/gi, '-')}.kubeconfig`);
    const { name, url: server, authority } = this;
    const certificate = authority.clientCertificate({ commonName: user.name, organizations: [...(user.groups ?? [])] });
    await writeKubeconfig(file, [{ name, server, certificateAuthority: authority.certificate, user: certificate }]);
    return file;
  }

  /** Starts what does not run; resolves when the API is ready. */
  async start(): Promise<void> {
    const binaries = await kubeBinaries();
    if (!this.#server) {
      this.#server = startProgram(binaries['kube-apiserver'], this.#flags(), join(this.folder, 'apiserver.log'));
      await this.#untilReady(this.#server);
    }
    const { controllers } = this.#words;
    if (!controllers || this.#manager) return;
    const flags = [
      `--kubeconfig=${this.kubeconfig}`,
      '--leader-elect=false',
      `--controllers=${controllers.join(',')}`,
      `--root-ca-file=${this.#file('ca.crt')}`,
      `--service-account-private-key-file=${this.#file('sa.key')}`,
      '--secure-port=0',
    ];
    this.#manager = startProgram(binaries['kube-controller-manager'], flags, this.#file('controllers.log'));
  }

  async #untilReady(server: Program): Promise<void> {
    const { certificate: ca, admin } = this.authority;
    const options = { ca, cert: admin.certificate, key: admin.key, agent: false, timeout: 5_000 };
    const isReady = (): Promise<boolean> =>
      new Promise((resolve) => {
        const asked = get(`${this.url}/readyz`, options, (answer) => {
          answer.resume();
          resolve(answer.statusCode === 200);
        });
        asked.on('error', () => resolve(false)).on('timeout', () => asked.destroy());
      });
    await untilUp(server, `the API server of ${this.name}`, isReady);
  }

  #file(name: string): string {
    return join(this.folder, name);
  }

  #flags(): readonly string[] {
    return [
      '--bind-address=127.0.0.1',
      `--secure-port=${this.#port}`,
      '--advertise-address=192.0.2.1',
      `--etcd-servers=${this.#etcd.url}`,
      `--etcd-prefix=/${this.name}`,
      `--tls-cert-file=${this.#file('server.crt')}`,
      `--tls-private-key-file=${this.#file('server.key')}`,
      `--client-ca-file=${this.#file('ca.crt')}`,
      '--authorization-mode=RBAC',
      '--service-account-issuer=https://kubernetes.default.svc',
      `--service-account-key-file=${this.#file('sa.pub')}`,
      `--service-account-signing-key-file=${this.#file('sa.key')}`,
      '--service-cluster-ip-range=10.0.0.0/24',
      '--disable-admission-plugins=ServiceAccount',
      // Loopback needs no identity of its own, and its lease would look like work.
      '--feature-gates=APIServerIdentity=false',
      ...(this.#words.files?.['audit-policy.json'] ? this.#auditFlags() : []),
    ];
  }

  #auditFlags(): readonly string[] {
    return [
      `--audit-policy-file=${this.#file('audit-policy.json')}`,
      `--audit-log-path=${this.#file('audit.log')}`,
      '--audit-log-mode=blocking',
    ];
  }

  /** Ends the programs of the cluster and leaves its data. */
  async stop(signal?: NodeJS.Signals): Promise<void> {
    const [server, manager] = [this.#server, this.#manager];
    this.#server = undefined;
    this.#manager = undefined;
    await manager?.stop(signal);
    await server?.stop(signal);
  }

  async close(): Promise<void> {
    await Promise.all(this.#clients.splice(0).map((client) => client.close()));
    await this.stop('SIGKILL');
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** Starts a cluster with certificates of its own. */
export async function startCluster(words: ClusterWords): Promise<KubeCluster> {
  const folder = await mkdtemp(join(tmpdir(), `sluice-kube-${words.name}-`));
  const authority = await openAuthority({ folder });
  for (const [name, text] of Object.entries(words.files ?? {})) await writeFile(join(folder, name), text);
  const publicKey = createPublicKey(authority.tokenKey).export({ type: 'spki', format: 'pem' });
  await writeFile(join(folder, 'sa.pub'), publicKey);
  const cluster = new KubeCluster(words, { folder, port: await freePort(), authority });
  await writeKubeconfig(cluster.kubeconfig, [
    {
      name: words.name,
      server: cluster.url,
      certificateAuthority: authority.certificate,
      user: authority.admin,
    },
  ]);
  try {
    await cluster.start();
  } catch (error) {
    await cluster.close();
    throw error;
  }
  return cluster;
}
