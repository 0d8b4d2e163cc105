import { keyOf, referenceKey } from '../../api/index.ts';
import type { Binding, KubeObject, Ref, View } from '../../api/index.ts';
import { bindingRefIn } from '../claim/index.ts';
import { needsOf, referrerOf, workloadSuspensions } from '../suspension/index.ts';
import type { ActiveSuspension, Needs } from '../suspension/index.ts';
import { attachedKey, recordedDependencies } from '../match/index.ts';

/** An object that a workload needs, with its binding if it has one. */
export interface Dependency {
  readonly object: KubeObject;
  readonly binding: Binding | undefined;
  /** The name of the binding, whether it exists or not. */
  readonly name: string;
  /** The workload has needed it for longer: when it is made again, old copies get it back. */
  readonly isKnown: boolean;
}

/** All facts on which the dependencies of one binding depend. */
export interface DependencyFacts {
  readonly binding: Binding;
  readonly needed: Needs;
  /** The objects of `needs` that exist, by key. */
  readonly dependencies: ReadonlyMap<string, Dependency>;
  /** Bindings that are attached to this one as dependencies now. */
  readonly attached: readonly Binding[];
  /** Other bindings that need the dependencies, by reference key, to settle disagreements. */
  readonly referrers: ReadonlyMap<string, Binding>;
  readonly suspensions: readonly ActiveSuspension[];
}

/** Gathers the facts; undefined when the binding does not exist. */
export function gatherDependencies(view: View, key: string): DependencyFacts | undefined {
  const binding = view.get(key) as Binding | undefined;
  if (!binding) return undefined;
  const needed = needsOf(view, binding);
  const dependencies = dependenciesIn(view, binding, needed.needs ?? []);
  const attached = attachedTo(view, binding);
  return {
    binding,
    needed,
    dependencies,
    attached,
    referrers: referrersOf(view, [...attached, ...[...dependencies.values()].map((dependency) => dependency.binding)]),
    suspensions: workloadSuspensions(view, binding),
  };
}

function dependenciesIn(view: View, referrer: Binding, needs: readonly Ref[]): ReadonlyMap<string, Dependency> {
  const known = new Set(recordedDependencies(referrer).map(keyOf));
  const found = new Map<string, Dependency>();
  for (const ref of needs) {
    const object = view.get(keyOf(ref));
    if (!object) continue;
    const place = bindingRefIn(view, object);
    const binding = view.get(keyOf(place)) as Binding | undefined;
    found.set(keyOf(ref), { object, binding, name: place.name, isKnown: known.has(keyOf(ref)) });
  }
  return found;
}

function attachedTo(view: View, binding: Binding): readonly Binding[] {
  const found: Binding[] = [];
  view.each(attachedKey(referenceKey(binding.metadata)), (attached) => void found.push(attached as Binding));
  return found;
}

function referrersOf(view: View, bindings: readonly (Binding | undefined)[]): ReadonlyMap<string, Binding> {
  const found = new Map<string, Binding>();
  for (const binding of bindings) {
    for (const snapshot of binding?.spec.requiredBy ?? []) {
      const referrer = referrerOf(view, snapshot);
      if (referrer) found.set(referenceKey(snapshot), referrer);
    }
  }
  return found;
}
