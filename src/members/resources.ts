import type { ClusterStatus, KubeObject } from '../api/index.ts';
import { quantity, quantityText } from '../api/index.ts';
import { at, isObject } from '../base/index.ts';

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

type Amounts = Readonly<Record<string, string>>;

/** Pods that ask for the same, in the same situation. */
export interface Asking {
  readonly hasNode: boolean;
  /** The requests of each container. */
  readonly requests: readonly Amounts[];
  /** How many Pods. */
  readonly count: number;
}

/** The requests of a Pod; undefined when it has ended and needs nothing any more. */
export function askingOf({ spec, status }: Pod): Omit<Asking, 'count'> | undefined {
  const phase = at(status, ['phase']);
  if (phase === 'Succeeded' || phase === 'Failed') return undefined;
  const containers = listOf(at(spec, ['containers'])).slice(0, mostContainers);
  const requests = containers.map((container) => amountsOf(at(container, ['resources', 'requests'])));
  return { hasNode: Boolean(at(spec, ['nodeName'])), requests };
}

/** More than any Pod or Node has: the rest of what a member claims is left out, and so is all that is of a wrong type. */
const [mostContainers, mostAmounts, longestText] = [200, 100, 253];

/** A list in an answer of a member, or none. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as readonly unknown[]) : [];
}

/** Amounts of resources in an answer of a member. */
export function amountsOf(value: unknown): Amounts {
  if (!isObject(value)) return {};
  return Object.fromEntries(Object.entries(value).slice(0, mostAmounts).filter(isAmount)) as Amounts;
}

function isAmount([name, amount]: readonly [string, unknown]): boolean {
  return name.length <= longestText && typeof amount === 'string' && amount.length <= longestText;
}

/** The capacity of a member: allocatable on its nodes, requested by pending Pods, allocated to running ones. */
export function resourceSummary(
  nodes: Iterable<Node>,
  asking: readonly Asking[],
): NonNullable<ClusterStatus['resourceSummary']> {
  const [placed, waiting] = [asking.filter(({ hasNode }) => hasNode), asking.filter(({ hasNode }) => !hasNode)];
  const offers = [...nodes].map(({ status }) => ({ requests: [status?.allocatable ?? {}], count: 1 }));
  return {
    allocatable: total(offers),
    allocating: { ...total(waiting), pods: String(podsIn(waiting)) },
    allocated: { ...total(placed), pods: String(podsIn(placed)) },
  };
}

const podsIn = (asking: readonly Asking[]): number => asking.reduce((sum, { count }) => sum + count, 0);

function total(groups: readonly Pick<Asking, 'requests' | 'count'>[]): Record<string, string> {
  const sums = new Map<string, number>();
  for (const { requests, count } of groups) {
    for (const [name, text] of requests.flatMap((amounts) => Object.entries(amounts)))
      sums.set(name, (sums.get(name) ?? 0) + count * (quantity(text) ?? 0));
  }
  return Object.fromEntries(
    [...sums].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, sum]) => [name, quantityText(name, sum)]),
  );
}
