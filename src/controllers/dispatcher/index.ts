import type { Condition, KubeObject, View, Work } from '../../api/index.ts';
import { conditionStatus, gatherDispatch } from '../../engine/index.ts';
import type { Reason } from '../../engine/index.ts';
import { writtenBy } from '../controller.ts';
import type {
  Assistant,
  ControllerDefinition,
  EventRule,
  LiveWorld,
  ObjectEvent,
  PerformedAction,
  Subjects,
} from '../controller.ts';
import { Lookups } from './lookups.ts';

const component = 'execution-controller';

const sync = {
  stem: 'Sync',
  on: ['work', 'template'],
  meaning: 'the member has what the Work says, or refused it',
} as const satisfies EventRule;

/** Question 4: what must change in this member? */
export const dispatcher: ControllerDefinition<'dispatch'> = {
  name: 'dispatcher',
  question: 'dispatch',
  // More requests to one member at once do no more: all share one processor, and a new one would wait for all of them.
  workers: 12,
  urgentWorkers: 8,
  perMember: true,
  // The objects of a Work with several manifests do not depend on each other.
  concurrent: ['apply', 'delete', 'abandon', 'report'],
  source: { component },
  events: {
    apply: [sync],
    delete: [{ ...sync, on: ['work'], onlyFailures: true }],
    report: [{ ...sync, when: isRefused, fails: isRefused }],
    abandon: [],
    finalize: [],
    hand: [],
    accept: [],
  },
  otherEvents: {
    list: [{ reason: 'WorkDispatching', on: 'work', meaning: 'dispatching of the Work begins, or is suspended' }],
    of: dispatchingEvents,
  },
  assist: following,
};

const obstacles: ReadonlySet<Reason> = new Set(['AlreadyThere', 'OwnedByAnotherWork', 'ClusterNotReady']);

/** Tells whether the member must not have the object, or cannot be asked. */
function isRefused(done: PerformedAction): boolean {
  const { conditions } = (writtenBy(done) as Work | undefined)?.status ?? {};
  return obstacles.has(done.decision.because) && conditionStatus(conditions, 'Applied') === 'False';
}

/** Emitted once when a Work begins to be dispatched, and once when it is suspended. */
function dispatchingEvents(_: View, done: PerformedAction, { work }: Subjects): readonly ObjectEvent[] {
  if (done.action.do !== 'report' || done.error !== undefined || !work) return [];
  const condition = dispatchingOf(writtenBy(done));
  if (!condition || condition.status === dispatchingOf(done.before)?.status) return [];
  const { message } = condition;
  return [{ object: work, type: 'Normal', reason: 'WorkDispatching', message, component, isKept: true }];
}

function dispatchingOf(work: KubeObject | undefined): Condition | undefined {
  return (work as Work | undefined)?.status?.conditions?.find(({ type }) => type === 'Dispatching');
}

/** Watches the kinds of a member that Works need, and reads single objects for which a person waits. */
function following(live: LiveWorld): Assistant {
  const lookups = new Lookups(live);
  return {
    afterDecision(key, { because }) {
      if (because !== 'MemberUnknown') return;
      const facts = gatherDispatch(live.view, key);
      if (!facts) return;
      for (const { manifest } of [facts, ...facts.others]) live.follow(facts.member, manifest);
      if (live.isUrgent(facts.work)) void lookups.lookUp(facts, () => live.askUrgently('dispatch', key));
    },
  };
}
