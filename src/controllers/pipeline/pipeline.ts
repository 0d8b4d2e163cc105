import { executionNamespace, keyOf, refOf } from '../../api/index.ts';
import type { Work } from '../../api/index.ts';
import {
  bindingKeyOf,
  gatherDispatch,
  memberWorksKey,
  questions,
  wake,
  wakeAll,
  wakeMove,
} from '../../engine/index.ts';
import type { Action, Decision, Question, StateCounts } from '../../engine/index.ts';
import type { Clock, Logger, Metrics, Tracer } from '../../observe/index.ts';
import { Controller } from '../../runtime/index.ts';
import type { CacheChange, HubCache, MemberCaches, WriteTarget } from '../../runtime/index.ts';
import { ControllersByQuestion } from './controllers-by-question.ts';
import type { QueueOptions } from './controllers-by-question.ts';
import { reviewForeign } from './foreign.ts';
import { collectAll, placeOnly, reflectAll, sendOnly } from './combined-status.ts';
import { observePipeline } from './gauges.ts';
import { SuspensionTimers } from './suspension-timers.ts';
import { Lookups } from './lookups.ts';
import { PipelineMeter } from './meter.ts';
import type { ObjectEvent } from './events.ts';
import { Performer } from './performer.ts';
import { PodWords } from './pods.ts';
import { PolicyReports } from './policies.ts';
import { Removals } from './removals.ts';
import { Undecided } from './undecided.ts';
import { ChangePriority } from './priority.ts';

/** What the pipeline stands on. */
export interface PipelineOptions {
  readonly view: HubCache;
  readonly members: MemberCaches;
  readonly hub: WriteTarget;
  /** The server of a member; undefined while it is not connected. */
  readonly memberTarget: (member: string) => WriteTarget | undefined;
  /** A kind of a member is needed that is not followed yet. */
  readonly follow: (member: string, kind: { readonly apiVersion: string; readonly kind: string }) => void;
  readonly notify: (notice: ObjectEvent) => void;
  readonly clock: Clock;
  /** How long a policy waits for more before it says how what it holds stands. */
  readonly policyMilliseconds?: number;
  readonly log: Logger;
  readonly metrics?: Metrics;
  readonly tracer?: Tracer;
}

/**
 * Workers a question; a member's own dispatcher gets as many requests under way. More of them would not do more, since all
 * share one processor, but whoever comes next would wait for all of them.
 */
const workers: Partial<Record<Question, number>> = { claim: 8, render: 6, dispatch: 12 };

/** Workers who do only what a person waits for. */
const urgentWorkers: Partial<Record<Question, number>> = { claim: 8, schedule: 4, render: 4, dispatch: 8 };

/** Actions that do the same to different objects. */
const together: ReadonlySet<string> = new Set(['render', 'remove', 'spread', 'attach', 'report']);

/** Questions about bindings. */
const ofBindings: ReadonlySet<Question> = new Set(['dependencies', 'render', 'collect', 'schedule', 'evict']);

/** Names of the controllers, in logs and metrics. */
const names: Readonly<Record<Question, string>> = {
  claim: 'detector',
  farewell: 'policies',
  cluster: 'clusters',
  namespace: 'namespaces',
  hold: 'holds',
  evict: 'evictor',
  schedule: 'scheduler',
  dependencies: 'dependencies',
  render: 'binder',
  dispatch: 'dispatcher',
  reflect: 'reflector',
  collect: 'collector',
};

/**
 * The five questions and their companions, live: every change of the hub or of a member is turned into questions by the
 * engine, and every question is answered by the engine; here is only the plumbing.
 */
export class Pipeline {
  readonly name = 'pipeline';
  readonly desks: ControllersByQuestion;
  readonly #policies: PolicyReports;
  readonly #meter: PipelineMeter | undefined;
  readonly #options: PipelineOptions;
  readonly #performer: Performer;
  readonly #urgency: ChangePriority;
  readonly #holds: SuspensionTimers;
  readonly #lookups: Lookups;
  readonly #pods: PodWords;
  readonly #removals: Removals;
  readonly #undecided: Undecided;
  readonly #moves: Removals;
  readonly #reviewing = new Set<string>();
  readonly #stopListening: (() => void)[] = [];

  constructor(options: PipelineOptions) {
    this.#options = options;
    this.desks = new ControllersByQuestion((question, manners, member) => this.#controller(question, manners, member));
    const { view, hub, notify, clock, log, metrics, policyMilliseconds = 1_000 } = options;
    this.#urgency = new ChangePriority(clock);
    this.#undecided = new Undecided({ view, notify, log });
    this.#lookups = new Lookups(options);
    this.#pods = new PodWords({ ...options, onNews: (key) => this.desks.ask('reflect', key) });
    this.#removals = new Removals(this.desks.removals, (key) => this.desks.ask('render', key));
    this.#moves = new Removals(this.desks.moves, (key) => this.desks.ask('evict', key));
    this.#policies = new PolicyReports({
      view,
      hub,
      notify,
      isComplete: () => this.desks.hasSeenAll('claim', 'schedule', 'render'),
      delayMilliseconds: policyMilliseconds,
      log,
      ...(metrics && { metrics }),
    });
    this.#meter = metrics && new PipelineMeter(metrics, view);
    this.#performer = new Performer({ ...options, ...(this.#meter && { meter: this.#meter }) });
    this.#holds = new SuspensionTimers({ ...options, ask: (question, key) => this.desks.ask(question, key) });
  }

  /** Nothing waits and nobody works: as far as this process knows, the world is at rest. */
  get idle(): boolean {
    return this.desks.idle && this.#policies.idle && this.#removals.idle && this.#moves.idle;
  }

  /** Asks everything once, then follows changes. */
  start(): void {
    const { view, members, metrics } = this.#options;
    const [totals, queueOf] = [() => this.#policies.totals, this.desks.queueOf.bind(this.desks)];
    const states = (): StateCounts => this.#policies.states;
    if (metrics) this.#stopListening.push(observePipeline(metrics, { view, totals, states, queueOf }));
    this.#stopListening.push(
      view.listen((change) => this.#changed(change)),
      members.listen((change) => this.#changed(change)),
    );
    this.#askAll();
    this.desks.start();
    this.#policies.start();
  }

  /** One object that cannot be turned into questions does not stop the start. */
  #askAll(): void {
    const { view, log } = this.#options;
    for (const entry of view.entries()) {
      try {
        wakeAll(view, [entry], (question, key) => this.desks.ask(question, key, 'low'));
      } catch (error) {
        log.error('cannot ask about an object', { object: entry[0], error });
      }
    }
  }

  async stop(withinMilliseconds: number): Promise<void> {
    for (const stop of this.#stopListening.splice(0)) stop();
    this.#holds.close();
    this.#pods.close();
    await Promise.all([this.desks.stop(withinMilliseconds), this.#policies.stop(withinMilliseconds)]);
  }

  #changed(change: CacheChange): void {
    const priority = this.#urgency.priorityOf(change);
    const { view } = this.#options;
    // A template that comes has no binding yet: what would be asked about it is asked when it is there.
    const comes = change.at === undefined && !change.before;
    wake(view, change, (question, key) => {
      if (comes && ofBindings.has(question) && !view.get(key)) return;
      if (question === 'schedule') this.#meter?.woken(change);
      this.desks.ask(question, key, priority);
    });
    if (change.at === undefined) this.#policies.heed(change);
  }

  /** What is to be sent to a member is looked at again: it answers again, or all that it has of a kind is known. */
  revisit(member: string, kind?: { readonly apiVersion: string; readonly kind: string }): void {
    this.#options.view.each(memberWorksKey(executionNamespace(member)), (work) => {
      const manifest = (work as Work).spec.workload.manifests[0];
      if (kind && (manifest?.kind !== kind.kind || manifest.apiVersion !== kind.apiVersion)) return;
      this.desks.ask('dispatch', keyOf(refOf(work)), 'low');
      wakeMove(this.#options.view, bindingKeyOf(work) ?? '', (question, key) => this.desks.ask(question, key, 'low'));
    });
  }

  /** Looks again at what stands in our way in a member, which answers. */
  async review(member: string): Promise<void> {
    const { view, members, memberTarget, log } = this.#options;
    const target = memberTarget(member);
    if (!target || this.#reviewing.has(member)) return;
    this.#reviewing.add(member);
    try {
      await reviewForeign(view, members.of(member), target);
    } catch (error) {
      log.debug('cannot look again at what is in the way', { member, error });
    } finally {
      this.#reviewing.delete(member);
    }
  }

  #controller(question: Question, manners: QueueOptions, member: string | undefined): Controller {
    const { view, log, metrics, tracer } = this.#options;
    const name = names[question];
    return new Controller<Action>({
      name: member === undefined ? name : `${name} ${member}`,
      view,
      answer: (_, key) => this.#answer(question, key),
      perform: (action, { key, signal }) => this.#performer.perform({ question, key, action }, signal),
      onAnswer: (key, answer) => this.#answered(question, key, answer as Decision),
      workers: workers[question] ?? 4,
      urgentWorkers: urgentWorkers[question] ?? 0,
      longestMilliseconds: 60_000,
      together,
      ...manners,
      log,
      ...(metrics && { metrics }),
      ...(tracer && { tracer }),
    });
  }

  #answer(question: Question, key: string): Decision | undefined {
    const decision = this.#decided(question, key);
    this.#undecided.hear(key, decision);
    return decision;
  }

  #decided(question: Question, key: string): Decision | undefined {
    const { view } = this.#options;
    if (question === 'collect') return collectAll(view, key);
    if (question === 'reflect') return reflectAll(view, key, this.#pods);
    const since = performance.now();
    const decision = questions[question](view, key);
    this.#policies.hear(question, key, decision);
    if (!decision) {
      if (question === 'render') this.#removals.forget(key);
      if (question === 'evict') this.#moves.forget(key);
      return undefined;
    }
    if (decision.because === 'MemberUnknown') this.#follow(key);
    const moves = this.#inTime(question, key, decision);
    this.#meter?.decided(question, key, { decision: moves, since });
    return moves;
  }

  #answered(question: Question, key: string, decision: Decision): void {
    if (question === 'hold') this.#holds.remind(key, decision.again);
    if (decision.actions.length > 0) this.#performer.performed(question, key, decision);
  }

  /** What may wait does: removals for all that is decided before them; reports are left to those who give way. */
  #inTime(question: Question, key: string, decision: Decision): Decision {
    if (question === 'render') return this.#removals.inTime(key, decision);
    if (question === 'evict') return this.#moves.inTime(key, decision);
    if (question !== 'schedule' && question !== 'dispatch') return decision;
    const moves = question === 'schedule' ? placeOnly(decision) : sendOnly(decision);
    if (moves !== decision) this.desks.ask(question === 'schedule' ? 'collect' : 'reflect', key);
    return moves;
  }

  /** The answer about a member is unknown because its kind is not followed yet, or not yet read to its end. */
  #follow(key: string): void {
    const facts = gatherDispatch(this.#options.view, key);
    if (!facts) return;
    this.#options.follow(facts.member, facts.manifest);
    if (!this.#urgency.isUrgent(facts.work)) return;
    void this.#lookups.lookUp(facts, () => this.desks.ask('dispatch', key, 'high'));
  }
}
