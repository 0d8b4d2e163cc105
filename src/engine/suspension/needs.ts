import { bindingRef, keyOf } from '../../api/index.ts';
import type { Binding, BindingSnapshot, Ref, View } from '../../api/index.ts';
import { inEffectOf, isFingerprintOf, templateOf } from '../claim/index.ts';
import { interpreterOf } from '../interpret/index.ts';
import { keepsCopyOn } from '../move/index.ts';
import { isGoing } from '../sight.ts';

/** The dependencies of a workload. */
export interface Needs {
  /**
   * The objects that its template needs; undefined when its kind needs nothing or its policy does not propagate
   * dependencies.
   */
  readonly needs: readonly Ref[] | undefined;
  /** The template's content is the one that the binding reflects. */
  readonly handled: boolean;
  readonly isPropagating: boolean;
  /** Why it is not known what the template needs. */
  readonly error?: string;
}

/** The binding that a snapshot stands for. */
export function referrerOf(view: View, snapshot: BindingSnapshot): Binding | undefined {
  return view.get(keyOf(bindingRef(snapshot))) as Binding | undefined;
}

/** The dependencies of a binding's workload, as its policy and its template say now. */
export function needsOf(view: View, binding: Binding): Needs {
  const template = templateOf(view, binding);
  const found =
    template && binding.spec.propagateDeps ? interpreterOf(view, template).dependencies(template) : undefined;
  const needs = found?.value;
  return {
    needs,
    handled: template !== undefined && isFingerprintOf(inEffectOf(binding)?.template, template),
    ...(found?.error !== undefined && { error: found.error }),
    isPropagating: view.gates.PropagateDeps && !isGoing(view, binding) && needs !== undefined,
  };
}

/**
 * Tells whether the workload still needs this object on this cluster. A change that its binding has not taken up has
 * not happened: until then the earlier dependencies count.
 */
export function needs(
  { binding, needed }: { binding: Binding; needed: Needs },
  resource: Ref,
  cluster: string,
): boolean {
  const { needs = [], handled, isPropagating } = needed;
  if (!isPropagating) return false;
  if (!handled) return true;
  const isThere = binding.spec.clusters?.some(({ name }) => name === cluster) === true || keepsCopyOn(binding, cluster);
  return isThere && needs.some((need) => keyOf(need) === keyOf(resource));
}
