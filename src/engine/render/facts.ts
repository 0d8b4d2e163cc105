import { executionNamespace, keyOf, memberOfNamespace, policyApi, refOf, workApi, workName } from '../../api/index.ts';
import type { Binding, Cluster, KubeObject, Ref, View, Work } from '../../api/index.ts';
import { decideClaim, gatherClaim, templateOf } from '../claim/index.ts';
import { wasSent } from '../dispatch/merge.ts';
import { interpreterOf } from '../interpret/index.ts';
import type { Interpreter } from '../interpret/index.ts';
import { suspensionsOf, referrerOf } from '../suspension/index.ts';
import type { Suspensions } from '../suspension/index.ts';
import { bindingIdOf, overridesNear, referredBindingId, worksKey } from '../match/index.ts';
import { overrideRecordOf, overridesInEffect, overridesOf } from '../override/index.ts';
import type { OverridesInEffect } from '../override/index.ts';
import { isGoing } from '../sight.ts';
import { targetsOf } from './targets.ts';

/** All that the Works of one binding depend on. */
export interface RenderFacts {
  readonly binding: Binding;
  /** Undefined when it is gone, or when the name now belongs to another object. */
  readonly template: KubeObject | undefined;
  /** The Works that exist, by member; in targets also those that belonged to no binding so far. */
  readonly works: ReadonlyMap<string, Work>;
  readonly suspensions: Suspensions;
  /** The binding is being deleted although its template lives: it is to be put back. */
  readonly isDeletedByHand: boolean;
  /** For a dependency, present or former: a policy is about to claim or release it or one of its referrers. */
  readonly isUnsettled: boolean;
  readonly interpreter: Interpreter;
  readonly overrides: OverridesInEffect;
  /** The clusters that overrides may tell apart, by name; none while there are no overrides. */
  readonly clusters: ReadonlyMap<string, Cluster>;
  /** Tells whether the member was last sent exactly the manifest of this Work. */
  readonly isInStep: (work: Work) => boolean;
  readonly now: string;
}

/** Gathers the facts; undefined when the binding does not exist. */
export function gatherRender(view: View, key: string): RenderFacts | undefined {
  const binding = view.get(key) as Binding | undefined;
  if (!binding) return undefined;
  const template = templateOf(view, binding);
  const works = template ? withUnbound(view, binding, template) : worksOf(view, binding);
  const suspensions = suspensionsOf(view, binding, template);
  const isDeletedByHand = binding.metadata.deletionTimestamp !== undefined && !isGoing(view, binding);
  const isInStep = (work: Work): boolean => isDelivered(view, work);
  return {
    binding,
    template,
    works,
    suspensions,
    isDeletedByHand,
    isUnsettled: isUnsettled(view, binding),
    interpreter: interpreterOf(view, binding.spec.resource),
    ...overrideFacts(view, { binding, template, works }),
    isInStep,
    now: view.now,
  };
}

interface Rendered {
  readonly binding: Binding;
  readonly template: KubeObject | undefined;
  readonly works: ReadonlyMap<string, Work>;
}

function overrideFacts(view: View, rendered: Rendered): Pick<RenderFacts, 'overrides' | 'clusters'> {
  const overrides = overridesOfBinding(view, rendered);
  const isAny = overrides.overrides.length > 0;
  return { overrides, clusters: isAny ? new Map(view.clusters.map((one) => [one.metadata.name, one])) : noClusters };
}

const noClusters: ReadonlyMap<string, Cluster> = new Map();

/** The overrides of a template with a binding. */
export function overridesOfBinding(view: View, { binding, template, works }: Rendered): OverridesInEffect {
  const record = overrideRecordOf(binding);
  // A policy that cannot be read is still there: what it says stays, and the binding says why.
  for (const { kind, namespace, name } of record?.overrides ?? []) {
    view.get(keyOf({ apiVersion: policyApi, kind, ...(namespace && { namespace }), name }));
  }
  if (!template) return overridesInEffect({ template: binding, selecting: [], record: undefined, works });
  const selecting = overridesOf(overridesNear(view, template), template);
  return overridesInEffect({ template, selecting, record, works });
}

function isDelivered(view: View, work: Work): boolean {
  const [manifest] = work.spec.workload.manifests;
  if (!manifest) return false;
  const present = view.member(memberOfNamespace(work.metadata.namespace) ?? '', keyOf(refOf(manifest)));
  return typeof present !== 'string' && wasSent(present, manifest);
}

/**
 * A dependency is subject to several claims, which change one after the other. A look in between would see an object
 * that no workload needs although its next policy is ready, or a dependency without the suspension that comes with it.
 */
function isUnsettled(view: View, { spec }: Binding): boolean {
  const { placement, requiredBy = [], resource } = spec;
  if (placement && requiredBy.length === 0) return false;
  if (isClaimMoving(view, resource)) return true;
  return requiredBy.some((snapshot) => {
    const referrer = referrerOf(view, snapshot);
    return referrer !== undefined && isClaimMoving(view, referrer.spec.resource);
  });
}

function isClaimMoving(view: View, resource: Ref): boolean {
  const facts = gatherClaim(view, keyOf(resource));
  return facts !== undefined && decideClaim(facts).actions.length > 0;
}

/** A namespace is in every member before a policy places it: the Work that brought it there is taken over. */
function withUnbound(view: View, binding: Binding, { kind, metadata }: KubeObject): ReadonlyMap<string, Work> {
  const works = worksOf(view, binding);
  if (kind !== 'Namespace') return works;
  const all = new Map(works);
  for (const { name: member } of targetsOf(binding)) {
    const place = { namespace: executionNamespace(member), name: workName({ kind, ...metadata }) };
    const work = view.get(keyOf({ apiVersion: workApi, kind: 'Work', ...place })) as Work | undefined;
    if (work && referredBindingId(work) === undefined) all.set(member, work);
  }
  return all;
}

/** The Works of a binding, by member. */
export function worksOf(view: View, binding: Binding): ReadonlyMap<string, Work> {
  const works = new Map<string, Work>();
  const id = bindingIdOf(binding);
  if (!id) return works;
  view.each(worksKey(id), (work) => {
    works.set(memberOfNamespace(work.metadata.namespace) ?? '', work as Work);
  });
  return works;
}
