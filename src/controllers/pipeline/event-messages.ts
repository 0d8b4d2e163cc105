import { memberOfNamespace } from '../../api/index.ts';
import type { Binding, Work } from '../../api/index.ts';
import { claimOf, reasons } from '../../engine/index.ts';
import type { Reason } from '../../engine/index.ts';
import { writtenBy } from './performed-action.ts';
import type { PerformedAction } from './performed-action.ts';

const wordsOf = (because: Reason, more?: string): string =>
  more === undefined ? `${because}: ${reasons[because]}` : `${because}: ${reasons[because]}: ${more}`;

/** The reason, and the policy that a template or binding is now held by. */
export function whoHolds(deed: PerformedAction): string {
  const written = writtenBy(deed);
  const claim = written && claimOf(written);
  if (!claim) return wordsOf(deed.decision.because);
  const place = claim.namespace === undefined ? '' : `${claim.namespace}/`;
  return wordsOf(deed.decision.because, `${claim.family.kind} ${place}${claim.name}`);
}

/** Which clusters a binding goes to, whatever made it do so. */
export function whichClusters(deed: PerformedAction): string {
  const clusters = (writtenBy(deed) as Binding | undefined)?.spec.clusters ?? [];
  const all = clusters.map(({ name, replicas }) => (replicas === undefined ? name : `${name} (${counted(replicas)})`));
  return wordsOf('Scheduled', all.length > 0 ? all.join(', ') : 'none');
}

/** How many replicas a template has. */
export function howMany(deed: PerformedAction): string {
  return counted((writtenBy(deed) as Binding | undefined)?.spec.replicas ?? 0);
}

const counted = (replicas: number): string => (replicas === 1 ? '1 replica' : `${replicas} replicas`);

/** The words of whoever refused, and where; else the reason. */
export function messageOf(deed: PerformedAction): string {
  const { decision, error } = deed;
  if (error instanceof Error) return `${placeOf(deed)}${error.message}`;
  const applied = (writtenBy(deed) as Work | undefined)?.status?.conditions?.find(({ type }) => type === 'Applied');
  if (deed.question === 'dispatch' && applied?.status === 'False') return `${placeOf(deed)}${applied.message}`;
  return decision.detail === undefined ? wordsOf(decision.because) : `${decision.because}: ${decision.detail}`;
}

/** A template is told about many members: which one refused? */
function placeOf(deed: PerformedAction): string {
  const { write } = deed.action;
  const written = writtenBy(deed);
  const member = write.at ?? (written?.kind === 'Work' ? memberOfNamespace(written.metadata.namespace) : undefined);
  return deed.question === 'dispatch' && member !== undefined ? `${member}: ` : '';
}
