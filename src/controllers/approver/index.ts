import {
  bootstrapSecretName,
  bootstrapUserPrefix,
  clientSigner,
  clusterApi,
  memberOfAgent,
  tokenClusterAnnotation,
} from '../../api/index.ts';
import type { Cluster, KubeObject } from '../../api/index.ts';
import { parseCertificationRequest } from '../../base/index.ts';
import type { CertificationRequest } from '../../base/index.ts';
import { decideRegistration } from '../../engine/index.ts';
import type { RegistrationFacts } from '../../engine/index.ts';
import type { Clock, Logger } from '../../observe/index.ts';
import { Informer } from '../../runtime/index.ts';
import type { InformerOptions, WriteTarget } from '../../runtime/index.ts';

type Server = WriteTarget['server'];

const group = 'certificates.k8s.io';
const requestKind = { apiVersion: `${group}/v1`, kind: 'CertificateSigningRequest' } as const;

interface SigningRequest extends KubeObject {
  readonly spec?: {
    readonly request?: string;
    readonly signerName?: string;
    readonly usages?: readonly string[];
    readonly username?: string;
    readonly uid?: string;
    readonly groups?: readonly string[];
  };
  readonly status?: { readonly certificate?: string; readonly conditions?: readonly { readonly type: string }[] };
}

export interface ApproverOptions {
  readonly server: Server;
  readonly clock: Clock;
  readonly log: Logger;
}

const retryMilliseconds = 5_000;

/**
 * Approves certificates of agents, so that a member registers without a person on the hub; the hub, or the controller manager
 * beside an external one, signs what is approved. All other requests are left to people.
 */
export class Approver {
  readonly name = 'approver';
  readonly #options: ApproverOptions;
  readonly #waiting = new Set<() => void>();
  #requests: Informer | undefined;

  constructor(options: ApproverOptions) {
    this.#options = options;
  }

  start(): void {
    const { server, clock, log } = this.#options;
    this.#requests = new Informer({
      server,
      of: requestKind,
      into: { apply: (changes) => this.#changed(changes) },
      clock,
      log,
    });
    this.#requests.start();
  }

  async stop(): Promise<void> {
    for (const cancel of this.#waiting) cancel();
    await this.#requests?.stop();
  }

  #changed(changes: Parameters<InformerOptions['into']['apply']>[0]): void {
    for (const { after } of changes) if (after && isOpen(after)) void this.#look(after);
  }

  async #look(request: SigningRequest): Promise<void> {
    const { server, log } = this.#options;
    try {
      const facts = await gathered(server, request);
      const answer = facts && decideRegistration(facts);
      if (answer?.outcome === 'approve') await approve(server, request, answer);
      else if (answer) log.info('left a certificate to people', { request: request.metadata.name, why: answer.why });
    } catch (error) {
      log.warn('cannot decide about a certificate', { request: request.metadata.name, error });
      this.#again(request.metadata.name);
    }
  }

  #again(name: string): void {
    const { server, clock } = this.#options;
    const cancel = clock.after(retryMilliseconds, () => {
      this.#waiting.delete(cancel);
      void server.find({ ...requestKind, name }).then(
        (request) => (request && isOpen(request) ? this.#look(request) : undefined),
        () => this.#again(name),
      );
    });
    this.#waiting.add(cancel);
  }
}

function isOpen({ spec, status, metadata }: SigningRequest): boolean {
  const isDecided = status?.conditions?.some(({ type }) => type === 'Approved' || type === 'Denied');
  return spec?.signerName === clientSigner && !status?.certificate && !isDecided && !metadata.deletionTimestamp;
}

/** The facts; undefined for a request that nobody can read. */
async function gathered(server: Server, { spec = {} }: SigningRequest): Promise<RegistrationFacts | undefined> {
  const request = requestIn(spec.request ?? '');
  const { username = '', usages = [] } = spec;
  const member = memberOfAgent(request?.commonNames[0] ?? '');
  if (!request || member === undefined) return undefined;
  const [cluster, tokenFor, renew, register] = await Promise.all([
    server.find<Cluster>({ apiVersion: clusterApi, kind: 'Cluster', name: member }),
    memberOfToken(server, username),
    may(server, spec, 'selfclusteragent'),
    may(server, spec, 'clusteragent'),
  ]);
  return { request, usages, username, cluster, tokenFor, may: { renew, register } };
}

function requestIn(text: string): CertificationRequest | undefined {
  const pem = Buffer.from(text, 'base64').toString('latin1');
  const [, body = ''] = /-----BEGIN (?:NEW )?CERTIFICATE REQUEST-----([^-]+)-----END/.exec(pem) ?? [];
  try {
    return parseCertificationRequest(Buffer.from(body, 'base64'));
  } catch {
    return undefined;
  }
}

async function memberOfToken(server: Server, username: string): Promise<string | undefined> {
  if (!username.startsWith(bootstrapUserPrefix)) return undefined;
  const name = bootstrapSecretName(username.slice(bootstrapUserPrefix.length));
  const secret = await server.find({ apiVersion: 'v1', kind: 'Secret', namespace: 'kube-system', name });
  return secret?.metadata.annotations?.[tokenClusterAnnotation];
}

async function may(
  server: Server,
  { username: user = '', groups = [], uid }: NonNullable<SigningRequest['spec']>,
  subresource: string,
): Promise<boolean> {
  const resourceAttributes = { group, resource: 'certificatesigningrequests', subresource, verb: 'create' };
  const review = {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SubjectAccessReview',
    metadata: { name: '' },
    spec: { user, groups, ...(uid !== undefined && { uid }), resourceAttributes },
  };
  const { status } = (await server.create(review)) as KubeObject & { readonly status?: { readonly allowed?: boolean } };
  return status?.allowed === true;
}

/** The Cluster of a new member is made before its agent has a certificate, since agents may not make one. */
async function approve(
  server: Server,
  request: SigningRequest,
  { member, message }: { readonly member: string; readonly message: string },
): Promise<void> {
  const cluster = { apiVersion: clusterApi, kind: 'Cluster', name: member };
  if (!(await server.find(cluster))) {
    const spec = { syncMode: 'Pull' };
    await server.create({ apiVersion: clusterApi, kind: 'Cluster', metadata: { name: member }, spec } as KubeObject);
  }
  const { conditions = [] } = request.status ?? {};
  const approved = { type: 'Approved', status: 'True', reason: 'AutoApproved', message };
  const status = { ...request.status, conditions: [...conditions, approved] };
  await server.update({ ...request, status } as KubeObject, { subresource: 'approval' });
}
