import { executionNamespace, keyOf, refOf } from '../../api/index.ts';
import type { Work } from '../../api/index.ts';
import { bindingKeyOf, memberWorksKey, questions, wake, wakeAll, wakeMove } from '../../engine/index.ts';
import type { Action, Decision, Question, StateCounts, Wake } from '../../engine/index.ts';
import type { Clock, Logger, Metrics, Tracer } from '../../observe/index.ts';
import { Controller } from '../../runtime/index.ts';
import type { CacheChange, HubCache, MemberCaches, WebhookAnswers, WriteTarget } from '../../runtime/index.ts';
import type { Assistant, LiveWorld, ObjectEvent } from '../controller.ts';
import { rereadForeign } from '../dispatcher/foreign.ts';
import { EvictionRate } from '../evictor/rate.ts';
import { PolicyReports } from '../policies/index.ts';
import { ControllerSet } from './controller-set.ts';
import type { QueueOptions } from './controller-set.ts';
import { controllers } from './controllers.ts';
import { DeferredRemovals } from './deferred-removals.ts';
import { observePipeline } from './gauges.ts';
import { PipelineMeter } from './meter.ts';
import { Performer } from './performer.ts';
import { ChangePriority } from './priority.ts';
import { Undecided } from './undecided.ts';

/** The options of the pipeline. */
export interface PipelineOptions extends Pick<LiveWorld, 'view' | 'members' | 'memberTarget' | 'follow'> {
  readonly view: HubCache;
  readonly members: MemberCaches;
  /** The answers of webhooks that interpret kinds. */
  readonly webhooks?: WebhookAnswers;
  readonly hub: WriteTarget;
  readonly notify: (event: ObjectEvent) => void;
  readonly clock: Clock;
  /** The questions that this process answers; all of them when absent. */
  readonly only?: ReadonlySet<Question>;
  /** How long the report of a policy waits for more changes. */
  readonly policyMilliseconds?: number;
  /** Workers of each controller, where not as usual. */
  readonly concurrency?: number;
  readonly log: Logger;
  readonly metrics?: Metrics;
  readonly tracer?: Tracer;
}

/** Questions whose decisions the status of a policy counts, and its own. */
const counted: readonly Question[] = ['policy', 'claim', 'schedule', 'render'];

/** Questions about bindings. */
const ofBindings: ReadonlySet<Question> = new Set(['dependencies', 'render', 'collect', 'schedule', 'evict']);

/**
 * Runs the controllers: every change of the hub or of a member is turned into questions by the engine (`wake`), and every
 * question is answered by the engine (`questions`). The pipeline decides nothing itself.
 */
export class Pipeline {
  readonly name = 'pipeline';
  readonly controllers: ControllerSet;
  readonly #options: PipelineOptions;
  readonly #performer: Performer;
  readonly #priority: ChangePriority;
  readonly #policies: PolicyReports;
  readonly #meter: PipelineMeter | undefined;
  readonly #undecided: Undecided;
  readonly #removals: { readonly [Q in Question]?: DeferredRemovals };
  readonly #assistants: { readonly [Q in Question]?: Assistant };
  readonly #evictions: EvictionRate;
  readonly #rereading = new Set<string>();
  readonly #stopListening: (() => void)[] = [];

  constructor(options: PipelineOptions) {
    this.#options = options;
    this.controllers = new ControllerSet((...asked) => this.#controller(...asked), options.only);
    const { view, hub, notify, clock, log, metrics, policyMilliseconds = 1_000 } = options;
    this.#priority = new ChangePriority(clock);
    this.#undecided = new Undecided({ view, notify, log });
    const { removals } = this.controllers;
    this.#removals = {
      render: new DeferredRemovals(removals.render, (key) => this.controllers.ask('render', key)),
      evict: new DeferredRemovals(removals.evict, (key) => this.controllers.ask('evict', key)),
    };
    this.#policies = new PolicyReports({
      view,
      hub,
      notify,
      isComplete: () => this.controllers.hasSeenAll('claim', 'schedule', 'render'),
      delayMilliseconds: policyMilliseconds,
      log,
      ...(metrics && { metrics }),
    });
    this.#evictions = new EvictionRate(clock, view.settings.evictionsPerSecond);
    this.#meter = metrics && new PipelineMeter(metrics, view);
    this.#performer = new Performer({ ...options, ...(this.#meter && { meter: this.#meter }) });
    this.#assistants = assistantsOf({
      ...options,
      ask: (question, key) => this.controllers.ask(question, key),
      askUrgently: (question, key) => this.controllers.ask(question, key, 'high'),
      isUrgent: (work) => this.#priority.isUrgent(work),
    });
  }

  /** Tells whether nothing waits and no worker is busy: as far as this process knows, the world is settled. */
  get idle(): boolean {
    const removalsIdle = Object.values(this.#removals).every(({ idle }) => idle);
    const isWaiting = this.#options.webhooks?.idle === false;
    const policiesIdle = this.#policies.idle || !this.#reportsPolicies;
    const inTurn = this.#evictions.waiting > 0;
    return this.controllers.idle && policiesIdle && removalsIdle && !isWaiting && !inTurn;
  }

  /** Asks every question once, then follows changes. */
  start(): void {
    const { view, members, metrics } = this.#options;
    const [totals, queueOf] = [() => this.#policies.totals, this.controllers.queueOf.bind(this.controllers)];
    const states = (): StateCounts => this.#policies.states;
    if (metrics) this.#stopListening.push(observePipeline(metrics, { view, totals, states, queueOf }));
    this.#stopListening.push(
      view.listen((change) => this.#changed(change)),
      members.listen((change) => this.#changed(change)),
    );
    this.#askAll();
    this.controllers.start();
    if (this.#reportsPolicies) this.#policies.start();
  }

  /** The status of a policy counts decisions: only a process that makes all of them can count. */
  get #reportsPolicies(): boolean {
    const { only } = this.#options;
    return counted.every((question) => only?.has(question) ?? true);
  }

  readonly #askLater: Wake = (question, key) => this.controllers.ask(question, key, 'low');

  /** An object that cannot be turned into questions does not stop the start. */
  #askAll(): void {
    const { view, log } = this.#options;
    for (const entry of view.entries()) {
      try {
        wakeAll(view, [entry], this.#askLater);
      } catch (error) {
        log.error('cannot ask about an object', { object: entry[0], error });
      }
    }
  }

  async stop(withinMilliseconds: number): Promise<void> {
    for (const stop of this.#stopListening.splice(0)) stop();
    for (const assistant of Object.values(this.#assistants)) assistant.close?.();
    await Promise.all([this.controllers.stop(withinMilliseconds), this.#policies.stop(withinMilliseconds)]);
  }

  #changed(change: CacheChange): void {
    const priority = this.#priority.priorityOf(change);
    const { view } = this.#options;
    // A template that was just created has no binding yet: questions about the binding are asked when it is there.
    const isNew = change.at === undefined && !change.before;
    wake(view, change, (question, key) => {
      if (isNew && ofBindings.has(question) && !view.get(key)) return;
      if (question === 'schedule') this.#meter?.woken(change);
      this.controllers.ask(question, key, priority);
    });
    if (change.at === undefined) this.#policies.changed(change);
  }

  /** Asks again about every Work of a member: it answers again, or all its objects of a kind are known now. */
  revisit(member: string, kind?: { readonly apiVersion: string; readonly kind: string }): void {
    const { view } = this.#options;
    view.each(memberWorksKey(executionNamespace(member)), (work) => {
      const { manifests } = (work as Work).spec.workload;
      if (kind && !manifests.some((one) => one.kind === kind.kind && one.apiVersion === kind.apiVersion)) return;
      this.#askLater('dispatch', keyOf(refOf(work)));
      wakeMove(view, bindingKeyOf(work) ?? '', this.#askLater);
    });
  }

  /** Reads again the unmanaged objects of a member that are in the way of Works. */
  async rereadForeign(member: string): Promise<void> {
    const { view, members, memberTarget, log } = this.#options;
    const target = memberTarget(member);
    if (!target || this.#rereading.has(member)) return;
    this.#rereading.add(member);
    try {
      await rereadForeign(view, members.of(member), target);
    } catch (error) {
      log.debug('cannot read unmanaged objects again', { member, error });
    } finally {
      this.#rereading.delete(member);
    }
  }

  #controller(question: Question, queue: QueueOptions, member: string | undefined): Controller {
    const { view, log, metrics, tracer, concurrency } = this.#options;
    const { name, workers = 4, urgentWorkers = 0, concurrent = [], levelOf } = controllers[question];
    return new Controller<Action>({
      name: member === undefined ? name : `${name} ${member}`,
      view,
      answer: (_, key) => this.#answer(question, key),
      perform: (action, { key, signal }) => this.#performer.perform({ question, key, action }, signal),
      onAnswer: (key, answer) => this.#answered(question, key, answer as Decision),
      workers: concurrency ?? workers,
      urgentWorkers,
      longestMilliseconds: 60_000,
      together: new Set<string>(concurrent),
      ...(levelOf && { levelOf: (key: string) => levelOf(view.get(key)) }),
      ...queue,
      log,
      ...(metrics && { metrics }),
      ...(tracer && { tracer }),
    });
  }

  #answer(question: Question, key: string): Decision | undefined {
    const assistant = this.#assistants[question];
    assistant?.beforeDecision?.(key);
    const since = performance.now();
    const decision = this.#decide(question, key);
    this.#policies.decided(question, key, decision);
    this.#undecided.decided(key, decision);
    const removals = this.#removals[question];
    if (!decision) {
      this.#gone(question, key);
      return undefined;
    }
    assistant?.afterDecision?.(key, decision);
    if (decision.reportedBy) this.controllers.ask(decision.reportedBy, key);
    const now = removals ? removals.now(key, this.#inTurn(question, key, decision)) : decision;
    this.#meter?.decided(question, key, { decision: now, since });
    return now;
  }

  /** The object is gone: nothing that it waited for comes any more. */
  #gone(question: Question, key: string): void {
    this.#removals[question]?.forget(key);
    if (question === 'evict') this.#evictions.forget(key);
  }

  /** The decision, or a wait for the turn of a binding that is to be evicted. */
  #inTurn(question: Question, key: string, decision: Decision): Decision {
    if (question !== 'evict') return decision;
    if (!decision.actions.some((action) => action.do === 'evict')) {
      this.#evictions.forget(key);
      return decision;
    }
    const wait = this.#evictions.wait(key);
    if (wait === 0) return decision;
    const again = new Date(this.#options.clock.now() + wait).toISOString();
    return { actions: [], because: 'EvictionInTurn', again };
  }

  /** Decides; the question is asked again when a webhook has answered that the decision lacks. */
  #decide(question: Question, key: string): Decision | undefined {
    const { view, webhooks } = this.#options;
    if (!webhooks) return questions[question](view, key);
    const again = (): void => this.controllers.ask(question, key);
    return webhooks.decide({ name: `${question} ${key}`, again }, () => questions[question](view, key));
  }

  #answered(question: Question, key: string, decision: Decision): void {
    this.#assistants[question]?.afterActions?.(key, decision);
    if (decision.actions.length > 0) this.#performer.performed(question, key, decision);
  }
}

function assistantsOf(live: LiveWorld): { readonly [Q in Question]?: Assistant } {
  const made: [Question, Assistant][] = [];
  for (const { question, assist } of Object.values(controllers)) if (assist) made.push([question, assist(live)]);
  return Object.fromEntries(made);
}
