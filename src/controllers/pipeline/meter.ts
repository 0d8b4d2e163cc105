import { appliedPlacementAnnotation, keyOf, refOf } from '../../api/index.ts';
import type { Binding, View } from '../../api/index.ts';
import type { Action, Decision, Question } from '../../engine/index.ts';
import type { Counter, Histogram, Metrics } from '../../observe/index.ts';
import { writtenRef } from '../../runtime/index.ts';
import type { CacheChange } from '../../runtime/index.ts';

/** An answer whose actions are being performed. */
interface Underway {
  readonly since: number;
  readonly decision: Decision;
  readonly scheduling: Scheduling | undefined;
}

type Scheduling = 'ReconcileSchedule' | 'ScaleSchedule';
type ByResult = (result: string) => void;

/** Questions whose answers Karmada measures under names of its own. */
const measured: ReadonlySet<Question> = new Set(['claim', 'render', 'dispatch', 'evict', 'schedule']);

/** Measures the pipeline under the names of Karmada's metrics, which dashboards use. */
export class PipelineMeter {
  readonly #view: View;
  readonly #underway = new Map<string, Underway>();
  readonly #matching: Histogram;
  readonly #choosing: Histogram;
  readonly #finished: Partial<Record<Question, (result: string, seconds: number) => void>>;
  readonly #preempted: ByResult;
  readonly #scheduled: (result: string, how: Scheduling, seconds: number) => void;
  readonly #incoming: Readonly<Record<'add' | 'update' | 'cluster' | 'failure', Counter>>;
  readonly #sent: (write: Action['write'], result: string, recreate: boolean) => void;
  readonly #cost: Cost;

  constructor(metrics: Metrics, view: View) {
    this.#view = view;
    this.#matching = metrics.histogram({
      name: 'resource_match_policy_duration_seconds',
      help: 'Time to find the policy of a template and to decide what follows.',
    })();
    this.#choosing = metrics.histogram({
      name: 'karmada_scheduler_scheduling_algorithm_duration_seconds',
      help: 'Time to choose clusters; all steps are one decision here.',
      labels: ['schedule_step'],
    })('All');
    this.#finished = finishing(metrics);
    const preempted = metrics.counter({
      name: 'policy_preemption_total',
      help: 'Templates that a policy took over from another.',
      labels: ['result'],
    });
    this.#preempted = (result) => preempted(result).add();
    this.#scheduled = scheduling(metrics);
    this.#incoming = incoming(metrics);
    this.#sent = sending(metrics);
    this.#cost = costs(metrics);
  }

  /** A change reopens the scheduler's question. */
  woken({ before, after }: CacheChange): void {
    if ((after ?? before)?.kind === 'Cluster') this.#incoming.cluster.add();
    else this.#incoming[before ? 'update' : 'add'].add();
  }

  /** A decision was made, from `since` on. */
  decided(question: Question, key: string, { decision, since }: { decision: Decision; since: number }): void {
    if (!measured.has(question)) return;
    const seconds = secondsSince(since);
    if (question === 'claim') this.#matching.observe(seconds);
    else if (question === 'schedule') this.#choosing.observe(seconds);
    if (question === 'schedule' && isUnplaced(decision)) {
      this.#scheduled('error', 'ReconcileSchedule', seconds);
      this.#incoming.failure.add();
    }
    if (decision.actions.length === 0) return;
    this.#underway.set(nameOf(question, key), { since, decision, scheduling: this.#schedulingOf(decision) });
  }

  /** One action was performed, or not. */
  performed(asked: { question: Question; key: string; action: Action }, error?: unknown): void {
    const { question, key, action } = asked;
    const result = error === undefined ? 'success' : 'error';
    if (action.write.at !== undefined) {
      const because = this.#underway.get(nameOf(question, key))?.decision.because;
      this.#sent(action.write, result, because === 'Recreated');
    }
    if (error !== undefined) return;
    this.#cost.wrote(action.write.at === undefined ? 'hub' : 'member');
    if (question === 'claim' && action.do === 'bind' && action.write.verb === 'create') this.#cost.bound();
  }

  /** All actions of an answer were performed, or one of them was not. */
  finished(question: Question, key: string, error?: unknown): void {
    if (!measured.has(question)) return;
    const name = nameOf(question, key);
    const underway = this.#underway.get(name);
    if (!underway) return;
    this.#underway.delete(name);
    const result = error === undefined ? 'success' : 'error';
    const seconds = secondsSince(underway.since);
    this.#finished[question]?.(result, seconds);
    if (underway.decision.because === 'Preempted') this.#preempted(result);
    if (underway.scheduling) this.#scheduled(error === undefined ? 'scheduled' : 'error', underway.scheduling, seconds);
  }

  /** Tells whether the decision places a binding and only changes numbers of replicas. */
  #schedulingOf({ actions }: Decision): Scheduling | undefined {
    for (const { do: what, write } of actions) {
      if ((what !== 'place' && what !== 'bind') || write.verb === 'delete') continue;
      const binding = write.object as Binding;
      const before = this.#view.get(keyOf(refOf(binding))) as Binding | undefined;
      if (what === 'bind' && !isPlacedAnew(binding, before)) continue;
      return isScaling(binding, before) ? 'ScaleSchedule' : 'ReconcileSchedule';
    }
    return undefined;
  }
}

const nameOf = (question: Question, key: string): string => `${question} ${key}`;
const secondsSince = (since: number): number => (performance.now() - since) / 1000;
const isUnplaced = ({ because }: Decision): boolean => because === 'NoClusterFits' || because === 'SchedulingFailed';

const placementIn = ({ metadata }: Binding): string | undefined => metadata.annotations?.[appliedPlacementAnnotation];

function isPlacedAnew(binding: Binding, before: Binding | undefined): boolean {
  return placementIn(binding) !== undefined && binding.spec.clusters !== before?.spec.clusters;
}

function isScaling(binding: Binding, before: Binding | undefined): boolean {
  if (!before?.spec.clusters?.length || before.spec.replicas === binding.spec.replicas) return false;
  return placementIn(before) === placementIn(binding);
}

function finishing(metrics: Metrics): Partial<Record<Question, (result: string, seconds: number) => void>> {
  const labels = ['result'];
  const duration = (name: string, help: string): ((result: string, seconds: number) => void) => {
    const family = metrics.histogram({ name, help, labels });
    return (result, seconds) => family(result).observe(seconds);
  };
  const attempts = metrics.counter({
    name: 'policy_apply_attempts_total',
    help: 'Times that a policy was applied to a template.',
    labels,
  });
  const applied = duration('resource_apply_policy_duration_seconds', 'Time to apply a policy to a template.');
  const evictions = metrics.counter({
    name: 'eviction_processing_total',
    help: 'Evictions that began or ended.',
    labels: ['name', 'result'],
  });
  const evicted = metrics.histogram({
    name: 'eviction_processing_latency_seconds',
    help: 'Time to begin or to end an eviction.',
    labels: ['name'],
  })('evictor');
  return {
    claim: (result, seconds) => {
      applied(result, seconds);
      attempts(result).add();
    },
    render: duration('binding_sync_work_duration_seconds', 'Time to bring the Works of a binding up to date.'),
    dispatch: duration('work_sync_workload_duration_seconds', 'Time to bring a member up to date with a Work.'),
    evict: (result, seconds) => {
      evicted.observe(seconds);
      evictions('evictor', result).add();
    },
  };
}

function scheduling(metrics: Metrics): (result: string, how: Scheduling, seconds: number) => void {
  const labels = ['result', 'schedule_type'];
  const attempts = metrics.counter({
    name: 'karmada_scheduler_schedule_attempts_total',
    help: 'Times that clusters were chosen for a binding.',
    labels,
  });
  const seconds = metrics.histogram({
    name: 'karmada_scheduler_e2e_scheduling_duration_seconds',
    help: 'Time from the look at a binding until its clusters are written.',
    labels,
  });
  return (result, how, took) => {
    attempts(result, how).add();
    seconds(result, how).observe(took);
  };
}

function incoming(metrics: Metrics): Readonly<Record<'add' | 'update' | 'cluster' | 'failure', Counter>> {
  const family = metrics.counter({
    name: 'karmada_scheduler_queue_incoming_bindings_total',
    help: 'Bindings that were scheduled or checked, by cause.',
    labels: ['event'],
  });
  return {
    add: family('BindingAdd'),
    update: family('BindingUpdate'),
    cluster: family('ClusterChanged'),
    failure: family('ScheduleAttemptFailure'),
  };
}

/** The writes that templates cost. */
interface Cost {
  wrote(to: 'hub' | 'member'): void;
  bound(): void;
}

function costs(metrics: Metrics): Cost {
  const bound = metrics.counter({ name: 'sluice_templates_bound_total', help: 'Templates that got a binding.' })();
  const each = metrics.gauge({
    name: 'sluice_writes_per_template',
    help: 'Writes of the pipeline for every template that got a binding, since the start.',
    labels: ['to'],
  });
  const writes = { hub: 0, member: 0 };
  let templates = 0;
  const tell = (to: 'hub' | 'member'): void => each(to).set(templates > 0 ? writes[to] / templates : 0);
  metrics.beforeReading(() => (['hub', 'member'] as const).forEach(tell));
  return {
    wrote: (to) => void writes[to]++,
    bound() {
      templates++;
      bound.add();
    },
  };
}

/** Counts what is sent to members. */
function sending(metrics: Metrics): (write: Action['write'], result: string, recreate: boolean) => void {
  const labels = ['result', 'apiversion', 'kind', 'member_cluster'];
  const creates = metrics.counter({
    name: 'create_resource_to_cluster',
    help: 'Objects created in members.',
    labels: [...labels, 'recreate'],
  });
  const updates = metrics.counter({
    name: 'update_resource_to_cluster',
    help: 'Objects updated in members.',
    labels: [...labels, 'operationResult'],
  });
  const deletes = metrics.counter({
    name: 'delete_resource_from_cluster',
    help: 'Objects deleted from members.',
    labels,
  });
  return (write, result, recreate) => {
    const { apiVersion, kind } = writtenRef(write);
    const values = [result, apiVersion, kind, write.at ?? ''];
    if (write.verb === 'create') creates(...values, String(recreate)).add();
    else if (write.verb === 'delete') deletes(...values).add();
    else updates(...values, result === 'success' ? 'updated' : 'none').add();
  };
}
