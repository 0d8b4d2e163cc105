import type { FieldError, KindInfo, KubeObject, NameRule, Objects, User } from '../api/index.ts';
import type { Draft } from './draft.ts';

/** The parts of the hub that a strategy may use. */
export interface StrategyParts {
  readonly objects: Pick<Objects, 'get' | 'follow'>;
  readonly clock: { now(): number };
}

/** The request that writes an object, as far as a strategy may know it. */
export interface StrategyCall {
  readonly kind: KindInfo;
  readonly user: User;
  readonly parts: StrategyParts;
}

/**
 * The behaviour of a built-in kind beyond its schema: the form of its names, its defaults, its errors.
 * `defaults` runs on every write before admission; the others as their names say.
 */
export interface Strategy {
  readonly names?: NameRule;
  /** Counts changes of its spec in metadata.generation; custom resources always do. */
  readonly generation?: boolean;
  /** A status that the creator writes is kept, as a kubelet does for its node. */
  readonly keepsStatus?: boolean;
  /** The status of a new object; fields that Go always writes. */
  readonly initialStatus?: object;
  /** A PUT of an object that does not exist creates it. */
  readonly createOnUpdate?: boolean;
  defaults?(draft: Draft): void;
  prepareCreate?(draft: Draft, call: StrategyCall): void;
  prepareUpdate?(draft: Draft, old: KubeObject, call: StrategyCall): void;
  /** Frees what was taken for this draft and is not stored: it was refused, only tried, or somebody else was faster. */
  giveBack?(draft: Draft, call: StrategyCall): void;
  validate?(draft: Draft, old?: KubeObject): readonly FieldError[];
  validateUpdate?(draft: Draft, old: KubeObject): readonly FieldError[];
  /** Seconds that the object may stay after its deletion was asked for; absent: it goes at once. */
  grace?(object: KubeObject, asked: number | undefined, parts: StrategyParts): number;
  /** Tells whether this object can be removed, now that metadata has no finalizers. */
  isFinal?(object: KubeObject): boolean;
  /** Changes the object when its deletion begins. */
  beginDeletion?(draft: Draft, parts: StrategyParts): void;
}
