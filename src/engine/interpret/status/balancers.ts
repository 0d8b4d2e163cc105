import type { AggregatedStatusItem, KubeObject } from '../../../api/index.ts';
import { at, isObject } from '../../../base/index.ts';
import { listOf, reportedBy, statusOf } from './kind.ts';
import type { Fields, StatusKind } from './kind.ts';

function entriesOf(status: Fields): readonly Fields[] {
  const balancer = status['loadBalancer'];
  return isObject(balancer) ? listOf(balancer, 'ingress') : [];
}

const hasAddress = (_: KubeObject, status: Fields): boolean =>
  entriesOf(status).some(({ ip, hostname }) => Boolean(ip) || Boolean(hostname));

/** All addresses under which the members answer, each once. */
function balanced(template: KubeObject, items: readonly AggregatedStatusItem[]): unknown {
  const found = new Map<string, Fields>();
  for (const item of items) for (const entry of entriesOf(reportedBy(item))) found.set(JSON.stringify(entry), entry);
  const ingress = [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, entry]) => entry);
  return { ...statusOf(template), loadBalancer: ingress.length > 0 ? { ingress } : {} };
}

const isBalanced = (service: KubeObject): boolean => at(service, ['spec', 'type']) === 'LoadBalancer';

/** Kinds that are reached from outside. */
export const balancers: Readonly<Record<string, StatusKind>> = {
  'v1|Service': {
    reflect: (service, { loadBalancer }) => (isBalanced(service) && loadBalancer ? { loadBalancer } : undefined),
    healthy: (service, status) => !isBalanced(service) || hasAddress(service, status),
    aggregate: (service, items) => (isBalanced(service) ? balanced(service, items) : undefined),
  },
  'networking.k8s.io/v1|Ingress': { healthy: hasAddress, aggregate: balanced },
};
