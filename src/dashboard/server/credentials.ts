import { isObject } from '../../base/index.ts';
import { connectTo } from '../../cli/index.ts';
import type { Hub } from '../../cli/index.ts';
import { contextOf, parseKubeconfig } from '../../client/index.ts';
import type { Connection, Kubeconfig } from '../../client/index.ts';
import { Refusal } from './guard.ts';

/** A way to prove to the hub who somebody is; the hub's address and authority are the server's own. */
export type Credential = Pick<Connection, 'token' | 'certificate'>;

/** The hub as the server was told about it. */
export interface HubPlace {
  /** Address and authority, without anybody's credentials. */
  readonly connection: Connection;
  readonly namespace: string;
  /** Contexts of members that the person who started the server may use. */
  readonly config: Kubeconfig;
}

const noContexts: Kubeconfig = {
  contexts: new Map(),
  clusters: new Map(),
  users: new Map(),
  currentContext: '',
  files: [],
};

/** Somebody who has proved who they are, and their connection to the hub. */
export interface Person {
  readonly user: string;
  readonly hub: Hub;
}

const timeout = '30s';

/** Connects to the hub as this person; `own` is the person who started the server, who has contexts of members too. */
export async function connectAs(place: HubPlace, credential: Credential, own: boolean): Promise<Person> {
  const { certificate: _certificate, token: _token, ...address } = place.connection;
  const connection: Connection = { ...address, ...credential };
  const server = await connectTo(connection, { timeout });
  const config = own ? place.config : noContexts;
  const { namespace } = place;
  const hub: Hub = { ...server, namespace, config, connection, close: () => server.client.close() };
  try {
    return { user: await userOf(hub), hub };
  } catch (error) {
    await hub.close();
    throw error;
  }
}

async function userOf({ client }: Hub): Promise<string> {
  const { body } = await client.raw({
    method: 'POST',
    path: '/apis/authentication.k8s.io/v1/selfsubjectreviews',
    headers: { accept: 'application/json', 'content-type': 'application/json' },
    body: { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' },
  });
  const { status } = body as { readonly status?: { readonly userInfo?: { readonly username?: string } } };
  const user = status?.userInfo?.username ?? '';
  if (user === '' || user === 'system:anonymous') throw new Refusal(401, 'the hub does not know these credentials');
  return user;
}

/** The credential in a login: a token, or a kubeconfig whose current context has a token or a client certificate. */
export function credentialIn(login: unknown): Credential {
  const { token, kubeconfig } = isObject(login) ? login : {};
  if (typeof token === 'string' && token.trim() !== '') return { token: token.trim() };
  if (typeof kubeconfig === 'string' && kubeconfig.trim() !== '') return credentialOf(kubeconfig);
  throw new Refusal(400, 'log in with a token or a kubeconfig');
}

/** Fields of a user that name files or programs of the machine on which the server runs. */
const elsewhere = ['client-certificate', 'client-key', 'tokenFile', 'exec', 'auth-provider'];

function credentialOf(text: string): Credential {
  try {
    const config = parseKubeconfig([{ file: 'kubeconfig', text }]);
    const named = [...config.users.values()].flatMap(({ fields }) => elsewhere.filter((field) => field in fields));
    const authorities = [...config.clusters.values()].some(({ fields }) => 'certificate-authority' in fields);
    if (named.length > 0 || authorities)
      throw new Refusal(
        400,
        `the kubeconfig refers to files or programs (${named.join(', ') || 'certificate-authority'}): use \`kubectl config view --raw --flatten\``,
      );
    const { certificate, token } = contextOf(config).connection;
    if (!certificate && !token) throw new Refusal(400, 'the current context of the kubeconfig has no credentials');
    return { ...(certificate && { certificate }), ...(token !== undefined && { token }) };
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw new Refusal(400, (error as Error).message);
  }
}
