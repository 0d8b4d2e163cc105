import { apiVersionOf, clusterApi, policyApi, policyFamilies } from '../api/index.ts';
import { readKubeconfig } from '../client/index.ts';
import type { KindRef, ResourceInfo } from '../client/index.ts';
import type { Candidate, HubWords } from './complete.ts';
import { kubeconfigsOf, withHub } from './connect.ts';
import type { Hub, HubFlags } from './connect.ts';
import type { Io } from './io.ts';
import { kindOf, preferredKinds } from './kinds.ts';

/** The names that a shell asks a hub for. */
export interface Wish {
  readonly io: Io;
  readonly flags: HubFlags;
  readonly what: HubWords;
  /** The kind that was named before, if one was. */
  readonly kind: string | undefined;
  /** The unfinished word. */
  readonly last: string;
}

/** Number of names that are offered; nobody reads more. */
const most = 200;

/** Words that the hub knows: members, namespaces, kinds, objects. */
export async function hubWords(wish: Wish): Promise<readonly Candidate[]> {
  const { io, flags, what } = wish;
  if (what === 'contexts') {
    const { contexts } = await readKubeconfig(kubeconfigsOf(flags, io));
    return [...contexts.keys()].map((word) => ({ word }));
  }
  return withHub(flags, { ...io, err: () => {} }, (hub) => answers[what](hub, wish));
}

type Completer = (hub: Hub, wish: Wish) => Promise<readonly Candidate[]>;

const answers: Readonly<Record<Exclude<HubWords, 'contexts'>, Completer>> = {
  members: async (hub, { last }) => inList(await namesOf(hub, { apiVersion: clusterApi, kind: 'Cluster' }), last),
  namespaces: async (hub) => wordsOf(await namesOf(hub, { apiVersion: 'v1', kind: 'Namespace' })),
  policies: async (hub) => wordsOf(await policyNames(hub)),
  kinds: async (hub) =>
    preferredKinds(hub.served.kinds).map(({ plural, kind }) => ({ word: plural, description: kind })),
  objects: (hub, wish) => (wish.kind === undefined ? objectsOf(hub, wish) : ofKind(hub, wish.kind)),
};

const wordsOf = (names: readonly string[]): readonly Candidate[] => names.slice(0, most).map((word) => ({ word }));

/** `member1,mem`: the last of a list is completed, and none is offered twice. */
function inList(names: readonly string[], last: string): readonly Candidate[] {
  const before = last.slice(0, last.lastIndexOf(',') + 1);
  const used = before.split(',');
  return wordsOf(names.filter((name) => !used.includes(name)).map((name) => before + name));
}

/** `deploy` becomes `deployment/`, and `deployment/` the objects of that kind. */
async function objectsOf(hub: Hub, { last }: Wish): Promise<readonly Candidate[]> {
  const slash = last.indexOf('/');
  if (slash < 0) {
    const kinds = preferredKinds(hub.served.kinds).map(({ kind }) => ({ word: `${kind.toLowerCase()}/` }));
    return [{ word: 'policy/' }, ...kinds];
  }
  const kind = last.slice(0, slash);
  const names = kind === 'policy' ? await policyNames(hub) : (await ofKind(hub, kind)).map(({ word }) => word);
  return wordsOf(names.map((name) => `${kind}/${name}`));
}

async function ofKind(hub: Hub, word: string): Promise<readonly Candidate[]> {
  const kind: ResourceInfo = kindOf(hub.served, word);
  return wordsOf(await namesOf(hub, { apiVersion: apiVersionOf(kind), kind: kind.kind }, kind.namespaced));
}

async function policyNames(hub: Hub): Promise<readonly string[]> {
  const { namespace, cluster } = policyFamilies;
  const own = await namesOf(hub, { apiVersion: policyApi, kind: namespace.kind }, true);
  const wide = await namesOf(hub, { apiVersion: policyApi, kind: cluster.kind }).catch(() => []);
  return [...new Set([...own, ...wide])].sort();
}

async function namesOf({ client, namespace }: Hub, kind: KindRef, namespaced = false): Promise<readonly string[]> {
  const { items } = await client.listAll(kind, namespaced ? { namespace } : {});
  return items.map(({ metadata }) => metadata.name).sort();
}
