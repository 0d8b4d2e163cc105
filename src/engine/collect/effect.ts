import type { Binding, Condition, Work } from '../../api/index.ts';
import { existingClusters, overridesCondition } from '../render/index.ts';
import { deliveryOf } from './delivery.ts';
import type { Delivery, MemberState } from './delivery.ts';
import { cutOff } from './reach.ts';
import type { Unready } from './reach.ts';

/** The condition of a binding that says in one word how its template is in all members. */
export const inEffectCondition = 'InEffect';

/** The words of `kubectl get rb` for each state, the worst first. */
const reasonOf: Readonly<Record<Exclude<MemberState, 'unknown'>, string>> = {
  failing: 'Failing',
  unhealthy: 'Unhealthy',
  suspended: 'Suspended',
  progressing: 'Progressing',
  inEffect: 'InEffect',
};

const order = Object.keys(reasonOf) as readonly Exclude<MemberState, 'unknown'>[];

/** Conditions of a binding that are False while nothing of the template can be sent. */
const obstacles: ReadonlySet<string> = new Set(['Scheduled', overridesCondition]);

/** All that the state of a template in its members depends on. */
export interface EffectFacts {
  readonly binding: Binding;
  readonly works: ReadonlyMap<string, Work>;
  /** Members of the binding that are not ready. */
  readonly unready: readonly Unready[];
  readonly now: string;
}

/** Says how the template of a binding is in its members: the worst state, and the words of the members in that state. */
export function effectOf({ binding, works, unready, now }: EffectFacts): Omit<Condition, 'lastTransitionTime'> {
  const obstacle = binding.status?.conditions?.find(({ type, status }) => obstacles.has(type) && status === 'False');
  if (obstacle) return said('failing', obstacle.message);
  const deliveries = new Map<string, Delivery>();
  for (const name of existingClusters(binding)) deliveries.set(name, { state: 'progressing' });
  for (const [name, work] of works) deliveries.set(name, deliveryOf(work));
  for (const member of unready) {
    const delivery = deliveries.get(member.name);
    if (delivery) deliveries.set(member.name, cutOff(delivery, member, now));
  }
  const states = new Set([...deliveries.values()].map(({ state }) => state));
  const state = order.find((one) => states.has(one)) ?? 'inEffect';
  return said(state, state === 'inEffect' ? 'delivered and healthy' : wordsOf(deliveries, state));
}

/** The state that the condition of a binding says; progressing while it says nothing. */
export function stateSaid({ status }: Binding): keyof typeof reasonOf {
  const reason = status?.conditions?.find(({ type }) => type === inEffectCondition)?.reason;
  return order.find((state) => reasonOf[state] === reason) ?? 'progressing';
}

function said(state: keyof typeof reasonOf, message: string): Omit<Condition, 'lastTransitionTime'> {
  return { type: inEffectCondition, status: state === 'inEffect' ? 'True' : 'False', reason: reasonOf[state], message };
}

/** `member1, member2: the words`, for every different sentence. */
function wordsOf(deliveries: ReadonlyMap<string, Delivery>, state: MemberState): string {
  const named = [...deliveries].filter(([, delivery]) => delivery.state === state).sort(([a], [b]) => (a < b ? -1 : 1));
  const alike = Map.groupBy(named, ([, { message = '' }]) => message);
  return [...alike]
    .map(([message, members]) => [members.map(([name]) => name).join(', '), message].filter(Boolean).join(': '))
    .join('; ');
}
