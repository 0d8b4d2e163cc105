import { keyOf, policyApi, policyFamilies, refOf } from '../../api/index.ts';
import type { Cluster, Condition, KubeObject, Policy } from '../../api/index.ts';
import { decidePolicyStatus, gatherPolicyStatus, isFleetChange, kindKey, Tally } from '../../engine/index.ts';
import type { Decision, PolicyStatusAction, Question, StateCounts, Totals } from '../../engine/index.ts';
import type { Logger, Metrics } from '../../observe/index.ts';
import { Controller, performWrite } from '../../runtime/index.ts';
import type { CacheChange, HubCache, WriteTarget } from '../../runtime/index.ts';
import type { ObjectEvent } from '../controller.ts';

/** The options of the reports of policies. */
export interface PolicyReportsOptions {
  readonly view: HubCache;
  readonly hub: WriteTarget;
  readonly notify: (event: ObjectEvent) => void;
  /** Tells whether every template has been looked at once: before that, counts are too low. */
  readonly isComplete: () => boolean;
  readonly delayMilliseconds: number;
  readonly log: Logger;
  readonly metrics?: Metrics;
}

/**
 * Writes the status of policies: how many templates they manage, and how many of these are pending or suspended.
 * Guarantees: a policy is written once per delay, however many of its templates change; a start that finds nothing changed
 * writes nothing.
 */
export class PolicyReports {
  readonly #options: PolicyReportsOptions;
  readonly #tally: Tally;
  readonly #controller: Controller<PolicyStatusAction>;
  #complete = false;

  constructor(options: PolicyReportsOptions) {
    const { view, log, metrics } = options;
    this.#options = options;
    this.#tally = new Tally(view, (key) => this.#askLater(key));
    this.#controller = new Controller({
      name: 'policy status',
      view,
      answer: (_, key) => this.#answer(key),
      perform: (action) => this.#perform(action),
      workers: 2,
      longestMilliseconds: 60_000,
      log,
      ...(metrics && { metrics }),
    });
  }

  start(): void {
    this.#controller.start();
  }

  async stop(withinMilliseconds: number): Promise<void> {
    await this.#controller.stop(withinMilliseconds);
  }

  /** Tells whether every report is written. */
  get idle(): boolean {
    const { size, active, waiting } = this.#controller.queue;
    return size === 0 && active === 0 && waiting === 0;
  }

  /** The counts of all policies together. */
  get totals(): Totals {
    return this.#tally.totals;
  }

  /** How many templates are in which state; looks at every template. */
  get states(): StateCounts {
    return this.#tally.states;
  }

  /** Counts every decision of the pipeline; undefined when the object is gone. */
  decided(question: Question, key: string, decision: Decision | undefined): void {
    this.#tally.hear(question, key, decision);
  }

  /** A policy reports clusters that its placement names and that do not exist: the fleet may change that. */
  changed({ before, after }: CacheChange): void {
    if ((after ?? before)?.kind !== 'Cluster') return;
    if (!isFleetChange(before as Cluster | undefined, after as Cluster | undefined)) return;
    const ask = (policy: KubeObject): void => this.#askLater(keyOf(refOf(policy)));
    for (const { kind } of Object.values(policyFamilies)) this.#options.view.each(kindKey(`${policyApi}|${kind}`), ask);
  }

  #askLater(policyKey: string): void {
    this.#controller.queue.addAfter(policyKey, this.#options.delayMilliseconds);
  }

  #answer(key: string): Decision<PolicyStatusAction> | undefined {
    this.#complete ||= this.#options.isComplete();
    if (!this.#complete) {
      this.#askLater(key);
      return undefined;
    }
    const facts = gatherPolicyStatus(this.#options.view, key, this.#tally);
    return facts && decidePolicyStatus(facts);
  }

  async #perform({ write }: PolicyStatusAction): Promise<void> {
    const { view, hub, notify } = this.#options;
    if (write.verb === 'delete') return;
    const policy = write.object as Policy;
    const before = clustersCondition(view.get(keyOf(refOf(policy))) as Policy | undefined);
    await performWrite(write, () => hub);
    const now = clustersCondition(policy);
    if (!now || now.status === 'True' || now.message === before?.message) return;
    notify({
      object: policy,
      type: 'Warning',
      reason: now.reason,
      message: now.message,
      component: 'resource-detector',
    });
  }
}

function clustersCondition(policy: Policy | undefined): Condition | undefined {
  return policy?.status?.conditions?.find(({ type }) => type === 'ClustersExist');
}
