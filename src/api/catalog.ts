import { builtinDefinitions, builtinKinds } from './builtin.ts';
import type { Catalog, GroupInfo, KindInfo } from './kinds.ts';
import type { Definitions } from './schema.ts';
import { compareVersions } from './versions.ts';

let builtin: Catalog | undefined;

/** The kinds that every hub serves, built on first use. */
export function builtinCatalog(): Catalog {
  builtin ??= catalogOf(builtinKinds(), builtinDefinitions());
  return builtin;
}

/** A catalog with more kinds; one of the same group, version and plural replaces the one that was there. */
export function catalogWith(base: Catalog, extraKinds: readonly KindInfo[], extraDefinitions?: Definitions): Catalog {
  const replaced = new Set(extraKinds.map(resourceKey));
  const kept = base.kinds.filter((kind) => !replaced.has(resourceKey(kind)));
  const definitions = extraDefinitions ? { ...base.definitions, ...extraDefinitions } : base.definitions;
  return catalogOf([...kept, ...extraKinds], definitions);
}

/** A catalog of exactly these kinds. */
export function catalogOf(kinds: readonly KindInfo[], definitions: Definitions): Catalog {
  const resources = new Map(kinds.map((kind) => [resourceKey(kind), kind]));
  const byKind = new Map(kinds.map((kind) => [`${apiVersionOf(kind)}/${kind.kind}`, kind]));
  const groups = groupsOf(kinds);
  const names = namesOf(kinds, groups);
  return {
    kinds,
    definitions,
    groups,
    byResource: (group, version, plural) => resources.get(`${group}/${version}/${plural}`),
    byKind: (apiVersion, kind) => byKind.get(`${apiVersion}/${kind}`),
    byName: (name) => byUserName(names, name.toLowerCase()),
  };
}

/** `group/version`, or the bare version in the core group. */
export function apiVersionOf({ group, version }: { readonly group: string; readonly version: string }): string {
  return group ? `${group}/${version}` : version;
}

/** The version of a group that a client should use when it does not care. */
export function preferredVersion(catalog: Catalog, group: string): string | undefined {
  return catalog.groups.find((one) => one.group === group)?.versions[0];
}

/** The kind in which the objects of a resource are stored: itself, another version, or a resource of another group. */
export function storageKindOf(catalog: Catalog, kind: KindInfo): KindInfo {
  return catalog.byResource(kind.storageGroup ?? kind.group, kind.storageVersion, kind.plural) ?? kind;
}

function resourceKey({ group, version, plural }: KindInfo): string {
  return `${group}/${version}/${plural}`;
}

function groupsOf(kinds: readonly KindInfo[]): readonly GroupInfo[] {
  const versions = new Map<string, Set<string>>([['', new Set()]]);
  for (const { group, version } of kinds) {
    const known = versions.get(group);
    if (known) known.add(version);
    else versions.set(group, new Set([version]));
  }
  return [...versions]
    .filter(([, found]) => found.size > 0)
    .map(([group, found]) => ({ group, versions: [...found].sort(compareVersions) }));
}

/** Every name a user may type, with all kinds it may stand for: preferred versions first, groups in order. */
function namesOf(kinds: readonly KindInfo[], groups: readonly GroupInfo[]): Map<string, KindInfo[]> {
  const names = new Map<string, KindInfo[]>();
  const rank = new Map(
    groups.flatMap(({ group, versions }, i) => versions.map((v, j) => [`${group}/${v}`, i * 1000 + j])),
  );
  const rankOf = ({ group, version }: KindInfo): number => rank.get(`${group}/${version}`) ?? 0;
  for (const kind of kinds.toSorted((a, b) => rankOf(a) - rankOf(b))) {
    const own = new Set([kind.plural, kind.singular, kind.kind.toLowerCase(), ...kind.shortNames]);
    for (const name of own) names.set(name, [...(names.get(name) ?? []), kind]);
  }
  return names;
}

function byUserName(names: ReadonlyMap<string, readonly KindInfo[]>, name: string): readonly KindInfo[] {
  const [resource = '', ...rest] = name.split('.');
  const candidates = names.get(resource) ?? [];
  if (rest.length === 0) return firstOfEachGroup(candidates);
  const group = rest.join('.');
  const inGroup = candidates.filter((kind) => kind.group === group);
  if (inGroup.length > 0) return firstOfEachGroup(inGroup);
  const [version, ...groupParts] = rest;
  return candidates.filter((kind) => kind.version === version && kind.group === groupParts.join('.'));
}

function firstOfEachGroup(kinds: readonly KindInfo[]): readonly KindInfo[] {
  const seen = new Set<string>();
  return kinds.filter(({ group }) => !seen.has(group) && seen.add(group));
}
