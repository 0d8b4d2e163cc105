import { executionNamespace, keyOf, memberOfNamespace, refOf, workApi, workName } from '../../api/index.ts';
import type { Binding, KubeObject, Ref, View, Work } from '../../api/index.ts';
import { decideClaim, gatherClaim, templateOf } from '../claim/index.ts';
import { wasSent } from '../dispatch/merge.ts';
import { interpreterOf } from '../interpret/index.ts';
import type { Interpreter } from '../interpret/index.ts';
import { suspensionsOf, referrerOf } from '../suspension/index.ts';
import type { Suspensions } from '../suspension/index.ts';
import { bindingIdOf, referredBindingId, worksKey } from '../match/index.ts';
import { isGoing } from '../sight.ts';
import { targetsOf } from './targets.ts';

/** Changes a manifest for one cluster; throws nothing, returns what went wrong. */
export type Override = (manifest: KubeObject, cluster: string) => Overridden;

export interface Overridden {
  readonly manifest: KubeObject;
  /** Annotations that the Work carries to say which overrides were applied. */
  readonly annotations?: Readonly<Record<string, string>>;
  readonly error?: string;
}

/** Overrides nothing; the place where override policies will come in. */
export const noOverride: Override = (manifest) => ({ manifest });

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
  readonly override: Override;
  /** Was the member last sent just what this Work says? */
  readonly isInStep: (work: Work) => boolean;
  readonly now: string;
}

/** Gathers the facts; undefined when the binding does not exist. */
export function gatherRender(view: View, key: string, override: Override = noOverride): RenderFacts | undefined {
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
    override,
    isInStep,
    now: view.now,
  };
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
