import {
  apiVersionOf,
  builtinCatalog,
  clusterApi,
  compareVersions,
  crds,
  decidingGroups,
  executionNamespace,
  groupOf,
  workApi,
} from '../api/index.ts';
import type { KubeObject } from '../api/index.ts';
import type { ApiClient, KindRef, ResourceInfo } from '../client/index.ts';
import { isTemplateKind } from '../engine/index.ts';
import type { Logger } from '../observe/index.ts';
import type { RemoteHub } from './remote.ts';

/** Kinds that are served in the name of others, or that change all the time and are nobody's template. */
const left: ReadonlySet<string> = new Set(['ComponentStatus', 'Event', 'Lease', 'APIService']);

/** The kinds that the controllers follow: every possible template and our own, each in its preferred version. */
export function followedKinds(kinds: readonly ResourceInfo[]): readonly KindRef[] {
  const best = new Map<string, ResourceInfo>();
  for (const kind of kinds) {
    if (!isFollowed(kind)) continue;
    const name = `${kind.group}/${kind.plural}`;
    const known = best.get(name);
    if (!known || compareVersions(kind.version, known.version) < 0) best.set(name, kind);
  }
  return [...best.values()].map((kind) => ({ apiVersion: apiVersionOf(kind), kind: kind.kind }));
}

function isFollowed(kind: ResourceInfo): boolean {
  if (!kind.verbs.includes('list') || !kind.verbs.includes('watch') || left.has(kind.kind)) return false;
  return decidingGroups.has(kind.group) || isTemplateKind({ apiVersion: apiVersionOf(kind), kind: kind.kind });
}

/** A kind, and the part of it that is followed. */
export interface Followed {
  readonly of: KindRef;
  readonly select?: { readonly namespace?: string; readonly fieldSelector?: string };
}

/** The kinds that the agent of a member follows on the hub, narrowed to what it may read. */
export function kindsOfAgent(member: string): readonly Followed[] {
  return [
    { of: { apiVersion: workApi, kind: 'Work' }, select: { namespace: executionNamespace(member) } },
    { of: { apiVersion: clusterApi, kind: 'Cluster' }, select: { fieldSelector: `metadata.name=${member}` } },
    { of: { apiVersion: 'config.karmada.io/v1alpha1', kind: 'ResourceInterpreterCustomization' } },
    { of: { apiVersion: 'config.karmada.io/v1alpha1', kind: 'ResourceInterpreterWebhookConfiguration' } },
  ];
}

/** The resources of the hub that are neither Kubernetes' own nor ours, and whose objects can be templates. */
export function foreignTemplates({
  client,
}: RemoteHub): readonly { readonly group: string; readonly plural: string }[] {
  const own = new Set(builtinCatalog().groups.map(({ group }) => group));
  const names = client.resources.kinds
    .filter((kind) => isFollowed(kind) && !own.has(kind.group) && !ownCrds.has(`${kind.plural}.${kind.group}`))
    .map(({ group, plural }) => `${plural}.${group}`);
  return [...new Set(names)].sort().map((name) => {
    const dot = name.indexOf('.');
    return { plural: name.slice(0, dot), group: name.slice(dot + 1) };
  });
}

const ownCrds: ReadonlySet<string> = new Set(crds().map(({ metadata }) => metadata.name));

/**
 * The kinds that the hub lets this process follow. The others are no templates here: the process says so once, and all the
 * rest goes on.
 */
export function permittedKinds(
  hub: RemoteHub,
  log: Logger,
): (kinds: readonly KindRef[]) => Promise<readonly KindRef[]> {
  const told = new Set<string>();
  return async (kinds) => {
    await hub.refresh();
    const allowed = await Promise.all(kinds.map((kind) => mayFollow(hub.client, kind)));
    const denied = kinds.filter((_, i) => allowed[i] !== true).map(({ apiVersion, kind }) => `${kind}.${apiVersion}`);
    const fresh = denied.filter((name) => !told.has(name));
    for (const name of fresh) told.add(name);
    if (fresh.length > 0) log.warn('may not follow these kinds: their objects are no templates', { kinds: fresh });
    return kinds.filter((_, i) => allowed[i] === true);
  };
}

async function mayFollow(client: ApiClient, { apiVersion, kind }: KindRef): Promise<boolean> {
  const resource = client.resources.byKind(apiVersion, kind)?.plural ?? '';
  const answers = await Promise.all(
    ['list', 'watch'].map(async (verb) => {
      const spec = { resourceAttributes: { verb, group: groupOf(apiVersion), resource } };
      const review = { apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectAccessReview', metadata: {}, spec };
      const answer = await client.create(review as unknown as KubeObject);
      return (answer as { readonly status?: { readonly allowed?: boolean } }).status?.allowed === true;
    }),
  );
  return answers.every(Boolean);
}
