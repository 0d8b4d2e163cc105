import type { KubeObject, View } from '../../api/index.ts';
import type { AutoscaleAction } from '../autoscale/index.ts';
import type { ClaimAction, PolicyAction } from '../claim/index.ts';
import type { CollectAction } from '../collect/index.ts';
import type { Action, Decision } from '../decision.ts';
import type { DependencyAction } from '../dependencies/index.ts';
import type { DispatchAction } from '../dispatch/index.ts';
import type { EvictionAction } from '../evict/index.ts';
import type { ClusterAction, NamespaceAction } from '../fleet/index.ts';
import type { QuotaAction } from '../quota/index.ts';
import type { RebalanceAction } from '../rebalance/index.ts';
import type { RenderAction } from '../render/index.ts';
import type { ScheduleAction } from '../schedule/index.ts';
import type { ExpiryAction } from '../suspension/index.ts';

/** The questions that a change can reopen, each one decision about one object, and the actions of its decisions. */
interface Decided {
  claim: ClaimAction;
  policy: PolicyAction | Refusal;
  cluster: ClusterAction | Refusal;
  namespace: NamespaceAction;
  suspension: ExpiryAction | Refusal;
  evict: EvictionAction;
  schedule: ScheduleAction;
  dependencies: DependencyAction;
  rebalance: RebalanceAction;
  quota: QuotaAction;
  autoscale: AutoscaleAction;
  render: RenderAction | Refusal;
  dispatch: DispatchAction | Refusal;
  reflect: CollectAction;
  collect: CollectAction;
}

/** The name of a question. */
export type Question = keyof Decided;

/** An action of a decision of this question. */
export type ActionOf<Q extends Question> = Decided[Q];

/**
 * The actions about an object for which nothing can be decided: `accept` writes the condition that says why, and removes it
 * later; `finalize` releases an unreadable object that is being deleted.
 */
export type Refusal = Action<'accept' | 'finalize'>;

/** Gathers and decides; undefined when the object is gone. */
export type Answer<Q extends Question> = (view: View, key: string) => Decision<ActionOf<Q>> | undefined;

/**
 * Called with a question and the key of the object that it is about, and with the object where it is at hand. A function
 * that takes a `Wake<Q>` asks no other questions than these.
 */
export type Wake<Q extends Question = Question> = (question: Q, key: string, object?: KubeObject) => void;
