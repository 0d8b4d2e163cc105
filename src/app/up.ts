import path from 'node:path';
import { admission } from '../admission/index.ts';
import { crds, keyOf, strictAccess } from '../api/index.ts';
import type { Cluster, Gates, MemberAccess, Settings } from '../api/index.ts';
import { openApiServer, openAuditLog } from '../apiserver/index.ts';
import type { ApiServer, AuditLog } from '../apiserver/index.ts';
import { KeyFileError, writeKubeconfig } from '../auth/index.ts';
import { customizationsIn } from '../engine/index.ts';
import type { Patience } from '../engine/index.ts';
import { createLogger, Metrics, noTracer, observeProcess, openTracer } from '../observe/index.ts';
import type { Logger, LogFormat, LogLevel, Tracing } from '../observe/index.ts';
import { startSimulated } from '../sim/index.ts';
import type { SimulatedMember } from '../sim/index.ts';
import { StoreError } from '../store/index.ts';
import { WebhookClient } from '../client/index.ts';
import { clusterProxy } from './clusterproxy.ts';
import type { ClusterProxy } from './clusterproxy.ts';
import { hubContext, SetupError } from './config.ts';
import type { Address } from './config.ts';
import { ControlPlane } from './controlplane.ts';
import type { ControlPlaneOptions } from './controlplane.ts';
import { hubPage } from './page.ts';
import { register } from './register.ts';
import { restAnswer } from './settled.ts';
import type { Rest } from './settled.ts';
import { tracedTransport, tracedVerbs } from './traced.ts';
import { controllerUser, ownTransport } from './transport.ts';
import { observeVersion } from './version.ts';
import { podsElsewhere } from './whereabouts.ts';

/** The options of `sluice up`. */
export interface UpOptions {
  /** ':memory:' keeps nothing on disk. */
  readonly dataDir: string;
  readonly listen: Address;
  /** Further names and addresses for the certificate; the first is the host of the kubeconfig. */
  readonly names?: readonly string[];
  /** Encrypts objects on the disk. */
  readonly encryption?: NonNullable<Parameters<typeof openApiServer>[0]['encryption']>;
  /** The files of a certificate that somebody else issued for the hub. */
  readonly certificate?: NonNullable<Parameters<typeof openApiServer>[0]['certificate']>;
  readonly members: readonly string[];
  readonly kubeconfig: string;
  readonly gates: Gates;
  /** How members may be reached; strictly unless told. */
  readonly memberAccess?: MemberAccess;
  /** The defaults unless told. */
  readonly settings?: Partial<Settings>;
  /** How long agents of Pull members may be silent; Karmada's limits unless told. */
  readonly silence?: NonNullable<ControlPlaneOptions['silence']>;
  /** How long a member must answer, or fail, before it is called ready, or not ready. */
  readonly patience?: Patience;
  /** How often members are probed. */
  readonly probeMilliseconds?: number;
  /** The version of the program, for its metrics. */
  readonly version: string;
  /** Where requests from outside are recorded; absent: nowhere. */
  readonly auditLog?: AuditLogFlags;
  readonly logLevel?: LogLevel;
  readonly logFormat?: LogFormat;
}

/** The audit log as the flags describe it. */
export interface AuditLogFlags {
  readonly file: string;
  readonly maxBytes: number;
  /** How many rotated files are kept. */
  readonly keep: number;
}

/** A whole system that runs: hub, controllers, simulated members. */
export interface Running {
  readonly url: string;
  readonly kubeconfig: string;
  readonly plane: ControlPlane;
  readonly site: ApiServer;
  readonly members: readonly SimulatedMember[];
  readonly metrics: Metrics;
  stop(): Promise<void>;
}

const startMilliseconds = 60_000;

/** Starts everything and resolves when the API, the controllers and the members are ready. */
export async function up(options: UpOptions): Promise<Running> {
  const log = createLogger({ level: options.logLevel ?? 'warn', format: options.logFormat ?? 'pretty' });
  const undo: (() => Promise<void>)[] = [];
  const stop = async (): Promise<void> => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  try {
    return await assemble(options, { log, undo, stop });
  } catch (error) {
    await stop();
    throw explained(error, options);
  }
}

interface Scaffold {
  readonly log: Logger;
  readonly undo: (() => Promise<void>)[];
  readonly stop: () => Promise<void>;
}

async function assemble(options: UpOptions, { log, undo, stop }: Scaffold): Promise<Running> {
  const metrics = new Metrics();
  observeVersion(metrics, options.version);
  const stopObserving = observeProcess(metrics);
  undo.push(async () => stopObserving());
  let rest = notYet;
  let running: ControlPlane | undefined;
  let publish: (() => Promise<void>) | undefined;
  const started = Promise.withResolvers<void>();
  const renewed = (): void =>
    void publish?.().catch((error: unknown) => log.error('cannot write the kubeconfig', { error }));
  const tracer = await openTracer({ variables: process.env, log });
  undo.push(() => tracer.close());
  const auditLog = await openAudit(options, log);
  if (auditLog) undo.push(() => auditLog.close());
  const { memberAccess = strictAccess } = options;
  const proxy = clusterProxy(() => running?.view, memberAccess);
  undo.push(() => proxy.close());
  const webhooks = new WebhookClient();
  undo.push(() => webhooks.close());
  const site = await openHub(options, {
    log,
    proxy,
    webhooks,
    auditLog,
    tracer,
    metrics,
    rest: () => rest(),
    started: started.promise,
    renewed,
    plane: () => running,
  });
  undo.push(() => site.close());
  const members = await startMembers(options, log);
  undo.push(async () => void (await Promise.all(members.map((member) => member.close()))));
  const kept = { transport: ownTransport(site.hub), memberAccess, log, metrics, tracer };
  const plane = new ControlPlane({ ...options, ...kept, ...membersTraced(tracer) });
  undo.push(() => plane.stop());
  await plane.start();
  running = plane;
  rest = () => ({ settled: plane.settled, revision: site.store.revision });
  for (const member of members) await register(plane.client, member);
  await untilReady(plane, options.members);
  publish = (): Promise<void> =>
    writeKubeconfig(options.kubeconfig, [site.context(hubContext), ...members.map((member) => member.context())]);
  await publish();
  started.resolve();
  return { url: site.url, kubeconfig: options.kubeconfig, plane, site, members, metrics, stop };
}

const notYet = (): Rest => ({ settled: false, revision: 0 });

interface Told {
  readonly log: Logger;
  readonly proxy: ClusterProxy;
  readonly webhooks: WebhookClient;
  readonly auditLog: AuditLog | undefined;
  readonly tracer: Tracing;
  readonly metrics: Metrics;
  readonly rest: () => Rest;
  /** Resolves when the controllers have read everything and all is ready. */
  readonly started: Promise<void>;
  /** Called when there are other certificates. */
  readonly renewed: () => void;
  /** The controllers once they have read everything. */
  readonly plane: () => ControlPlane | undefined;
}

/** Members are told of traces only where there are any. */
const membersTraced = (tracer: Tracing): Pick<ControlPlaneOptions, 'betweenMembers'> =>
  tracer === noTracer ? {} : { betweenMembers: (transport) => tracedTransport(transport, tracer) };

async function openAudit({ auditLog }: UpOptions, log: Logger): Promise<AuditLog | undefined> {
  if (!auditLog) return undefined;
  try {
    return await openAuditLog({ ...auditLog, onError: (error) => log.error('audit events lost', { error }) });
  } catch (error) {
    throw new SetupError(`--audit-log: ${(error as Error).message}`, { cause: error });
  }
}

function openHub(options: UpOptions, told: Told): Promise<ApiServer> {
  const { log, proxy, auditLog, tracer, metrics, rest, started, renewed, plane, webhooks } = told;
  const { memberAccess = strictAccess } = options;
  return openApiServer({
    ...(auditLog && { auditLog }),
    ...(tracer !== noTracer && { around: tracedVerbs(tracer) }),
    dataDir: options.dataDir,
    ...options.listen,
    ...(options.names && { names: options.names }),
    ...(options.certificate && { certificate: options.certificate }),
    ...(options.encryption && { encryption: options.encryption }),
    definitions: crds(),
    metrics,
    collectAfter: started,
    onRenewed: renewed,
    onRepair: (what) => log.warn('repaired the store', { what }),
    onClosed: (paths) =>
      log.warn('other users could read or write files of the data directory; closed them to others', { paths }),
    admit: [
      admission({
        controllers: new Set([controllerUser.name]),
        now: () => new Date(),
        memberAccess,
        clusters: () => plane()?.view.clusters ?? [],
        customizations: () => customizationsIn(plane()?.view),
        authorRights: options.gates.PolicyAuthorRights,
        gates: options.gates,
        ...(options.settings && { settings: options.settings }),
      }),
    ],
    proxies: proxy.proxies,
    postWebhook: (call) => webhooks.post(call),
    before: podsElsewhere(plane),
    page: hubPage(options.version),
    paths: {
      '/metrics': () => ({
        status: 200,
        headers: { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' },
        body: Buffer.from(metrics.text()),
      }),
      '/restz': () => restAnswer(options.version, rest()),
    },
    onFault: (error, request) =>
      request
        ? log.error('a request failed unexpectedly', { error, path: request.path })
        : log.error('background work of the hub failed', { error }),
  });
}

function startMembers({ members, dataDir, listen }: UpOptions, log: Logger): Promise<SimulatedMember[]> {
  const { host } = listen;
  return Promise.all(
    members.map((name) => {
      const folder = dataDir === ':memory:' ? dataDir : path.join(dataDir, 'members', name);
      return startSimulated({
        name,
        dataDir: folder,
        // Simulated members are for this machine; a wildcard opens the hub only.
        host: host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host,
        port: 0,
        onTrouble: (message) => log.warn('a simulated member failed unexpectedly', { member: name, message }),
        onCrash: (error) => log.error('a simulated member died', { member: name, error }),
      });
    }),
  );
}

/** Waits until the hub calls every member ready. */
async function untilReady({ view }: ControlPlane, members: readonly string[]): Promise<void> {
  const missing = (): readonly string[] =>
    members.filter((name) => !isReady(view.get(clusterKey(name)) as Cluster | undefined));
  if (missing().length === 0) return;
  await new Promise<void>((resolve, reject) => {
    const done = (error?: Error): void => {
      clearTimeout(timer);
      stopListening();
      if (error) reject(error);
      else resolve();
    };
    const timer = setTimeout(
      () => done(new SetupError(`not ready in time: ${missing().join(', ')}`)),
      startMilliseconds,
    );
    const stopListening = view.listen(() => {
      if (missing().length === 0) done();
    });
  });
}

const clusterKey = (name: string): string =>
  keyOf({ apiVersion: 'cluster.karmada.io/v1alpha1', kind: 'Cluster', name });

function isReady(cluster: Cluster | undefined): boolean {
  return cluster?.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') === true;
}

/** Explains in one line a failure that a person can fix. */
function explained(error: unknown, options: UpOptions): unknown {
  if (error instanceof SetupError) return error;
  if (error instanceof StoreError || error instanceof KeyFileError)
    return new SetupError(error.message, { cause: error });
  const advice = advices[(error as NodeJS.ErrnoException).code ?? ''];
  return advice ? new SetupError(advice(options, error as Error), { cause: error }) : error;
}

type Advice = (options: UpOptions, error: Error) => string;

const placeOf = ({ listen }: UpOptions): string => `${listen.host}:${listen.port}`;
const noPlace: Advice = (options) => `--listen: ${placeOf(options)} is not an address of this machine`;
const noFolder: Advice = ({ dataDir }, { message }) => `cannot use the data directory ${dataDir}: ${message}`;

const advices: Readonly<Record<string, Advice>> = {
  EADDRINUSE: (options) =>
    `${placeOf(options)} is taken: choose another address with --listen, or port 0 for a free one`,
  EADDRNOTAVAIL: noPlace,
  ENOTFOUND: noPlace,
  EACCES: noFolder,
  EPERM: noFolder,
  ENOTDIR: noFolder,
  EROFS: noFolder,
  // The errors of making a folder on a read-only file system.
  ENOENT: noFolder,
  ENOSPC: noFolder,
  EEXIST: noFolder,
};
