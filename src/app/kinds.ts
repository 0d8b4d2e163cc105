import { apiVersionOf, compareVersions, decidingGroups } from '../api/index.ts';
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
