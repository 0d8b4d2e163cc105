import { forbidden } from '../api/index.ts';
import type { KubeObject, Policy, ResourceSelector } from '../api/index.ts';
import { equal, isObject } from '../base/index.ts';
import { dependencyKinds, namespacePattern } from '../engine/index.ts';
import type { Powers, Review } from './admit.ts';

/** Objects that a policy may place: of a kind, in a namespace (empty: in all), by name (empty: all). */
interface Selection {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

const isPolicy = (object: KubeObject): object is Policy =>
  object.kind === 'PropagationPolicy' || object.kind === 'ClusterPropagationPolicy';

/**
 * A policy sends objects to members, where others may read them. So its author needs the right to get everything that it
 * selects, or the verb `propagate` on it; with `propagateDeps`, also what workloads depend on. A write that leaves the spec as it
 * is places nothing new.
 */
export function demandAuthorRights({ kind, name, user, old }: Review, object: KubeObject, powers: Powers): void {
  if (!isPolicy(object) || (old && equal((old as Policy).spec, object.spec)) || !isReadable(object)) return;
  for (const selection of selectionsOf(object)) {
    if (['get', 'propagate'].some((verb) => powers.may(user, { ...selection, verb }))) continue;
    throw forbidden({ group: kind.group, plural: kind.plural }, name, refusal(user.name, selection));
  }
}

/** Rights are asked for before the schema is checked. An object that lacks the shape of a policy is refused there. */
function isReadable({ spec }: { readonly spec?: unknown }): boolean {
  const selectors = isObject(spec) ? spec['resourceSelectors'] : undefined;
  return Array.isArray(selectors) && selectors.every(isSelector);
}

function isSelector(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { apiVersion, kind, namespace = '', name = '' } = value;
  return [apiVersion, kind, namespace, name].every((part) => typeof part === 'string');
}

function refusal(user: string, { apiVersion, kind, namespace, name }: Selection): string {
  const what = name === '' ? `${kind} (${apiVersion})` : `${kind} ${JSON.stringify(name)} (${apiVersion})`;
  const where = namespace === '' ? 'in all namespaces' : `in namespace ${JSON.stringify(namespace)}`;
  return `User ${JSON.stringify(user)} may place only what they may read: this policy needs the verb get or propagate on ${what} ${where}`;
}

function selectionsOf({ kind, metadata, spec }: Policy): readonly Selection[] {
  const own = kind === 'PropagationPolicy' ? (metadata.namespace ?? '') : undefined;
  return spec.resourceSelectors.flatMap((selector) =>
    (own === undefined ? namespacesOf(selector) : [own]).flatMap((namespace) => [
      { apiVersion: selector.apiVersion, kind: selector.kind, namespace, name: selector.name ?? '' },
      ...(spec.propagateDeps ? dependencyKinds.map((dependency) => inCore(dependency, namespace)) : []),
    ]),
  );
}

const inCore = (kind: string, namespace: string): Selection => ({ apiVersion: 'v1', kind, namespace, name: '' });

/** A prefix covers namespaces that do not exist yet: it takes the right to all of them. */
function namespacesOf({ namespace }: ResourceSelector): readonly string[] {
  if (!namespace) return [''];
  const { names, prefixes } = namespacePattern(namespace);
  return prefixes.length > 0 ? [''] : names;
}
