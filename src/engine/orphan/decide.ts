import { keyOf, refOf } from '../../api/index.ts';
import type { Binding, KubeObject, Ref, View, Work } from '../../api/index.ts';
import { ownsBinding } from '../claim/index.ts';
import { act, rest } from '../decision.ts';
import type { Action, Decision } from '../decision.ts';
import { bindingIdOf, bindingRefOfWork, workBindingIdOf } from '../match/index.ts';

/** A Work or a binding, and those that it is there for. */
export interface OrphanFacts {
  readonly object: Work | Binding;
  /** The owners that keep the object in existence; the decision is valid as long as none of them exists. */
  readonly needs: readonly Ref[];
  readonly binding: Binding | undefined;
  readonly template: KubeObject | undefined;
}

/** The actions about an orphan. */
export type OrphanAction = Action<'collect'>;

type Lookup = (ref: Ref) => KubeObject | undefined;

/** Gathers the facts; undefined when the object is gone, or when somebody else answers for it. */
export function gatherOrphan(view: View, key: string): OrphanFacts | undefined {
  const object = view.get(key) as Work | Binding | undefined;
  return object && orphanFactsOf(object, (ref) => view.get(keyOf(ref)));
}

/** The same about an object that was read elsewhere; `needs` are what was looked up. */
export function orphanFactsOf(object: Work | Binding, lookup: Lookup): OrphanFacts | undefined {
  return object.kind === 'Work' ? factsOfWork(object, lookup) : factsOfBinding(object, lookup);
}

function factsOfWork(work: Work, lookup: Lookup): OrphanFacts | undefined {
  const [binding, manifest] = [bindingRefOfWork(work), work.spec.workload.manifests[0]];
  if (!binding || !manifest) return undefined;
  const template = refOf(manifest);
  const needs = [binding, template];
  return { object: work, needs, binding: lookup(binding) as Binding | undefined, template: lookup(template) };
}

/** A binding without an owner was left behind on purpose (`kubectl delete --cascade=orphan`): what runs stays. */
function factsOfBinding(binding: Binding, lookup: Lookup): OrphanFacts | undefined {
  const { apiVersion, kind, namespace, name } = binding.spec.resource;
  if (!binding.metadata.ownerReferences?.some(({ controller }) => controller)) return undefined;
  const ref = { apiVersion, kind, ...(namespace && { namespace }), name };
  return { object: binding, needs: [ref], binding, template: lookup(ref) };
}

/**
 * Decides whether a binding or Work can be deleted. A binding goes with its template; a Work goes when its binding and
 * its template are gone, or when its name now belongs to another binding. A Work whose template exists stays: the
 * detector makes its binding again.
 */
export function decideOrphan(facts: OrphanFacts): Decision<OrphanAction> {
  const { object } = facts;
  if (object.metadata.deletionTimestamp) return rest('UpToDate');
  const because = object.kind === 'Work' ? whyOfWork(facts) : whyOfBinding(facts);
  if (!because) return rest('UpToDate');
  const { uid } = object.metadata;
  return act(because, { do: 'collect', write: { verb: 'delete', ref: refOf(object), ...(uid && { uid }) } });
}

function whyOfWork({ object, binding, template }: OrphanFacts): 'BindingGone' | undefined {
  if (binding) return bindingIdOf(binding) === workBindingIdOf(object) ? undefined : 'BindingGone';
  return template ? undefined : 'BindingGone';
}

function whyOfBinding({ object, template }: OrphanFacts): 'TemplateGone' | undefined {
  return template && ownsBinding(template, object as Binding) ? undefined : 'TemplateGone';
}
