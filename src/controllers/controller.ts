/**
 * The vocabulary of controllers: a controller is data about one question of the engine, and the pipeline runs it.
 * It must not know any single controller. Start with `ControllerDefinition`.
 */
import type { KubeObject, View, Work } from '../api/index.ts';
import type { Action, ActionOf, Decision, Question, Wake, Write } from '../engine/index.ts';
import type { Clock, Logger } from '../observe/index.ts';
import type { HubCache, MemberCaches, WriteTarget } from '../runtime/index.ts';

/** One controller: the question that it asks, how many do so at once, and the events that follow from the actions. */
export interface ControllerDefinition<Q extends Question = Question> {
  /** In logs and metrics. */
  readonly name: string;
  readonly question: Q;
  readonly workers?: number;
  /** Workers that do only what a person waits for. */
  readonly urgentWorkers?: number;
  /** Every member has a queue of its own, so that a member that does not answer delays no other. */
  readonly perMember?: boolean;
  /** Reports wait for the controllers of a lower rank: they are written once, after everything has been done. 0 when absent. */
  readonly rank?: 0 | 1 | 2;
  /** The level of an object in the queue: higher ones go first. */
  readonly levelOf?: (object: KubeObject | undefined) => number;
  /** Actions that do the same to different objects, and are performed at the same time. */
  readonly concurrent?: readonly ActionOf<Q>['do'][];
  /** The component that events name as their source: Karmada's name of the controller. */
  readonly source?: EventSource;
  /** The events of each action. An action without events has an empty list, so that a renamed action does not compile. */
  readonly events: { readonly [Do in ActionOf<Q>['do']]: readonly EventRule[] };
  /** Events that are not about the success or failure of an action. */
  readonly otherEvents?: OtherEvents;
  /** Performs a write in a way of its own; undefined: the write is performed as every other. */
  readonly perform?: (write: Write, hub: WriteTarget, signal: AbortSignal) => Promise<void> | undefined;
  /** Makes what the controller needs beside decisions: timers, and reads that a cache does not have. */
  readonly assist?: (live: LiveWorld) => Assistant;
}

interface EventSource {
  readonly component: string;
  /** For bindings without a namespace. */
  readonly cluster?: string;
}

/** A part of a controller with a lifetime. Its hooks are called for every object that the controller is asked about. */
export interface Assistant {
  beforeDecision?(key: string): void;
  afterDecision?(key: string, decision: Decision): void;
  /** Called when all actions of a decision were performed. */
  afterActions?(key: string, decision: Decision): void;
  close?(): void;
}

/** The live world as assistants see it. */
export interface LiveWorld {
  readonly view: HubCache;
  readonly members: MemberCaches;
  /** The server of a member; undefined while it is not connected. */
  readonly memberTarget: (member: string) => WriteTarget | undefined;
  /** Watches a kind of a member that is needed and not watched yet. */
  readonly follow: (member: string, kind: { readonly apiVersion: string; readonly kind: string }) => void;
  readonly ask: Wake;
  /** Asks about an object before everything that nobody waits for. */
  readonly askUrgently: Wake;
  /** Tells whether a person waits for this Work. */
  readonly isUrgent: (work: Work) => boolean;
  readonly clock: Clock;
  readonly log: Logger;
}

/** An action that was performed, or failed. */
export interface PerformedAction {
  readonly question: Question;
  /** The key of the object that the question is about. */
  readonly key: string;
  readonly decision: Decision;
  readonly action: Action;
  /** The object before the action. */
  readonly before?: KubeObject | undefined;
  readonly error?: unknown;
}

/** The object that an action writes; undefined when it deletes. */
export function writtenBy({ action }: Pick<PerformedAction, 'action'>): KubeObject | undefined {
  return action.write.verb === 'delete' ? undefined : action.write.object;
}

/** The objects about which a question can emit events. */
export type Subject = 'template' | 'binding' | 'work' | 'cluster' | 'quota';

/** The object that a question is about, and the objects around it. */
export type Subjects = Readonly<Partial<Record<Subject, KubeObject>>>;

/** One kind of event: its reason, the objects that get it, and the actions that it follows from. */
export interface EventRule {
  /** `Succeed` or `Failed` is added; Karmada's words. */
  readonly stem: string;
  readonly on: readonly Subject[];
  readonly meaning: string;
  /** Selects performed actions; all of them when absent. */
  readonly when?: (done: PerformedAction) => boolean;
  /** Selects actions that were performed and yet report a failure. */
  readonly fails?: (done: PerformedAction) => boolean;
  /** The message of a success; the reason of the decision when absent. */
  readonly message?: (done: PerformedAction) => string;
  /** The source of the event, where that is not the controller. */
  readonly component?: string;
  /** No event is emitted for a success. */
  readonly onlyFailures?: boolean;
}

/** An event to be recorded on an object: Karmada's reasons, so that programs that watch for them go on working. */
export interface ObjectEvent {
  readonly object: KubeObject;
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
  readonly component: string;
  /** A person has caused it: it is not dropped however much else happens. */
  readonly isKept?: boolean;
}

/** An event that docs/events.md lists with its reason alone. */
export interface SingleEvent {
  readonly reason: string;
  readonly on: string;
  readonly meaning: string;
}

/** The events of a controller that do not say whether an action succeeded. */
export interface OtherEvents {
  readonly list: readonly SingleEvent[];
  /** The events of a performed action; absent where the controller emits them elsewhere. */
  readonly of?: (view: View, done: PerformedAction, subjects: Subjects) => readonly ObjectEvent[];
}
