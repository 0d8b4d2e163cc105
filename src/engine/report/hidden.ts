/**
 * Kinds that a caller may not list: plural names, or `plural in namespace name`, beside sentences about other things.
 */
export type Hidden = readonly string[];

/** Nothing is hidden: the controllers see everything. */
export const nothingHidden: Hidden = [];

const groups: Readonly<Record<string, string>> = {
  clusters: 'cluster.karmada.io',
  resourcebindings: 'work.karmada.io',
  clusterresourcebindings: 'work.karmada.io',
  works: 'work.karmada.io',
  propagationpolicies: 'policy.karmada.io',
  clusterpropagationpolicies: 'policy.karmada.io',
};

/** Tells whether a kind is hidden from the caller, everywhere or in this namespace. */
export function isHidden(hidden: Hidden, plural: string, namespace?: string): boolean {
  return hidden.includes(plural) || (namespace !== undefined && hidden.includes(`${plural} in namespace ${namespace}`));
}

/** The sentence that names the permissions to ask for. */
export function permissionWords(plurals: readonly string[]): string {
  return `you need permission to list ${plurals.map((plural) => `${plural}.${groups[plural] ?? ''}`).join(' and ')}`;
}
