import { appliedPlacementAnnotation, referenceKey } from '../../api/index.ts';
import type { Binding, KubeObject, View } from '../../api/index.ts';
import { equal } from '../../base/index.ts';
import { attachedKey, claimOf } from '../../engine/index.ts';
import { writtenBy } from '../controller.ts';
import type { ControllerDefinition, PerformedAction } from '../controller.ts';
import { clustersChosen, conflictEvents, reasonText, replicasText } from '../messages.ts';
import { patchClaim } from './claim-patch.ts';

/** Question 1: which policy manages this template, and what should its binding say? */
export const detector: ControllerDefinition<'claim'> = {
  name: 'detector',
  question: 'claim',
  workers: 8,
  urgentWorkers: 8,
  source: { component: 'resource-detector' },
  events: {
    claim: [
      {
        stem: 'PreemptPolicy',
        on: ['template'],
        meaning: 'a policy took the template over from another',
        when: ({ decision }) => decision.because === 'Preempted',
        message: policyText,
      },
    ],
    bind: [
      { stem: 'ApplyPolicy', on: ['template'], meaning: 'the binding says what the policy says', message: policyText },
      {
        stem: 'GetReplicas',
        on: ['template'],
        meaning: 'the replicas of the template were counted',
        when: (done) => replicasIn(done) !== undefined,
        message: (done) => replicasText(replicasIn(done) ?? 0),
      },
      { ...clustersChosen, when: isPlacedAnew },
    ],
    release: [],
  },
  otherEvents: { list: [], of: (view, done) => conflictEvents(view, dependenciesOf(view, done)) },
  perform: patchClaim,
};

/** The reason, and the policy that manages the template or binding now. */
function policyText(done: PerformedAction): string {
  const written = writtenBy(done);
  const claim = written && claimOf(written);
  if (!claim) return reasonText(done.decision.because);
  const namespace = claim.namespace === undefined ? '' : `${claim.namespace}/`;
  return reasonText(done.decision.because, `${claim.family.kind} ${namespace}${claim.name}`);
}

function replicasIn(done: PerformedAction): number | undefined {
  return (writtenBy(done) as Binding | undefined)?.spec.replicas;
}

/** A binding that is written anyway is written with its clusters. */
function isPlacedAnew(done: PerformedAction): boolean {
  const [now, before] = [writtenBy(done) as Binding | undefined, done.before as Binding | undefined];
  if (now?.metadata.annotations?.[appliedPlacementAnnotation] === undefined) return false;
  return !equal(now.spec.clusters, before?.spec.clusters);
}

/** The bindings of dependencies on which the policy of this referrer has new wishes. */
function dependenciesOf(view: View, done: PerformedAction): readonly Binding[] {
  const now = writtenBy(done) as Binding | undefined;
  if (!now || done.error !== undefined || done.action.do !== 'bind' || !hasNewWishes(now, done.before)) return [];
  const found: Binding[] = [];
  view.each(attachedKey(referenceKey(now.metadata)), (attached) => void found.push(attached as Binding));
  return found;
}

function hasNewWishes({ spec }: Binding, before: KubeObject | undefined): boolean {
  const old = (before as Binding | undefined)?.spec;
  if (!old) return false;
  return (
    spec.conflictResolution !== old.conflictResolution ||
    spec.preserveResourcesOnDeletion !== old.preserveResourcesOnDeletion
  );
}
