import { bindingFamilies, keyOf, policyFamilies, refOf } from '../../api/index.ts';
import type { Binding, Gates, KubeObject, Policy, Ref, Work } from '../../api/index.ts';
import { assumedWorks, claimOf, isClaimOf, matchPolicy, worldOf } from '../../engine/index.ts';
import { decisiveHidden, isKind } from './hidden.ts';
import type { Fetched } from './fetch.ts';
import type { Snapshot } from './state.ts';

const bindingKinds: ReadonlySet<string> = new Set(Object.values(bindingFamilies).map(({ kind }) => kind));
const policyKinds: ReadonlySet<string> = new Set(Object.values(policyFamilies).map(({ kind }) => kind));

/** This stands among what is hidden in the place of `works`. */
export const worksAssumed = 'Works, which may contain Secrets: the plan renders them from bindings and templates';

/**
 * The caller's view of a hub, with Works rendered from bindings and templates when Works themselves are hidden. Works
 * contain the content of Secrets, so most callers may not read them.
 */
export function withAssumedWorks({ objects, hidden }: Fetched, about: { gates: Gates; now: string }): Fetched {
  if (!hidden.includes('works') || hidden.some((what) => isKind(what) && what.endsWith('resourcebindings')))
    return { objects, hidden };
  const world = worldOf({ objects, ...about });
  const works = bindingsIn(objects).flatMap((binding) => assumedWorks(world, keyOf(refOf(binding))));
  return { objects: [...objects, ...works], hidden: [...hidden.filter((what) => what !== 'works'), worksAssumed] };
}

/** The names of the Works of a member that it refused at least once: what it had before may stand there. */
export function refusedIn(objects: readonly KubeObject[], namespace: string): ReadonlySet<string> {
  const works = objects.filter(({ kind, metadata }) => kind === 'Work' && metadata.namespace === namespace);
  return new Set(works.filter((work) => (work as Work).status).map(({ metadata }) => metadata.name));
}

/** A change whose effects somebody asks for. */
interface AssumedChange {
  readonly apply?: readonly KubeObject[];
  readonly delete?: readonly Ref[];
}

/** The kinds that the caller may not list and without which an effect of this change may be missing. */
export function unseenFor(snapshot: Pick<Snapshot, 'objects' | 'hidden'>, change: AssumedChange): readonly string[] {
  const decisive = decisiveHidden(snapshot);
  if (snapshot.hidden.length === 0) return decisive;
  const known = new Map(snapshot.objects.map((object) => [keyOf(refOf(object)), object]));
  const concerned = concernedBy(change, known);
  const unseen = bindingsIn(snapshot.objects)
    .filter(({ spec }) => !known.has(keyOf(spec.resource)))
    .filter((binding) => concerned.some((object) => mayConcern(object, binding)));
  return [...new Set([...decisive, ...unseen.map(({ spec }) => pluralWords(spec.resource))])];
}

/** The objects of a change, as they are and as they would be. */
function concernedBy(
  { apply = [], delete: deletes = [] }: AssumedChange,
  known: ReadonlyMap<string, KubeObject>,
): readonly KubeObject[] {
  const before = [...apply.map((object) => refOf(object)), ...deletes].map((ref) => known.get(keyOf(ref)));
  return [...apply, ...before].filter((object) => object !== undefined);
}

/**
 * Tells whether a policy or member can decide about a template of which only the binding is known. Its labels are not.
 */
function mayConcern(object: KubeObject, binding: Binding): boolean {
  if (object.kind === 'Cluster') return true;
  if (!policyKinds.has(object.kind)) return false;
  const policy = object as Policy;
  const { apiVersion, kind, namespace, name } = binding.spec.resource;
  const template: KubeObject = { apiVersion, kind, metadata: { name, ...(namespace && { namespace }) } };
  const match = matchPolicy(policy, template);
  return match.matches || match.because === 'LabelsDiffer' || isClaimOf(claimOf(binding), policy);
}

function bindingsIn(objects: readonly KubeObject[]): readonly Binding[] {
  return objects.filter((object): object is Binding => bindingKinds.has(object.kind));
}

const pluralWords = ({ kind }: Ref): string => `${kind.toLowerCase()}s`;
