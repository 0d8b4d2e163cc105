import { isObject } from '../../base/index.ts';
import type { ReplicaRequirements } from '../../api/index.ts';
import { quantity, sumText } from '../../api/index.ts';

type Amounts = Record<string, { value: number; text: string }>;

/** The needs of one pod: the sum of its containers' requests, or its largest init container's, and where it may run. */
export function requestsOf(podSpec: unknown, namespace: string | undefined): ReplicaRequirements | undefined {
  if (!isObject(podSpec)) return undefined;
  const resourceRequest = requestOf(podSpec);
  const nodeClaim = nodeClaimOf(podSpec);
  if (!resourceRequest && !nodeClaim) return undefined;
  return {
    ...(nodeClaim && { nodeClaim }),
    ...(resourceRequest && { resourceRequest }),
    ...(namespace && { namespace }),
    ...(typeof podSpec['priorityClassName'] === 'string' && { priorityClassName: podSpec['priorityClassName'] }),
  };
}

function requestOf(podSpec: Record<string, unknown>): Record<string, string> | undefined {
  const total: Amounts = {};
  for (const request of requestsIn(podSpec['containers'])) add(total, request, (a, b) => a + b);
  for (const request of requestsIn(podSpec['initContainers'])) add(total, request, Math.max);
  add(total, podSpec['overhead'], (a, b) => a + b);
  const names = Object.keys(total).sort();
  return names.length ? Object.fromEntries(names.map((name) => [name, total[name]?.text ?? '0'])) : undefined;
}

function requestsIn(containers: unknown): readonly unknown[] {
  if (!Array.isArray(containers)) return [];
  return containers.map((container: unknown) => {
    const resources = isObject(container) ? container['resources'] : undefined;
    if (!isObject(resources)) return undefined;
    return { ...(isObject(resources['limits']) ? resources['limits'] : {}), ...(resources['requests'] as object) };
  });
}

function add(total: Amounts, request: unknown, combine: (a: number, b: number) => number): void {
  if (!isObject(request)) return;
  for (const name in request) {
    const value = quantity(request[name]);
    if (value === undefined) continue;
    const present = total[name];
    const sum = present ? combine(present.value, value) : value;
    total[name] = { value: sum, text: sum === value ? String(request[name]) : sumText(sum, present?.text) };
  }
}

function nodeClaimOf(podSpec: Record<string, unknown>): ReplicaRequirements['nodeClaim'] {
  const affinity = podSpec['affinity'];
  const node = isObject(affinity) ? affinity['nodeAffinity'] : undefined;
  const hard = isObject(node) ? node['requiredDuringSchedulingIgnoredDuringExecution'] : undefined;
  const { nodeSelector, tolerations } = podSpec;
  if (!hard && !nodeSelector && !tolerations) return undefined;
  return {
    ...(hard !== undefined && { hardNodeAffinity: hard }),
    ...(isObject(nodeSelector) && { nodeSelector: nodeSelector as Record<string, string> }),
    ...(Array.isArray(tolerations) && { tolerations: tolerations as readonly unknown[] }),
  };
}
