import type { FieldError, Gates, KubeObject, Ref, Settings } from '../../src/api/index.ts';

/** A refused write, with every reason. */
export class Refused extends Error {
  readonly errors: readonly FieldError[];
  constructor(errors: readonly FieldError[], message: string) {
    super(message);
    this.name = 'Refused';
    this.errors = errors;
  }
}

/**
 * Where a scenario is played: on the model, or on a whole server. A scenario sees nothing else, so that one source runs
 * on both.
 */
export interface Stage {
  readonly members: readonly string[];
  /** Expectations may take a moment: other threads do the work. */
  readonly patient?: boolean;
  /** Creates, or updates as `kubectl apply` would; throws Refused when admission says no. */
  apply(object: KubeObject): Promise<void>;
  /** Changes an object of the hub by a function, as `kubectl edit` would. */
  edit(ref: Ref, change: (object: KubeObject) => KubeObject): Promise<void>;
  /** Writes the status of an object of the hub, as another controller would. */
  writeStatus(ref: Ref, status: unknown): Promise<void>;
  delete(ref: Ref): Promise<void>;
  get(ref: Ref): Promise<KubeObject | undefined>;
  /** An object of a member. */
  inMember(member: string, ref: Ref): Promise<KubeObject | undefined>;
  /** Changes or deletes an object in a member by hand. */
  tamper(member: string, ref: Ref, change: (object: KubeObject) => KubeObject | undefined): Promise<void>;
  /** Number of replicas of a Deployment that are ready in a member from now on, until it is written again. */
  readies(member: string, ref: Ref, ready: number): Promise<void>;
  /** The member reports this status of an object from now on, until the object is written again. */
  memberReports(member: string, ref: Ref, status: object): Promise<void>;
  /** The member reports capacity for so many more Pods. */
  hasCapacity(member: string, pods: number): Promise<void>;
  /** Puts an object into a member by hand. */
  plant(member: string, object: KubeObject): Promise<void>;
  /** Everything that the members hold of what is propagated, for comparing. */
  fleet(): Promise<unknown>;
  /** Waits until nothing moves any more. */
  settle(): Promise<void>;
  /** Stops and starts the control plane; whatever it has not done yet it does afterwards. */
  restart(): Promise<void>;
  /** Makes time pass while the control plane works. */
  advance(seconds: number): Promise<void>;
  /** Stops the control plane for so long, then starts it. */
  away(seconds: number): Promise<void>;
  close(): Promise<void>;
}

/** How a stage is set up. */
export interface StageWords {
  readonly gates?: Partial<Gates>;
  readonly settings?: Partial<Settings>;
  readonly members?: readonly string[];
}

export type OpenStage = (words: StageWords) => Promise<Stage>;
