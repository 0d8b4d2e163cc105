import { dependenciesAnnotation, dependenciesFinalizer, keyOf } from '../../api/index.ts';
import type { Binding, Ref } from '../../api/index.ts';
import { act, rest } from '../decision.ts';
import type { Action, Decision } from '../decision.ts';
import { ownsBinding } from '../claim/index.ts';
import { attachedBinding, detachedBinding, isNeededBy, sameAttached } from './attach.ts';
import type { DependencyFacts } from './facts.ts';

/** The actions of the dependencies distributor. */
export type DependencyAction = Action<'attach' | 'detach' | 'record'>;

/** Decides which dependencies this workload has, and on which clusters they are placed. */
export function decideDependencies(facts: DependencyFacts): Decision<DependencyAction> {
  const { handled, isPropagating, error } = facts.needed;
  if (error !== undefined) return rest('InterpreterFailed', error);
  if (!isPropagating && !isMarked(facts.binding) && facts.attached.length === 0) return rest('UpToDate');
  if (isPropagating && !handled) return rest('ContentNotHandled');
  const attaching = isPropagating ? attachAll(facts) : [];
  const actions = withLeaving(facts, attaching);
  if (actions.length === 0) return rest('UpToDate');
  return act(attaching.length > 0 ? 'Attached' : 'Detached', ...actions);
}

/** Writes the mark before any dependency is attached, and removes it after all are detached. */
function withLeaving(facts: DependencyFacts, attaching: readonly DependencyAction[]): readonly DependencyAction[] {
  const { needs = [], isPropagating } = facts.needed;
  const left = leftBy(facts, isPropagating);
  const detaching = left.flatMap(({ attached, wanted }) => detached(attached, wanted));
  const keeps = left.some(({ wanted }) => isNeededBy(wanted, facts.binding));
  const record = recording(facts.binding, isPropagating || keeps ? needs : undefined);
  return isPropagating ? [...record, ...attaching, ...detaching] : [...detaching, ...record];
}

function isMarked(binding: Binding): boolean {
  return binding.metadata.finalizers?.includes(dependenciesFinalizer) === true;
}

function attachAll(facts: DependencyFacts): readonly DependencyAction[] {
  const actions: DependencyAction[] = [];
  for (const dependency of facts.dependencies.values()) {
    const { object, binding } = dependency;
    if (binding && (!ownsBinding(object, binding) || binding.metadata.deletionTimestamp)) continue;
    const wanted = attachedBinding(facts, dependency);
    if (!binding) actions.push({ do: 'attach', write: { verb: 'create', object: wanted } });
    else if (!sameAttached(wanted, binding)) actions.push({ do: 'attach', write: { verb: 'update', object: wanted } });
  }
  return actions;
}

/** Dependencies that are no longer needed, and what happens to each: a suspension may keep it in place. */
function leftBy(facts: DependencyFacts, isPropagating: boolean): readonly { attached: Binding; wanted: Binding }[] {
  return facts.attached
    .filter(({ spec }) => !isPropagating || !facts.dependencies.has(keyOf(spec.resource)))
    .map((attached) => ({ attached, wanted: detachedBinding(facts, attached) }));
}

function detached(attached: Binding, wanted: Binding): readonly DependencyAction[] {
  return sameAttached(wanted, attached) ? [] : [{ do: 'detach', write: { verb: 'update', object: wanted } }];
}

/** The list of needs, by which a dependency that appears later finds its way here; the finalizer, to clean up what is attached. */
function recording(binding: Binding, needs: readonly Ref[] | undefined): readonly DependencyAction[] {
  const { [dependenciesAnnotation]: recorded, ...annotations } = binding.metadata.annotations ?? {};
  const finalizers = binding.metadata.finalizers?.filter((name) => name !== dependenciesFinalizer) ?? [];
  const list = needs && JSON.stringify(needs);
  if (recorded === list && isMarked(binding) === (needs !== undefined)) return [];
  const metadata = {
    ...binding.metadata,
    annotations: list === undefined ? annotations : { ...annotations, [dependenciesAnnotation]: list },
    finalizers: needs ? [...finalizers, dependenciesFinalizer] : finalizers,
  };
  return [{ do: 'record', write: { verb: 'update', object: { ...binding, metadata } } }];
}
