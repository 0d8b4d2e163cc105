import type { Question } from '../../engine/index.ts';
import { autoscaling } from '../autoscaling/index.ts';
import { binder } from '../binder/index.ts';
import { clusters } from '../clusters/index.ts';
import { collector, reflector } from '../collector/index.ts';
import type { ControllerDefinition, EventRule, SingleEvent } from '../controller.ts';
import { dependencies } from '../dependencies/index.ts';
import { detector } from '../detector/index.ts';
import { dispatcher } from '../dispatcher/index.ts';
import { evictor } from '../evictor/index.ts';
import { namespaces } from '../namespaces/index.ts';
import { policies } from '../policies/index.ts';
import { quotas } from '../quotas/index.ts';
import { rebalancer } from '../rebalancer/index.ts';
import { scheduler } from '../scheduler/index.ts';
import { suspensions } from '../suspensions/index.ts';
import { obstacleEvents } from './undecided.ts';

/** Every controller, by its question: the pipeline is a loop over these. */
export const controllers: { readonly [Q in Question]: ControllerDefinition<Q> } = {
  claim: detector,
  schedule: scheduler,
  dependencies,
  render: binder,
  dispatch: dispatcher,
  reflect: reflector,
  collect: collector,
  evict: evictor,
  cluster: clusters,
  namespace: namespaces,
  rebalance: rebalancer,
  quota: quotas,
  autoscale: autoscaling,
  policy: policies,
  suspension: suspensions,
};

/** The controller that answers a question, by the name under which a process may be told to run it. */
export const controllerOf: { readonly [Q in Question]: string } = {
  claim: 'detector',
  schedule: 'scheduler',
  dependencies: 'dependencies',
  render: 'binder',
  dispatch: 'dispatcher',
  reflect: 'collector',
  collect: 'collector',
  evict: 'evictor',
  cluster: 'clusters',
  namespace: 'namespaces',
  rebalance: 'rebalancer',
  quota: 'quotas',
  autoscale: 'autoscaling',
  policy: 'policies',
  suspension: 'suspensions',
};

const all: readonly ControllerDefinition[] = Object.values(controllers) as readonly ControllerDefinition[];

/** The rules of all events that say whether an action succeeded. */
export const eventRules: readonly EventRule[] = all.flatMap(({ events }) => Object.values(events).flat());

/** All events that are not about the success or failure of an action. */
export const singleEvents: readonly SingleEvent[] = [
  ...obstacleEvents,
  ...all.flatMap(({ otherEvents }) => otherEvents?.list ?? []),
];
