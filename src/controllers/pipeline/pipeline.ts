import { keyOf } from '../../api/index.ts';
import type { KubeObject, RolloutPolicy } from '../../api/index.ts';
import { gatherDispatch, questions, refused, wake, wakeAll } from '../../engine/index.ts';
import type { Action, Decision, Question } from '../../engine/index.ts';
import type { Logger, Metrics } from '../../observe/index.ts';
import { Controller, performWrite, Stale, writtenRef } from '../../runtime/index.ts';
import type { CacheChange, Clock, HubCache, MemberCaches, Priority, WriteTarget } from '../../runtime/index.ts';
import { Desks } from './desks.ts';
import { reviewForeign } from './foreign.ts';
import { observePipeline } from './gauges.ts';
import { marksOf, patchMarks } from './marks.ts';
import { PipelineMeter } from './meter.ts';
import { noticesOf } from './notices.ts';
import type { Notice } from './notices.ts';
import type { Deed } from './tellings.ts';
import { PolicyReports } from './policies.ts';

/** What the pipeline stands on. */
export interface PipelineOptions {
  readonly view: HubCache;
  readonly members: MemberCaches;
  readonly hub: WriteTarget;
  /** The server of a member; undefined while it is not connected. */
  readonly memberTarget: (member: string) => WriteTarget | undefined;
  /** A kind of a member is needed that is not followed yet. */
  readonly follow: (member: string, kind: { readonly apiVersion: string; readonly kind: string }) => void;
  readonly notify: (notice: Notice) => void;
  readonly clock: Clock;
  /** How long a policy waits for more before it says how what it holds stands. */
  readonly policyMilliseconds?: number;
  readonly log: Logger;
  readonly metrics?: Metrics;
}

/** Workers a question; a member's own dispatcher gets as many requests under way. */
const workers: Partial<Record<Question, number>> = { claim: 16, render: 16, dispatch: 16, collect: 4, reflect: 4 };

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
  readonly desks: Desks;
  readonly #policies: PolicyReports;
  readonly #meter: PipelineMeter | undefined;
  readonly #options: PipelineOptions;
  readonly #holds = new Map<string, () => void>();
  readonly #reviewing = new Set<string>();
  /** What was there before an action, for those who tell of it. */
  readonly #before = new WeakMap<Action, KubeObject>();
  readonly #stopListening: (() => void)[] = [];

  constructor(options: PipelineOptions) {
    this.#options = options;
    this.desks = new Desks((question, member) => this.#controller(question, member));
    const { view, hub, notify, log, metrics, policyMilliseconds = 1_000 } = options;
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
  }

  /** Nothing waits and nobody works: as far as this process knows, the world is at rest. */
  get idle(): boolean {
    return this.desks.idle && this.#policies.idle;
  }

  /** Asks everything once, then follows changes. */
  start(): void {
    const { view, members, metrics } = this.#options;
    const [totals, queueOf] = [() => this.#policies.totals, this.desks.queueOf.bind(this.desks)];
    if (metrics) this.#stopListening.push(observePipeline(metrics, { view, totals, queueOf }));
    this.#stopListening.push(
      view.listen((change) => this.#changed(change)),
      members.listen((change) => this.#changed(change)),
    );
    wakeAll(view, view.entries(), (question, key) => this.desks.ask(question, key, 'low'));
    this.desks.start();
    this.#policies.start();
  }

  async stop(withinMilliseconds: number): Promise<void> {
    for (const stop of this.#stopListening.splice(0)) stop();
    for (const cancel of this.#holds.values()) cancel();
    await Promise.all([this.desks.stop(withinMilliseconds), this.#policies.stop(withinMilliseconds)]);
  }

  #changed(change: CacheChange): void {
    const priority = priorityOf(change);
    wake(this.#options.view, change, (question, key) => {
      if (question === 'schedule') this.#meter?.woken(change);
      this.desks.ask(question, key, priority);
    });
    if (change.at === undefined) this.#policies.heed(change);
  }

  /** Everything that is to be sent to a member is looked at again: it answers again, or a kind has come. */
  revisit(member: string): void {
    const { view } = this.#options;
    for (const [key, object] of view.entries()) {
      if (object.kind === 'Work' && object.metadata.namespace === `karmada-es-${member}`)
        this.desks.ask('dispatch', key);
    }
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

  #controller(question: Question, member: string | undefined): Controller {
    const { view, log, metrics } = this.#options;
    const name = names[question];
    return new Controller<Action>({
      name: member === undefined ? name : `${name} ${member}`,
      view,
      answer: (_, key) => this.#answer(question, key),
      perform: (action, { key, signal }) => this.#perform({ question, key, action }, signal),
      onAnswer: (key, answer) => this.#answered(question, key, answer as Decision),
      workers: workers[question] ?? 4,
      longestMilliseconds: 60_000,
      log,
      ...(metrics && { metrics }),
    });
  }

  #answer(question: Question, key: string): Decision | undefined {
    const since = performance.now();
    const decision = questions[question](this.#options.view, key);
    if (decision) this.#meter?.decided(question, key, { decision, since });
    this.#policies.hear(question, key, decision);
    if (decision?.because === 'MemberUnknown') this.#follow(key);
    return decision;
  }

  /** The answer about a member is unknown because its kind is not followed yet. */
  #follow(key: string): void {
    const facts = gatherDispatch(this.#options.view, key);
    if (facts) this.#options.follow(facts.member, facts.manifest);
  }

  async #perform(deed: { question: Question; key: string; action: Action }, signal: AbortSignal): Promise<void> {
    const { write } = deed.action;
    const before = write.at === undefined ? this.#options.view.get(keyOf(writtenRef(write))) : undefined;
    if (before) this.#before.set(deed.action, before);
    try {
      await this.#write(deed.action, signal);
      this.#meter?.performed(deed);
    } catch (error) {
      if (!(error instanceof Stale)) this.#meter?.performed(deed, error);
      this.#meter?.finished(deed.question, deed.key, error);
      if (!(error instanceof Stale) && !signal.aborted) await this.#failed(deed, error);
      throw error;
    }
  }

  async #write({ write }: Action, signal: AbortSignal): Promise<void> {
    const { hub, memberTarget } = this.#options;
    const marks = marksOf(write);
    if (marks) return patchMarks(hub, marks, signal);
    return performWrite(write, (member) => (member === undefined ? hub : memberTarget(member)), signal);
  }

  /** What a member refuses is said in its own words on the Work, and so is why it could not be asked. */
  async #failed(
    { question, key, action }: { question: Question; key: string; action: Action },
    error: unknown,
  ): Promise<void> {
    const { view, hub, notify } = this.#options;
    const decision: Decision = { actions: [action], because: 'MemberRefused' };
    for (const notice of noticesOf(view, this.#deed({ question, key, decision, action, error }))) notify(notice);
    if (question !== 'dispatch' || !(error instanceof Error) || action.write.at === undefined) return;
    const facts = gatherDispatch(view, key);
    if (!facts) return;
    const wanted = refused(facts, error.message);
    if (wanted !== facts.work)
      await performWrite({ verb: 'updateStatus', object: wanted }, () => hub).catch(() => undefined);
  }

  #deed(deed: Deed): Deed {
    const before = this.#before.get(deed.action);
    return before ? { ...deed, before } : deed;
  }

  #answered(question: Question, key: string, decision: Decision): void {
    if (question === 'hold') this.#remind(key, decision.again);
    if (decision.actions.length === 0) return;
    this.#meter?.finished(question, key);
    const { view, notify } = this.#options;
    for (const action of decision.actions) {
      for (const notice of noticesOf(view, this.#deed({ question, key, decision, action }))) notify(notice);
    }
  }

  /** When a hold ends, everything that it held is looked at again. */
  #remind(key: string, until: string | undefined): void {
    this.#holds.get(key)?.();
    this.#holds.delete(key);
    if (until === undefined) return;
    const { clock } = this.#options;
    const delay = Math.min(Math.max(Date.parse(until) - clock.now(), 0), longestTimer);
    this.#holds.set(
      key,
      clock.after(delay, () => this.#holdEnds(key)),
    );
  }

  #holdEnds(key: string): void {
    this.#holds.delete(key);
    const { view, notify } = this.#options;
    const rollout = view.get(key) as RolloutPolicy | undefined;
    if (!rollout) return;
    wake(view, { key, before: undefined, after: rollout }, (question, asked) => this.desks.ask(question, asked));
    if (Date.parse(rollout.spec.until ?? '') > this.#options.clock.now()) return;
    notify({
      object: rollout,
      type: 'Normal',
      reason: 'HoldOver',
      message: `the hold ended at ${rollout.spec.until}`,
      component: 'sluice',
    });
  }
}

/** Timers count milliseconds in 31 bits. */
const longestTimer = 2 ** 31 - 1;

/** A person's edit goes before what follows from it for others, and both before the first look at everything. */
function priorityOf({ origin, after, before }: CacheChange): Priority {
  if (origin === 'list') return 'low';
  const object = after ?? before;
  return origin === 'watch' && object && !object.apiVersion.includes('.karmada.io/') ? 'high' : 'normal';
}
