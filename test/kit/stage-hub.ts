/** The hub below a stage: the embedded one in this process, or a kube-apiserver that the suite has started. Start with `stageHub`. */
import path from 'node:path';
import { inject } from 'vitest';
import { crds, hasReason } from '../../src/api/index.ts';
import type { KubeObject } from '../../src/api/index.ts';
import { admission } from '../../src/admission/index.ts';
import { openApiServer } from '../../src/apiserver/index.ts';
import { controllerUser, ownTransport, remoteHub, userOf } from '../../src/app/index.ts';
import { permittedKinds } from '../../src/app/kinds.ts';
import { openAuthority } from '../../src/auth/index.ts';
import { HttpsTransport, inProcess } from '../../src/client/index.ts';
import type { Connection, KindRef, Transport } from '../../src/client/index.ts';
import { silentLogger } from '../../src/observe/index.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The hub that the suite has started, with Sluice installed and its webhook running. */
    readonly kubeHub?: { readonly url: string; readonly folder: string };
  }
}

/** A hub as a stage needs it. */
export interface StageHub {
  /** The way of a user with all rights. */
  readonly person: Transport;
  /** The way of the controllers; a new one for every start of them. */
  controllers(): Transport;
  /** The kinds that the controllers may follow; all when absent. */
  readonly permitted?: (kinds: readonly KindRef[]) => Promise<readonly KindRef[]>;
  /** A text or number that changes with every write. */
  revision(): Promise<unknown> | number;
  close(): Promise<void>;
}

const person = { name: 'jane', groups: ['system:masters', 'system:authenticated'] };

/** The hub of this run. */
export function stageHub(folder: string): Promise<StageHub> {
  const kube = process.env['SLUICE_STAGE'] === 'kube' ? inject('kubeHub') : undefined;
  return kube ? kubeHub(kube) : embeddedHub(folder);
}

async function embeddedHub(folder: string): Promise<StageHub> {
  const site = await openApiServer({
    dataDir: path.join(folder, 'hub'),
    host: '127.0.0.1',
    port: 0,
    definitions: crds(),
    admit: [
      admission({
        controllers: new Set([controllerUser.name]),
        now: () => new Date(),
        settings: { allowNoExecuteTaintPolicies: true },
      }),
    ],
  });
  return {
    person: inProcess((request) => site.hub.handle(request), person),
    controllers: () => ownTransport(site.hub),
    revision: () => site.store.revision,
    close: () => site.close(),
  };
}

async function kubeHub({ url: server, folder }: { readonly url: string; readonly folder: string }): Promise<StageHub> {
  const authority = await openAuthority({ folder });
  const as = (user: { readonly name: string; readonly groups: readonly string[] }): Connection => ({
    server,
    caBundle: authority.certificate,
    certificate: authority.clientCertificate({ commonName: user.name, organizations: [...user.groups] }),
  });
  const controllers = as({ name: userOf('controllers', 'sluice-system'), groups: [] });
  const asked = remoteHub(controllers, { userAgent: 'stage' });
  const transport = new HttpsTransport(as(person));
  return {
    person: transport,
    controllers: () => new HttpsTransport(controllers),
    permitted: permittedKinds(asked, silentLogger),
    async revision() {
      const answer = await transport.send({ method: 'GET', path: '/api/v1/namespaces', query: 'limit=1', headers: {} });
      return (answer.body as { readonly metadata?: { readonly resourceVersion?: string } }).metadata?.resourceVersion;
    },
    async close() {
      await asked.client.close();
      await transport.close();
    },
  };
}

/** Creates what does not exist yet: a hub that outlives the stage has it from before. */
export async function unlessThere(create: () => Promise<KubeObject>): Promise<void> {
  try {
    await create();
  } catch (error) {
    if (!hasReason(error, 'AlreadyExists')) throw error;
  }
}
