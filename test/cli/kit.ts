/**
 * A whole system in process, and the program run against it as a user would, with what it prints caught.
 * Nothing here stands in for a part of the system: hub, controllers and members are the real ones.
 * Start with `openSystem`.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { admission } from '../../src/admission/index.ts';
import {
  clusterApi,
  crds,
  defaultGates,
  executionNamespace,
  refOf,
  strictAccess,
  workApi,
  workName,
} from '../../src/api/index.ts';
import type { Cluster, Gates, KubeObject, Ref, Work } from '../../src/api/index.ts';
import { openApiServer } from '../../src/apiserver/index.ts';
import type { ApiServer } from '../../src/apiserver/index.ts';
import { clusterProxy, controllerUser, ControlPlane, ownTransport, register, restAnswer } from '../../src/app/index.ts';
import type { Rest } from '../../src/app/index.ts';
import { kubeconfigOf, writeKubeconfig } from '../../src/auth/index.ts';
import { main, packageVersion } from '../../src/cli/index.ts';
import type { Io } from '../../src/cli/index.ts';
import { ApiClient, discover, HttpsTransport, inProcess } from '../../src/client/index.ts';
import type { Discovered, Transport } from '../../src/client/index.ts';
import { appliedOver, conditionStatus } from '../../src/engine/index.ts';
import { Metrics, silentLogger } from '../../src/observe/index.ts';
import { startSimulated } from '../../src/sim/index.ts';
import type { SimulatedMember } from '../../src/sim/index.ts';
import { schemas } from '../../tools/schemas.ts';
import { faultsOf } from '../kit/jsonschema.ts';
import { until, untilQuiet } from '../kit/until.ts';

const rbac = 'rbac.authorization.k8s.io';

const person = { name: 'jane', groups: ['system:masters', 'system:authenticated'] };

/** The output of a run of the program. */
export interface Printed {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** How a run differs from the usual one. */
export interface RunWords {
  readonly input?: string;
  readonly columns?: number;
  readonly colour?: boolean;
  /** Tells whether standard error is a terminal. */
  readonly progress?: boolean;
  /** The user's answer to a prompt; absent: there is no terminal. */
  readonly answer?: string;
  readonly environment?: NodeJS.ProcessEnv;
  readonly directory?: string;
  readonly interrupted?: AbortSignal;
  /** Called with everything that is printed, as it is. */
  readonly hear?: (text: string) => void;
}

/** Runs the program and catches what it prints. */
export async function sluice(args: readonly string[], words: RunWords = {}): Promise<Printed> {
  let out = '';
  let err = '';
  const io: Io = {
    out: (text) => {
      out += text;
      words.hear?.(text);
    },
    err: (text) => void (err += text),
    columns: words.columns,
    colour: words.colour ?? false,
    progress: words.progress ?? false,
    interactive: words.answer !== undefined,
    environment: words.environment ?? {},
    directory: words.directory ?? tmpdir(),
    readInput: async () => words.input ?? '',
    ask: async (question) => {
      err += question;
      return words.answer ?? '';
    },
    interrupted: words.interrupted ?? new AbortController().signal,
  };
  const code = await main(args, io);
  judge(args, out);
  return { code, out, err };
}

/** Checks output for programs against its schema, in every test. */
function judge(args: readonly string[], out: string): void {
  const format = args[args.indexOf('-o') + 1];
  if (out === '' || !(args[0] === 'snapshot' || (args.includes('-o') && format === 'json'))) return;
  if (args.includes('-w') || args.includes('--help')) return;
  const value = JSON.parse(out) as { readonly kind?: string };
  const schema = Object.values(schemas).find(({ title }) => title === value.kind);
  const faults = schema ? faultsOf(value, schema) : [];
  if (faults.length > 0) throw new Error(`sluice ${args.join(' ')} prints what its schema does not know: ${faults[0]}`);
}

/** A hub with its controllers and members that runs. */
export class System {
  readonly folder: string;
  readonly site: ApiServer;
  readonly user: ApiClient;
  readonly members: readonly SimulatedMember[];
  readonly #open: () => ControlPlane;
  readonly #clients: ReadonlyMap<string, ApiClient>;
  #plane: ControlPlane;

  constructor(
    parts: Pick<System, 'folder' | 'site' | 'user' | 'members'> & {
      readonly open: () => ControlPlane;
      readonly plane: ControlPlane;
    },
    clients: ReadonlyMap<string, ApiClient>,
  ) {
    this.folder = parts.folder;
    this.site = parts.site;
    this.#open = parts.open;
    this.#plane = parts.plane;
    this.user = parts.user;
    this.members = parts.members;
    this.#clients = clients;
  }

  get kubeconfig(): string {
    return path.join(this.folder, '.sluice', 'kubeconfig');
  }

  /** Runs the program in a folder in which `sluice up` was started. */
  run(args: readonly string[], words: RunWords = {}): Promise<Printed> {
    return sluice(args, { directory: this.folder, ...words });
  }

  member(name: string): ApiClient {
    const member = this.#clients.get(name);
    if (!member) throw new Error(`there is no ${name}`);
    return member;
  }

  /** Writes objects into a file as YAML's younger brother and returns its name. */
  async file(name: string, ...objects: readonly KubeObject[]): Promise<string> {
    await writeFile(path.join(this.folder, name), objects.map((object) => JSON.stringify(object)).join('\n---\n'));
    return name;
  }

  /** Applies manifests and waits until everything is where it belongs. */
  async apply(...objects: readonly KubeObject[]): Promise<void> {
    for (const object of objects) {
      const live = await this.user.find(refOf(object));
      if (live) await this.user.update(appliedOver(object, live));
      else await this.user.create(object);
    }
    await this.settle();
  }

  async delete(ref: Ref): Promise<void> {
    await this.user.delete(ref);
    await this.settle();
  }

  /** Writes a kubeconfig of a service account to which a cluster role is bound, everywhere or in the namespace default. */
  async grant(name: string, role: string, kind: 'ClusterRoleBinding' | 'RoleBinding'): Promise<void> {
    const metadata = { name, namespace: 'default' };
    await this.user.create({
      apiVersion: `${rbac}/v1`,
      kind,
      metadata: kind === 'RoleBinding' ? metadata : { name },
      roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: role },
      subjects: [{ kind: 'ServiceAccount', name, namespace: 'default' }],
    } as KubeObject);
    await this.account(name);
  }

  /** Makes a service account in the namespace default, and a kubeconfig `NAME.json` of it. */
  async account(name: string): Promise<void> {
    await this.user.create({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace: 'default' } });
    const { body } = await this.user.raw({
      method: 'POST',
      path: `/api/v1/namespaces/default/serviceaccounts/${name}/token`,
      headers: { accept: 'application/json', 'content-type': 'application/json' },
      body: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} },
    });
    const { token } = (body as { status: { token: string } }).status;
    const contexts = [{ ...this.site.context('sluice'), user: { token } }];
    await writeFile(path.join(this.folder, `${name}.json`), JSON.stringify(kubeconfigOf(contexts)));
  }

  /** Waits until something is so. */
  async until(what: string, condition: () => Promise<boolean>): Promise<void> {
    await until(what, condition);
  }

  /** Waits until a member calls an object healthy, and the hub knows. */
  async untilHealthy(object: KubeObject, member: string): Promise<void> {
    const name = workName({ kind: object.kind, ...object.metadata });
    const ref = { apiVersion: workApi, kind: 'Work', namespace: executionNamespace(member), name };
    await this.until(`${object.metadata.name} is healthy in ${member}`, async () => {
      const work = await this.user.find<Work>(ref);
      return work?.status?.manifestStatuses?.[0]?.health === 'Healthy';
    });
    await this.settle();
  }

  /** Cuts a member off, or connects it again, and waits until the hub has noticed. */
  async reach(name: string, up: boolean): Promise<void> {
    const member = this.members.find((one) => one.name === name);
    if (up) await member?.reset();
    else await member?.setFaults({ down: true });
    const ref = { apiVersion: clusterApi, kind: 'Cluster', name };
    await this.until(`${name} is ${up ? '' : 'not '}ready`, async () => {
      const { status } = await this.user.get<Cluster>(ref);
      return (conditionStatus(status?.conditions, 'Ready') === 'True') === up;
    });
    await this.settle();
  }

  /** Tells whether the controllers have nothing left to do. */
  get settled(): boolean {
    return this.#plane.settled;
  }

  /** Quiet for a while: nobody works and the hub writes nothing. */
  async settle(): Promise<void> {
    await untilQuiet('the system comes to rest', 80, () => (this.#plane.atRest ? this.site.store.revision : undefined));
  }

  /** Does something while the controllers are stopped, so that they see all of it or nothing. */
  async unseen(work: () => Promise<void>): Promise<void> {
    const ready = readyCount(this.#plane);
    await this.#plane.stop();
    await work();
    this.#plane = this.#open();
    await this.#plane.start();
    await readyMembers(this.#plane, ready);
  }

  async close(): Promise<void> {
    for (const client of this.#clients.values()) await client.close();
    await this.user.close();
    await this.#plane.stop();
    await Promise.all(this.members.map((member) => member.close()));
    await this.site.close();
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** How a system is set up. */
export interface SystemWords {
  /** Serves clusters/proxy. */
  readonly proxy?: boolean;
  readonly members?: readonly string[];
  readonly gates?: Partial<Gates>;
  /** Members run pods, which take part in the health of workloads; without, workloads are ready at once. */
  readonly pods?: boolean;
  /** Members are probed often, so that an outage is noticed within a second. */
  readonly watchful?: boolean;
}

/** Starts a whole system in memory. */
export async function openSystem(words: SystemWords = {}): Promise<System> {
  const folder = await mkdtemp(path.join(tmpdir(), 'sluice-cli-'));
  let rest = (): Rest => ({ settled: false, revision: 0 });
  let running: ControlPlane | undefined;
  const proxy = clusterProxy(() => running?.view, strictAccess);
  const opened = await openApiServer({
    ...(words.proxy && { proxies: proxy.proxies }),
    dataDir: ':memory:',
    host: '127.0.0.1',
    port: 0,
    definitions: crds(),
    admit: [admission({ controllers: new Set([controllerUser.name]), now: () => new Date() })],
    paths: { '/restz': () => restAnswer(packageVersion(), rest()) },
  });
  const close = async (): Promise<void> => {
    await proxy.close();
    await opened.close();
  };
  const site = { ...opened, close };
  const open = (): ControlPlane => (running = planeOf(site, words));
  const plane = open();
  await plane.start();
  const names = words.members ?? ['member1', 'member2', 'member3'];
  const members = await Promise.all(
    names.map((name) => startSimulated({ name, dataDir: ':memory:', delayMilliseconds: 0, pods: words.pods ?? false })),
  );
  const user = await connected(inProcess((request) => site.hub.handle(request), person));
  const clients = new Map<string, ApiClient>();
  for (const member of members) {
    clients.set(
      member.name,
      await connected(new HttpsTransport({ server: member.url, caBundle: member.caBundle, token: member.token })),
    );
    await register(user, member);
  }
  const contexts = [site.context('sluice'), ...members.map((member) => member.context())];
  const system = new System({ folder, site, open, plane, user, members }, clients);
  rest = () => ({ settled: system.settled, revision: site.store.revision });
  await writeKubeconfig(system.kubeconfig, contexts);
  await readyMembers(plane, names.length);
  await system.settle();
  return system;
}

function planeOf(site: ApiServer, { gates, watchful }: SystemWords): ControlPlane {
  return new ControlPlane({
    transport: ownTransport(site.hub),
    gates: { ...defaultGates, ...gates },
    log: silentLogger,
    metrics: new Metrics(),
    ...(watchful && { patience: { successSeconds: 0, failureSeconds: 0 }, probeMilliseconds: 100 }),
  });
}

function readyCount({ view }: ControlPlane): number {
  return view.clusters.filter(({ status }) => conditionStatus(status?.conditions, 'Ready') === 'True').length;
}

async function readyMembers(plane: ControlPlane, count: number): Promise<void> {
  await until('the members are ready', async () => readyCount(plane) === count);
}

async function connected(transport: Transport): Promise<ApiClient> {
  let served: Discovered = { kinds: [], byKind: () => undefined, incomplete: [] };
  const client = new ApiClient({ transport, resources: () => served, fieldManager: 'kubectl' });
  served = await discover(client);
  return client;
}
