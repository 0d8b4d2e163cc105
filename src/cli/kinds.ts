import { apiVersionOf, compareVersions, policyApi, policyFamilies, rolloutFamilies } from '../api/index.ts';
import type { Ref } from '../api/index.ts';
import type { ResourceInfo, Resources } from '../client/index.ts';
import type { Hub } from './connect.ts';
import { Failure, UsageError } from './failure.ts';
import { nearest } from './nearest.ts';

/** Every kind once, in its preferred version. */
export function preferredKinds(kinds: readonly ResourceInfo[]): readonly ResourceInfo[] {
  const best = new Map<string, ResourceInfo>();
  for (const kind of kinds) {
    const name = `${kind.group}/${kind.plural}`;
    const known = best.get(name);
    if (!known || compareVersions(kind.version, known.version) < 0) best.set(name, kind);
  }
  return [...best.values()];
}

/** The kind that a user's word means: a plural, singular, short name or kind, with `.group` or `.version.group` behind it if needed. */
export function kindOf({ kinds }: Pick<Resources, 'kinds'>, word: string): ResourceInfo {
  const [name = '', ...rest] = word.toLowerCase().split('.');
  const place = rest.join('.');
  const named = kinds.filter((kind) => namesOf(kind).includes(name));
  const meant =
    place === '' ? preferredKinds(named)[0] : preferredKinds(named.filter((kind) => standsAt(kind, place)))[0];
  if (meant) return meant;
  const near = nearest(word.toLowerCase(), kinds.flatMap(namesOf));
  throw new UsageError(
    `the hub serves no kind ${JSON.stringify(word)}${near ? `; did you mean ${near}?` : ': see `sluice api-resources`'}`,
  );
}

function namesOf({ plural, singular, kind, shortNames }: ResourceInfo): readonly string[] {
  return [plural, singular ?? '', kind.toLowerCase(), ...(shortNames ?? [])];
}

/** `apps`, `v1.apps`, or for the core group `v1`. */
function standsAt({ group, version }: ResourceInfo, place: string): boolean {
  return place === group || place === (group ? `${version}.${group}` : version);
}

/** Splits `KIND/NAME`. */
export function partsOf(word: string): { readonly kind: string; readonly name: string } {
  const slash = word.indexOf('/');
  const [kind, name] = [word.slice(0, slash), word.slice(slash + 1)];
  if (slash <= 0 || name === '' || name.includes('/')) {
    throw new UsageError(`${JSON.stringify(word)} must be KIND/NAME (deployment/nginx or policy/my-policy)`);
  }
  return { kind, name };
}

/** The reference that `KIND/NAME` means in this namespace. `policy/NAME` is looked for by `findPolicy`. */
export function refFrom(resources: Pick<Resources, 'kinds'>, word: string, namespace: string): Ref {
  const { kind, name } = partsOf(word);
  return refWithin(kindOf(resources, kind), name, namespace);
}

/** The reference of an object of a kind; the namespace counts where the kind has one. */
export function refWithin(kind: ResourceInfo, name: string, namespace: string): Ref {
  const apiVersion = apiVersionOf(kind);
  return { apiVersion, kind: kind.kind, ...(kind.namespaced && { namespace }), name };
}

/** The kinds of propagation policies. */
export const policyKinds: ReadonlySet<string> = new Set(Object.values(policyFamilies).map(({ kind }) => kind));
const rolloutKinds: ReadonlySet<string> = new Set(Object.values(rolloutFamilies).map(({ kind }) => kind));

/** True for a propagation policy. */
export function isPolicyRef({ apiVersion, kind }: Pick<Ref, 'apiVersion' | 'kind'>): boolean {
  return apiVersion === policyApi && policyKinds.has(kind);
}

/** True for a rollout policy. */
export function isRolloutRef({ apiVersion, kind }: Pick<Ref, 'apiVersion' | 'kind'>): boolean {
  return apiVersion === policyApi && rolloutKinds.has(kind);
}

/** The object that `KIND/NAME` means; `policy/NAME` is the policy of the namespace, or else the cluster's. */
export async function findTarget(hub: Hub, word: string, namespace: string): Promise<Ref> {
  const { kind, name } = partsOf(word);
  return kind === 'policy' ? findPolicy(hub, name, namespace) : refFrom(hub.served, word, namespace);
}

/** The policy of this name: that of the namespace, or else the cluster's. */
export async function findPolicy({ client }: Pick<Hub, 'client'>, name: string, namespace: string): Promise<Ref> {
  const own = { apiVersion: policyApi, kind: policyFamilies.namespace.kind, namespace, name };
  if (await client.find(own)) return own;
  const wide = { apiVersion: policyApi, kind: policyFamilies.cluster.kind, name };
  if (await client.find(wide)) return wide;
  throw new Failure(
    `there is no policy ${name}: neither a PropagationPolicy in ${namespace} nor a ClusterPropagationPolicy`,
  );
}
