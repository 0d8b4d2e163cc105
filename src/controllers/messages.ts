/**
 * Messages and rules of events that several controllers emit.
 * It must not know any single controller. Start with `messageOf`.
 */
import { memberOfNamespace } from '../api/index.ts';
import type { Binding, View, Work } from '../api/index.ts';
import { disagreementsOf, reasons } from '../engine/index.ts';
import type { Reason } from '../engine/index.ts';
import { writtenBy } from './controller.ts';
import type { EventRule, ObjectEvent, PerformedAction } from './controller.ts';

/** A reason with its meaning, and more about this case. */
export function reasonText(because: Reason, more?: string): string {
  return more === undefined ? `${because}: ${reasons[because]}` : `${because}: ${reasons[because]}: ${more}`;
}

/** The event of a binding for which clusters were chosen, by the detector or by the scheduler. */
export const clustersChosen = {
  stem: 'ScheduleBinding',
  on: ['binding', 'template'],
  meaning: 'clusters were chosen, or could not be',
  message: clustersText,
} as const satisfies EventRule;

/** The clusters of a binding, with replicas. */
function clustersText(done: PerformedAction): string {
  const clusters = (writtenBy(done) as Binding | undefined)?.spec.clusters ?? [];
  const all = clusters.map(({ name, replicas }) =>
    replicas === undefined ? name : `${name} (${replicasText(replicas)})`,
  );
  return reasonText('Scheduled', all.length > 0 ? all.join(', ') : 'none');
}

/** `1 replica`, `2 replicas`. */
export function replicasText(replicas: number): string {
  return replicas === 1 ? '1 replica' : `${replicas} replicas`;
}

/** The message of the server that refused, with the name of the member; else the reason of the decision. */
export function messageOf(done: PerformedAction): string {
  const { decision, error } = done;
  if (error instanceof Error) return `${memberPrefix(done)}${error.message}`;
  const applied = (writtenBy(done) as Work | undefined)?.status?.conditions?.find(({ type }) => type === 'Applied');
  if (done.question === 'dispatch' && applied?.status === 'False') return `${memberPrefix(done)}${applied.message}`;
  return decision.detail === undefined ? reasonText(decision.because) : `${decision.because}: ${decision.detail}`;
}

/** An event on a template names the member that refused, since a template is on many members. */
function memberPrefix(done: PerformedAction): string {
  const { write } = done.action;
  const written = writtenBy(done);
  const member = write.at ?? (written?.kind === 'Work' ? memberOfNamespace(written.metadata.namespace) : undefined);
  return done.question === 'dispatch' && member !== undefined ? `${member}: ` : '';
}

/** Events on bindings of dependencies whose referrers disagree: which fields differ, and which value counts. */
export function conflictEvents(view: View, bindings: readonly Binding[]): readonly ObjectEvent[] {
  return bindings.flatMap((object) => {
    const conflicts = disagreementsOf(view, object);
    if (conflicts.length === 0) return [];
    const message = `those that need it disagree: ${conflicts.join('; ')}`;
    const reason = 'DependencyPolicyConflict';
    return [{ object, type: 'Warning', reason, message, component: 'dependencies-distributor' }];
  });
}
