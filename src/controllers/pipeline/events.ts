import { keyOf, referenceKey, refOf } from '../../api/index.ts';
import type { Binding, Condition, KubeObject, RolloutPolicy, View } from '../../api/index.ts';
import { attachedKey, bindingKeyOf, bindingOf, disagreementsOf, inEffectCondition } from '../../engine/index.ts';
import type { Question } from '../../engine/index.ts';
import { writtenBy } from './performed-action.ts';
import type { PerformedAction } from './performed-action.ts';
import { dispatchingOf, eventRules } from './event-rules.ts';
import type { Subject, EventRule } from './event-rules.ts';
import { messageOf } from './event-messages.ts';

/** An event to be recorded on an object: Karmada's reasons, so that what watches for them goes on working. */
export interface ObjectEvent {
  readonly object: KubeObject;
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
  readonly component: string;
}

const components: Partial<Record<Question, string>> = {
  claim: 'resource-detector',
  schedule: 'default-scheduler',
  render: 'binding-controller',
  dependencies: 'dependencies-distributor',
  dispatch: 'execution-controller',
  reflect: 'work-status-controller',
  collect: 'binding-status-controller',
  cluster: 'cluster-controller',
  evict: 'resource-binding-graceful-eviction-controller',
};

/** What reports on bindings without a namespace has a name of its own. */
const clusterComponents: Partial<Record<Question, string>> = {
  render: 'cluster-resource-binding-controller',
  evict: 'cluster-resource-binding-graceful-eviction-controller',
};

/** The events of one deed. */
export function eventsOf(view: View, deed: PerformedAction): readonly ObjectEvent[] {
  const subjects = subjectsOf(view, deed);
  const told = eventRules[`${deed.question} ${deed.action.do}`] ?? [];
  return [
    ...told.flatMap((telling) => noticesBy(telling, deed, subjects)),
    ...dispatchingNotice(deed, subjects.work),
    ...conflictNotices(view, deed),
    ...holdNotice(deed),
    ...effectNotices(deed, subjects),
    ...moveNotices(deed, subjects),
  ];
}

type Outcome = Pick<ObjectEvent, 'type' | 'reason' | 'message'>;
type Subjects = Partial<Record<Subject, KubeObject>>;

/** The object that the question is about, and those around it. */
function subjectsOf(view: View, { key, question }: PerformedAction): Subjects {
  const object = view.get(key);
  if (!object) return {};
  if (question === 'claim') return present({ template: object, binding: bindingOf(view, object) });
  if (question === 'cluster') return { cluster: object };
  const work = object.kind === 'Work' ? object : undefined;
  const binding = (work ? view.get(bindingKeyOf(work) ?? '') : object) as Binding | undefined;
  return present({ work, binding, template: binding?.spec.resource && view.get(keyOf(binding.spec.resource)) });
}

function present(subjects: Record<string, KubeObject | undefined>): Subjects {
  return Object.fromEntries(Object.entries(subjects).filter(([, object]) => object !== undefined));
}

function noticesBy(telling: EventRule, deed: PerformedAction, subjects: Subjects): readonly ObjectEvent[] {
  const failed = deed.error !== undefined || telling.fails?.(deed) === true;
  if ((telling.onlyFailures && !failed) || telling.about?.(deed) === false) return [];
  const words = { ...outcomeOf(telling, deed, failed), component: componentOf(deed, subjects.binding) };
  return telling.on.flatMap((subject) => {
    const object = subjects[subject];
    return object ? [{ object, ...words }] : [];
  });
}

function outcomeOf({ stem, says = messageOf }: EventRule, deed: PerformedAction, failed: boolean): Outcome {
  if (failed) return { type: 'Warning', reason: `${stem}Failed`, message: messageOf(deed) };
  return { type: 'Normal', reason: `${stem}Succeed`, message: says(deed) };
}

function componentOf({ question }: PerformedAction, binding: KubeObject | undefined): string {
  const cluster = binding?.kind === 'ClusterResourceBinding' ? clusterComponents[question] : undefined;
  return cluster ?? components[question] ?? 'sluice';
}

/** Told once when a Work begins to flow, and once when it is held. */
function dispatchingNotice(deed: PerformedAction, work: KubeObject | undefined): readonly ObjectEvent[] {
  if (deed.question !== 'dispatch' || deed.action.do !== 'report' || deed.error !== undefined || !work) return [];
  const condition = dispatchingOf(writtenBy(deed));
  if (!condition || condition.status === dispatchingOf(deed.before)?.status) return [];
  const { message } = condition;
  return [{ object: work, type: 'Normal', reason: 'WorkDispatching', message, component: 'execution-controller' }];
}

/** Emitted once when a template becomes unhealthy in a member, and once when it is in effect again. */
function effectNotices(deed: PerformedAction, { binding, template }: Subjects): readonly ObjectEvent[] {
  const now = effectIn(writtenBy(deed));
  if (deed.question !== 'collect' || deed.error !== undefined || !now) return [];
  const before = effectIn(deed.before)?.reason;
  const isNews =
    now.reason === 'Unhealthy' ? before !== 'Unhealthy' : now.reason === 'InEffect' && before === 'Unhealthy';
  if (!isNews) return [];
  const { reason, message } = now;
  const type = reason === 'Unhealthy' ? 'Warning' : 'Normal';
  const component = 'binding-status-controller';
  return [binding, template].flatMap((object) => (object ? [{ object, type, reason, message, component }] : []));
}

function effectIn(object: KubeObject | undefined): Condition | undefined {
  return (object as Binding | undefined)?.status?.conditions?.find(({ type }) => type === inEffectCondition);
}

/** Told when the deadline of a move has passed. */
function moveNotices(deed: PerformedAction, { binding, template }: Subjects): readonly ObjectEvent[] {
  if (deed.question !== 'evict' || deed.decision.because !== 'MoveOverdue' || deed.error !== undefined) return [];
  const told = { type: 'Warning', reason: 'MoveOverdue', message: messageOf(deed) } as const;
  const component = componentOf(deed, binding);
  return [binding, template].flatMap((object) => (object ? [{ object, ...told, component }] : []));
}

/** Told once when the time of a hold has come. */
function holdNotice(deed: PerformedAction): readonly ObjectEvent[] {
  const { question, decision, error } = deed;
  if (question !== 'hold' || decision.because !== 'SuspensionOver' || error !== undefined) return [];
  const rollout = writtenBy(deed) as RolloutPolicy;
  const message = `the suspension ended at ${rollout.spec.until}`;
  return [{ object: rollout, type: 'Normal', reason: 'SuspensionOver', message, component: 'sluice' }];
}

/** Those that pull an object along do not agree how: its binding says so, and which of them counts. */
function conflictNotices(view: View, deed: PerformedAction): readonly ObjectEvent[] {
  return attachedBy(view, deed).flatMap((object) => {
    const conflicts = disagreementsOf(view, object);
    if (conflicts.length === 0) return [];
    const message = `those that need it disagree: ${conflicts.join('; ')}`;
    const reason = 'DependencyPolicyConflict';
    return [{ object, type: 'Warning', reason, message, component: 'dependencies-distributor' }];
  });
}

/** The bindings of dependencies about which something new is said by this deed. */
function attachedBy(view: View, deed: PerformedAction): readonly Binding[] {
  const now = writtenBy(deed) as Binding | undefined;
  if (!now || deed.error !== undefined) return [];
  if (deed.question === 'dependencies' && deed.action.do !== 'record') {
    return [(view.get(keyOf(refOf(now))) as Binding | undefined) ?? now];
  }
  if (deed.question !== 'claim' || deed.action.do !== 'bind' || !saysOtherwise(now, deed.before)) return [];
  const found: Binding[] = [];
  view.each(attachedKey(referenceKey(now.metadata)), (attached) => void found.push(attached as Binding));
  return found;
}

function saysOtherwise({ spec }: Binding, before: KubeObject | undefined): boolean {
  const old = (before as Binding | undefined)?.spec;
  if (!old) return false;
  return (
    spec.conflictResolution !== old.conflictResolution ||
    spec.preserveResourcesOnDeletion !== old.preserveResourcesOnDeletion
  );
}
