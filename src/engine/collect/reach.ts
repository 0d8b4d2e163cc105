import { clusterApi, keyOf } from '../../api/index.ts';
import type { Cluster, View } from '../../api/index.ts';
import { isReady, readyOf, unreadyWords } from '../dispatch/index.ts';
import { defaultDeadlineSeconds } from '../interpret/index.ts';
import type { Delivery } from './delivery.ts';

/** A member that is not ready, or that does not exist. */
export interface Unready {
  readonly name: string;
  readonly cluster: Cluster | undefined;
}

/** The members among these that are not ready. */
export function unreadyAmong(view: View, names: Iterable<string>): readonly Unready[] {
  return [...names].flatMap((name) => {
    const cluster = view.get(keyOf({ apiVersion: clusterApi, kind: 'Cluster', name })) as Cluster | undefined;
    return isReady(cluster) ? [] : [{ name, cluster }];
  });
}

/** When the outage of a member is past its deadline, in milliseconds since the epoch; never, while nobody was ever there. */
export function outageDeadline({ cluster }: Unready): number {
  return Date.parse(readyOf(cluster)?.lastTransitionTime ?? '') + defaultDeadlineSeconds * 1000;
}

/** Nobody knows how an object is in a member that is not ready; after the usual deadline that is an outage. */
export function cutOff(delivery: Delivery, member: Unready, now: string): Delivery {
  if (delivery.state === 'failing' || delivery.state === 'suspended') return delivery;
  const { name, cluster } = member;
  const since = readyOf(cluster)?.lastTransitionTime;
  const words = unreadyWords(name, cluster);
  const message = delivery.message?.startsWith('is being removed') ? `is to be removed, but ${words}` : words;
  const isLate = outageDeadline(member) <= Date.parse(now);
  const state = isLate || delivery.state === 'unhealthy' ? 'unhealthy' : 'progressing';
  return { state, message, ...(since !== undefined && { since }) };
}
