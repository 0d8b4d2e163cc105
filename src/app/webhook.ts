import { hash } from 'node:crypto';
import { admission, serveAdmission } from '../admission/index.ts';
import type { AdmissionServer, AskHub, ServingPair } from '../admission/index.ts';
import { clusterApi, groupOf } from '../api/index.ts';
import type { Gates, KubeObject, MemberAccess, Settings } from '../api/index.ts';
import { equal, useSha256 } from '../base/index.ts';
import type { ApiClient, Connection } from '../client/index.ts';
import { customizationsIn, indexKeysOf, whyUnreadable } from '../engine/index.ts';
import { Metrics, observeProcess } from '../observe/index.ts';
import type { Logger } from '../observe/index.ts';
import { HubCache, Informer } from '../runtime/index.ts';
import type { Address } from './config.ts';
import { remoteHub, untilServed } from './remote.ts';
import { observeVersion } from './version.ts';
import { certificateFiles, sharedCertificates } from './webhook-certificates.ts';

/** The options of `sluice webhook`. */
export interface WebhookOptions {
  readonly connection: Connection;
  readonly listen: Address;
  /** A folder with `tls.crt` and `tls.key`; absent: the replicas share a certificate in a Secret. */
  readonly certDir?: string;
  /** The namespace of the installation. */
  readonly namespace: string;
  /** Further names under which the hub calls. */
  readonly hosts: readonly string[];
  /** The users as whom controllers write. */
  readonly controllers: readonly string[];
  readonly gates: Gates;
  readonly settings?: Partial<Settings>;
  readonly memberAccess: MemberAccess;
  readonly version: string;
  readonly log: Logger;
  /** How often the certificate is looked at. */
  readonly certificateMilliseconds?: number;
}

/** A webhook role that runs. */
export interface RunningWebhook {
  readonly port: number;
  stop(): Promise<void>;
}

/** The kinds that verdicts read. */
const read = [
  { apiVersion: clusterApi, kind: 'Cluster' },
  { apiVersion: 'config.karmada.io/v1alpha1', kind: 'ResourceInterpreterCustomization' },
];
const usualCertificateMilliseconds = 60_000;

/** Serves admission for a hub elsewhere; needs no leader. Resolves when reviews are answered. */
export async function runWebhook(options: WebhookOptions, signal: AbortSignal): Promise<RunningWebhook> {
  useSha256((text) => hash('sha256', text, 'hex'));
  const { log, version } = options;
  const metrics = new Metrics();
  observeVersion(metrics, version);
  const stopObserving = observeProcess(metrics);
  const hub = remoteHub(options.connection, { userAgent: 'sluice-webhook', metrics });
  await untilServed(hub, read, { log, signal });
  const view = new HubCache({ indexKeysOf, whyUnreadable, log });
  const informers = read.map((of) => new Informer({ server: hub.client, of, into: view, log }));
  for (const informer of informers) informer.start();
  await Promise.race([Promise.all(informers.map(({ synced }) => synced)), aborted(signal)]);
  const certificates = certificatesOf(options, hub.client);
  const pair = await certificates.read();
  const server = await serveAdmission({
    ...options.listen,
    pair,
    judge: judgeOf(options, view),
    ask: askOf(hub.client),
    unready: () => undefined,
    metrics: () => metrics.text(),
    log,
  });
  const stopRenewing = renewing(server, { pair, read: () => certificates.read() }, options);
  return {
    port: server.port,
    async stop() {
      stopRenewing();
      stopObserving();
      await server.close();
      await Promise.all(informers.map((informer) => informer.stop()));
      await hub.client.close();
    },
  };
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

function certificatesOf(
  { certDir, namespace, hosts }: WebhookOptions,
  hub: ApiClient,
): { read(): Promise<ServingPair> } {
  if (certDir !== undefined) return certificateFiles(certDir);
  const service = [`sluice-webhook.${namespace}.svc`, `sluice-webhook.${namespace}.svc.cluster.local`];
  return sharedCertificates(hub, { namespace, hosts: [...service, ...hosts], now: () => new Date() });
}

function judgeOf(options: WebhookOptions, view: HubCache): ReturnType<typeof admission> {
  const { controllers, gates, memberAccess, settings } = options;
  return admission({
    controllers: new Set(controllers),
    now: () => new Date(),
    memberAccess,
    clusters: () => view.clusters,
    customizations: () => customizationsIn(view),
    authorRights: gates.PolicyAuthorRights,
    ...(settings && { settings }),
  });
}

/** Asks the hub by a SubjectAccessReview. */
function askOf(hub: ApiClient): AskHub {
  return async ({ name, groups = [] }, { verb, apiVersion, kind, namespace, name: object }) => {
    const info = hub.resources.byKind(apiVersion, kind);
    const resourceAttributes = {
      verb,
      group: groupOf(apiVersion),
      resource: info?.plural ?? `${kind.toLowerCase()}s`,
      ...(info?.namespaced !== false && namespace && { namespace }),
      ...(object && { name: object }),
    };
    const review = { apiVersion: 'authorization.k8s.io/v1', kind: 'SubjectAccessReview', metadata: {} };
    const asked = { ...review, spec: { user: name, groups, resourceAttributes } } as unknown as KubeObject;
    const answer = (await hub.create(asked)) as KubeObject & { readonly status?: { readonly allowed?: boolean } };
    return answer.status?.allowed === true;
  };
}

/** Looks at the certificate from time to time; a failure is logged, and the certificate of before goes on. */
function renewing(
  server: AdmissionServer,
  { pair, read }: { readonly pair: ServingPair; readonly read: () => Promise<ServingPair> },
  { log, certificateMilliseconds = usualCertificateMilliseconds }: WebhookOptions,
): () => void {
  let [used, busy] = [pair, false];
  const look = async (): Promise<void> => {
    if (busy) return;
    busy = true;
    try {
      const now = await read();
      if (!equal(now, used)) {
        server.renew(now);
        used = now;
        log.info('serves with another certificate');
      }
    } catch (error) {
      log.warn('cannot renew the certificate', { error });
    } finally {
      busy = false;
    }
  };
  const timer = setInterval(() => void look(), certificateMilliseconds).unref();
  return () => clearInterval(timer);
}
