import { keyOf } from '../../api/index.ts';
import type { Binding, KubeObject, View, Work } from '../../api/index.ts';
import { bindingKeyOf } from '../../engine/index.ts';
import type { Action, Decision, Question } from '../../engine/index.ts';

/** An event to be recorded on an object: Karmada's reasons, so that what watches for them goes on working. */
export interface Notice {
  readonly object: KubeObject;
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
  readonly component: string;
}

/** What was done, or failed. */
export interface Deed {
  readonly question: Question;
  readonly key: string;
  readonly decision: Decision;
  readonly action: Action;
  readonly error?: unknown;
}

const components: Partial<Record<Question, string>> = {
  claim: 'resource-detector',
  schedule: 'default-scheduler',
  render: 'binding-controller',
  dependencies: 'dependencies-distributor',
  dispatch: 'execution-controller',
  collect: 'binding-status-controller',
  cluster: 'cluster-controller',
  evict: 'resource-binding-graceful-eviction-controller',
};

const stems: Readonly<Record<string, string>> = {
  'claim bind': 'ApplyPolicy',
  'schedule place': 'ScheduleBinding',
  'render render': 'SyncWork',
  'dispatch apply': 'Sync',
  'dependencies attach': 'SyncScheduleResultToDependencies',
  'collect report': 'AggregateStatus',
  'evict clear': 'EvictWorkloadFromCluster',
  'cluster prepare': 'CreateExecutionSpace',
  'cluster clear': 'RemoveExecutionSpace',
  'cluster taint': 'TaintCluster',
};

/** The events of one deed. Success and failure have the same stem. */
export function noticesOf(view: View, deed: Deed): readonly Notice[] {
  if (deed.decision.because === 'Preempted') return on(view, deed, { stem: 'PreemptPolicy', keys: [deed.key] });
  if (deed.question === 'dispatch' && deed.action.do === 'report') return dispatchingNotice(deed);
  const stem = stems[`${deed.question} ${deed.action.do}`];
  return stem ? on(view, deed, { stem, keys: subjectsOf(view, deed) }) : [];
}

function on(
  view: View,
  deed: Deed,
  { stem, keys }: { readonly stem: string; readonly keys: readonly string[] },
): readonly Notice[] {
  const failed = deed.error !== undefined;
  const message = failed ? messageOf(deed.error) : sentenceOf(deed);
  return keys.flatMap((key) => {
    const object = view.get(key);
    if (!object) return [];
    const reason = `${stem}${failed ? 'Failed' : 'Succeed'}`;
    return [
      {
        object,
        type: failed ? 'Warning' : 'Normal',
        reason,
        message,
        component: components[deed.question] ?? 'sluice',
      },
    ];
  });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function sentenceOf({ decision }: Deed): string {
  return decision.detail ? `${decision.because}: ${decision.detail}` : decision.because;
}

/** The object that the question is about, and the template behind it. */
function subjectsOf(view: View, { key, question, decision }: Deed): readonly string[] {
  const object = view.get(key);
  if (!object || question === 'claim' || question === 'cluster') return [key];
  const binding = object.kind === 'Work' ? view.get(bindingKeyOf(object) ?? '') : object;
  const resource = (binding as Binding | undefined)?.spec.resource;
  const own = decision.because === 'Collected' && object.kind !== 'Work' ? [] : [key];
  return resource ? [...own, keyOf(resource)] : own;
}

/** Karmada tells once when a Work begins to flow, and once when it is held. */
function dispatchingNotice({ action, decision }: Deed): readonly Notice[] {
  if (action.write.verb === 'delete') return [];
  const work = action.write.object as Work;
  const condition = work.status?.conditions?.find(({ type }) => type === 'Dispatching');
  const held = decision.because === 'Held';
  if (!condition || (!held && decision.because !== 'Created')) return [];
  return [
    {
      object: work,
      type: 'Normal',
      reason: 'WorkDispatching',
      message: condition.message,
      component: 'execution-controller',
    },
  ];
}
