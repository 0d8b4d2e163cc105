import {
  apiVersionOf,
  clusterApi,
  compareVersions,
  decidingGroups,
  executionNamespace,
  workApi,
} from '../api/index.ts';
import type { KindRef, ResourceInfo } from '../client/index.ts';
import { isTemplateKind } from '../engine/index.ts';

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
  ];
}
