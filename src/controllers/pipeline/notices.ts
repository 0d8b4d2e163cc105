import { keyOf, referenceKey, refOf } from '../../api/index.ts';
import type { Binding, KubeObject, View, Work } from '../../api/index.ts';
import { attachedPost, bindingKeyOf, bindingRefOf, disagreementsOf } from '../../engine/index.ts';
import type { Question } from '../../engine/index.ts';
import { dispatchingOf, tellings, writtenBy } from './tellings.ts';
import type { Deed, Subject, Telling } from './tellings.ts';

/** An event to be recorded on an object: Karmada's reasons, so that what watches for them goes on working. */
export interface Notice {
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
export function noticesOf(view: View, deed: Deed): readonly Notice[] {
  const subjects = subjectsOf(view, deed);
  const told = tellings[`${deed.question} ${deed.action.do}`] ?? [];
  return [
    ...told.flatMap((telling) => noticesBy(telling, deed, subjects)),
    ...dispatchingNotice(deed, subjects.work),
    ...conflictNotices(view, deed),
  ];
}

type Subjects = Partial<Record<Subject, KubeObject>>;

/** The object that the question is about, and those around it. */
function subjectsOf(view: View, { key, question }: Deed): Subjects {
  const object = view.get(key);
  if (!object) return {};
  if (question === 'claim') return present({ template: object, binding: view.get(keyOf(bindingRefOf(object))) });
  if (question === 'cluster') return { cluster: object };
  const work = object.kind === 'Work' ? object : undefined;
  const binding = (work ? view.get(bindingKeyOf(work) ?? '') : object) as Binding | undefined;
  return present({ work, binding, template: binding?.spec.resource && view.get(keyOf(binding.spec.resource)) });
}

function present(subjects: Record<string, KubeObject | undefined>): Subjects {
  return Object.fromEntries(Object.entries(subjects).filter(([, object]) => object !== undefined));
}

function noticesBy(telling: Telling, deed: Deed, subjects: Subjects): readonly Notice[] {
  const failed = deed.error !== undefined || telling.fails?.(deed) === true;
  if ((telling.onlyFailures && !failed) || telling.about?.(deed) === false) return [];
  const words = {
    type: failed ? 'Warning' : 'Normal',
    reason: `${telling.stem}${failed ? 'Failed' : 'Succeed'}`,
    message: messageOf(deed),
    component: componentOf(deed, subjects.binding),
  } as const;
  return telling.on.flatMap((subject) => {
    const object = subjects[subject];
    return object ? [{ object, ...words }] : [];
  });
}

function componentOf({ question }: Deed, binding: KubeObject | undefined): string {
  const cluster = binding?.kind === 'ClusterResourceBinding' ? clusterComponents[question] : undefined;
  return cluster ?? components[question] ?? 'sluice';
}

/** The words of whoever refused, else what the object says of itself, else the reason. */
function messageOf(deed: Deed): string {
  const { decision, error } = deed;
  if (error instanceof Error) return error.message;
  const applied = (writtenBy(deed) as Work | undefined)?.status?.conditions?.find(({ type }) => type === 'Applied');
  if (deed.question === 'dispatch' && applied?.status === 'False') return applied.message;
  return decision.detail ? `${decision.because}: ${decision.detail}` : decision.because;
}

/** Told once when a Work begins to flow, and once when it is held. */
function dispatchingNotice(deed: Deed, work: KubeObject | undefined): readonly Notice[] {
  if (deed.question !== 'dispatch' || deed.action.do !== 'report' || deed.error !== undefined || !work) return [];
  const condition = dispatchingOf(writtenBy(deed));
  if (!condition || condition.status === dispatchingOf(deed.before)?.status) return [];
  const { message } = condition;
  return [{ object: work, type: 'Normal', reason: 'WorkDispatching', message, component: 'execution-controller' }];
}

/** Those that pull an object along do not agree how: the stricter wins, and its binding says so. */
function conflictNotices(view: View, deed: Deed): readonly Notice[] {
  return attachedBy(view, deed).flatMap((object) => {
    const fields = disagreementsOf(view, object);
    if (fields.length === 0) return [];
    const message = `those that need it disagree about ${fields.join(' and ')}; the stricter counts`;
    const reason = 'DependencyPolicyConflict';
    return [{ object, type: 'Warning', reason, message, component: 'dependencies-distributor' }];
  });
}

/** The bindings of dependencies about which something new is said by this deed. */
function attachedBy(view: View, deed: Deed): readonly Binding[] {
  const now = writtenBy(deed) as Binding | undefined;
  if (!now || deed.error !== undefined) return [];
  if (deed.question === 'dependencies' && deed.action.do !== 'record') {
    return [(view.get(keyOf(refOf(now))) as Binding | undefined) ?? now];
  }
  if (deed.question !== 'claim' || deed.action.do !== 'bind' || !saysOtherwise(now, deed.before)) return [];
  const found: Binding[] = [];
  view.each(attachedPost(referenceKey(now.metadata)), (attached) => void found.push(attached as Binding));
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
