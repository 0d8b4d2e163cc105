import type { ClusterStatus, KubeObject } from '../api/index.ts';
import { quantity, quantityText } from '../api/index.ts';

/** A Node as far as it is read. */
export interface Node extends KubeObject {
  readonly status?: {
    readonly allocatable?: Readonly<Record<string, string>>;
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
  };
}

/** A Pod as far as it is read. */
export interface Pod extends KubeObject {
  readonly spec?: {
    readonly nodeName?: string;
    readonly containers?: readonly { readonly resources?: { readonly requests?: Readonly<Record<string, string>> } }[];
  };
  readonly status?: { readonly phase?: string };
}

/** How much room a member has: what its nodes offer, what is asked of it, what is given. */
export function resourceSummary(
  nodes: readonly Node[],
  pods: readonly Pod[],
): NonNullable<ClusterStatus['resourceSummary']> {
  const open = pods.filter(({ status }) => status?.phase !== 'Succeeded' && status?.phase !== 'Failed');
  const waiting = open.filter(({ spec }) => !spec?.nodeName);
  const placed = open.filter(({ spec }) => spec?.nodeName);
  return {
    allocatable: total(nodes.map(({ status }) => status?.allocatable ?? {})),
    allocating: { ...total(waiting.flatMap(requests)), pods: String(waiting.length) },
    allocated: { ...total(placed.flatMap(requests)), pods: String(placed.length) },
  };
}

function requests({ spec }: Pod): readonly Readonly<Record<string, string>>[] {
  return (spec?.containers ?? []).map(({ resources }) => resources?.requests ?? {});
}

function total(amounts: readonly Readonly<Record<string, string>>[]): Record<string, string> {
  const sums = new Map<string, number>();
  for (const amount of amounts) {
    for (const [name, text] of Object.entries(amount)) sums.set(name, (sums.get(name) ?? 0) + (quantity(text) ?? 0));
  }
  return Object.fromEntries(
    [...sums].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, sum]) => [name, quantityText(name, sum)]),
  );
}
