import type { CrdNames, CustomResourceDefinition } from '../../api/index.ts';

/** The names that a definition gets, and why it does not get the others that it asks for. */
export interface NamesVerdict {
  readonly accepted: CrdNames;
  /** Absent when all names are accepted. */
  readonly conflict?: { readonly reason: string; readonly message: string };
}

/** The names that the other definitions of the group have been given already. */
interface Taken {
  readonly resources: ReadonlySet<string>;
  readonly kinds: ReadonlySet<string>;
}

/** Decides the names of a definition: it does not get a name that another one has, and keeps the names that it has. */
export function namesVerdict(crd: CustomResourceDefinition, others: readonly CustomResourceDefinition[]): NamesVerdict {
  const wanted = crd.spec.names;
  const current = crd.status?.acceptedNames;
  const taken = takenBy(others.filter((other) => other.spec.group === crd.spec.group));
  const conflicts: { reason: string; message: string }[] = [];
  const claim = (reason: string, pool: ReadonlySet<string>, [want, have]: readonly (string | undefined)[]): string => {
    if (!want || want === have || !pool.has(want)) return want ?? '';
    conflicts.push({ reason, message: `${JSON.stringify(want)} is already in use` });
    return have ?? '';
  };
  const plural = claim('PluralConflict', taken.resources, [wanted.plural, current?.plural]);
  const singular = claim('SingularConflict', taken.resources, [wanted.singular, current?.singular]);
  const shortNames = claimShortNames(wanted, current, taken.resources);
  if (shortNames.message) conflicts.push({ reason: 'ShortNamesConflict', message: shortNames.message });
  const kind = claim('KindConflict', taken.kinds, [wanted.kind, current?.kind]);
  const listKind = claim('ListKindConflict', taken.kinds, [wanted.listKind, current?.listKind]);
  const accepted = {
    plural,
    singular,
    kind,
    listKind,
    ...(shortNames.accepted && { shortNames: shortNames.accepted }),
    ...(wanted.categories && { categories: wanted.categories }),
  };
  const conflict = conflicts.at(-1);
  return conflict ? { accepted, conflict } : { accepted };
}

function claimShortNames(
  wanted: CrdNames,
  current: CrdNames | undefined,
  taken: ReadonlySet<string>,
): { readonly accepted: readonly string[] | undefined; readonly message: string } {
  const own = new Set(current?.shortNames);
  const refused = (wanted.shortNames ?? []).filter((name) => !own.has(name) && taken.has(name));
  if (refused.length === 0) return { accepted: wanted.shortNames, message: '' };
  const words = refused.map((name) => `${JSON.stringify(name)} is already in use`);
  return { accepted: current?.shortNames, message: words.length === 1 ? (words[0] ?? '') : `[${words.join(', ')}]` };
}

function takenBy(others: readonly CustomResourceDefinition[]): Taken {
  const names = others.map((other) => other.status?.acceptedNames).filter((one) => one !== undefined);
  const resources = names.flatMap(({ plural, singular, shortNames }) => [plural, singular, ...(shortNames ?? [])]);
  const kinds = names.flatMap(({ kind, listKind }) => [kind, listKind]);
  return { resources: present(resources), kinds: present(kinds) };
}

function present(names: readonly (string | undefined)[]): ReadonlySet<string> {
  return new Set(names.filter((name) => name !== undefined).filter((name) => name !== ''));
}
