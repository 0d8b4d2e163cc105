import type { BindingSpec, KubeObject, Policy } from '../../../api/index.ts';
import { isLazy, isPropagated } from '../../claim/index.ts';
import { candidatesOf, hasPickyNear, isByNamespace, kindOf, policiesNear } from '../../match/index.ts';
import type { Candidate } from '../../match/index.ts';
import type { World } from '../../world/index.ts';

/** Between which policies a template chooses, and what of them matters to its state. */
export interface Choice {
  /** Equal choices have equal texts. */
  readonly text: string;
  /** One of the policies is lazy, has dependencies, or leaves a choice between clusters. */
  readonly isLazy: boolean;
  readonly hasDependencies: boolean;
  readonly leavesChoice: boolean;
}

/**
 * Finds which policies select a template. If no policy asks for names or labels, all templates of a kind in a namespace
 * have the same choice, or all of the kind if no policy asks for namespaces either. The choice is made once: no
 * decision creates a policy or writes its spec, so it stays while a change is played.
 */
export class Choices {
  readonly #world: World;
  readonly #numbers = new Map<Policy, number>();
  /** kind → apiVersion → namespace → what all there choose from; undefined where each has a choice of its own. */
  readonly #kinds = new Map<string, Map<string, Map<string, Choice | undefined>>>();

  constructor(world: World) {
    this.#world = world;
  }

  of(template: KubeObject): Choice {
    if (!isPropagated(template)) return nothing;
    const places = this.#placesOf(template);
    const where = isByNamespace(this.#world, template) ? (template.metadata.namespace ?? '') : everywhere;
    const common = places.get(where);
    if (common) return common;
    const near = policiesNear(this.#world, template);
    const choice = this.#choiceOf(candidatesOf(near, template));
    if (!places.has(where)) places.set(where, this.#isCommon(template, near) ? choice : undefined);
    return choice;
  }

  #placesOf({ apiVersion, kind }: KubeObject): Map<string, Choice | undefined> {
    let versions = this.#kinds.get(kind);
    if (!versions) this.#kinds.set(kind, (versions = new Map()));
    let places = versions.get(apiVersion);
    if (!places) versions.set(apiVersion, (places = new Map()));
    return places;
  }

  #isCommon(template: KubeObject, near: ReadonlySet<Policy>): boolean {
    if (hasPickyNear(this.#world, template)) return false;
    for (const policy of near) if (isPicky(policy, kindOf(template))) return false;
    return true;
  }

  #choiceOf(candidates: readonly Candidate[]): Choice {
    let text = '';
    for (const { policy, precision } of candidates) text += ` p${this.#numberOf(policy)}:${precision}`;
    return {
      text,
      isLazy: candidates.some(({ policy }) => isLazy(policy)),
      hasDependencies: candidates.some(({ policy }) => policy.spec.propagateDeps),
      leavesChoice: candidates.some(({ policy }) => leavesChoice(policy.spec)),
    };
  }

  #numberOf(policy: Policy): number {
    let number = this.#numbers.get(policy);
    if (number === undefined) this.#numbers.set(policy, (number = this.#numbers.size));
    return number;
  }
}

const everywhere = '*';
const nothing: Choice = { text: '', isLazy: false, hasDependencies: false, leavesChoice: false };

/**
 * Tells whether the policy treats two objects of this kind differently, other than by the namespaces of its selectors.
 */
function isPicky({ spec }: Policy, kind: string): boolean {
  return (
    spec.resourceSelectors.some((selector) => kindOf(selector) === kind && (selector.name || selector.labelSelector)) ||
    spec.excludedResources?.some(({ name, namespace, labelSelector }) => name || namespace || labelSelector) === true
  );
}

/** Tells whether the scheduler has to choose between clusters, or to divide replicas. */
export function leavesChoice({ placement }: Pick<BindingSpec, 'placement'>): boolean {
  return Boolean(placement?.replicaScheduling || placement?.spreadConstraints?.length);
}
