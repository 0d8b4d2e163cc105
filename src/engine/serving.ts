import type { Cluster, KindRef } from '../api/index.ts';
import { conditionStatus } from './conditions.ts';

/** Tells whether the cluster has reported that it serves this kind. */
export function serves({ status }: Cluster, { apiVersion, kind }: KindRef): boolean {
  const served = status?.apiEnablements?.find(({ groupVersion }) => groupVersion === apiVersion);
  return served?.resources?.some((resource) => resource.kind === kind) === true;
}

/**
 * Tells whether the cluster has reported all kinds that it serves, and this kind is not among them. Then nothing of
 * that kind stands there.
 */
export function lacks(cluster: Cluster | undefined, kind: KindRef): boolean {
  if (!cluster || conditionStatus(cluster.status?.conditions, 'CompleteAPIEnablements') !== 'True') return false;
  return !serves(cluster, kind);
}
