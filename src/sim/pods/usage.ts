import type { StoredChange } from '../../apiserver/index.ts';
import { quantity } from '../../api/index.ts';
import type { Observer } from '../cluster/behaviour.ts';
import { isOver } from '../cluster/objects.ts';
import type { Container, Pod } from '../cluster/objects.ts';

/** Amounts by resource name. */
export type PodAmounts = Readonly<Record<string, number>>;

interface OnNode {
  readonly node: string;
  readonly requests: PodAmounts;
  readonly address: string;
}

/** The resources promised to pods on each node, and the addresses in use. */
export class Usage implements Observer {
  readonly #places = new Map<string, OnNode>();
  readonly #totals = new Map<string, Record<string, number>>();
  readonly #addresses = new Set<string>();

  clear(): void {
    this.#places.clear();
    this.#totals.clear();
    this.#addresses.clear();
  }

  learn(resource: string, { key, after }: StoredChange): void {
    if (resource !== '/pods') return;
    const pod = after as Pod | undefined;
    if (!pod?.spec.nodeName || isOver(pod)) this.release(key);
    else this.reserve(key, pod, pod.spec.nodeName);
  }

  /** Counts a pod on a node from now on, whether or not the store knows it yet. */
  reserve(key: string, pod: Pod, node: string): void {
    const known = this.#places.get(key);
    const address = pod.status?.podIP ?? known?.address ?? '';
    this.release(key);
    const place = { node, requests: requestsOf(pod), address: pod.spec.hostNetwork ? '' : address };
    this.#places.set(key, place);
    if (place.address) this.#addresses.add(place.address);
    this.#count(place, 1);
  }

  release(key: string): void {
    const place = this.#places.get(key);
    if (!place) return;
    this.#places.delete(key);
    this.#addresses.delete(place.address);
    this.#count(place, -1);
  }

  #count({ node, requests }: OnNode, sign: 1 | -1): void {
    const totals = this.#totals.get(node) ?? {};
    for (const name in requests) totals[name] = (totals[name] ?? 0) + sign * (requests[name] ?? 0);
    this.#totals.set(node, totals);
  }

  /** The resources that are promised on a node. */
  on(node: string): PodAmounts {
    return this.#totals.get(node) ?? {};
  }

  /** A free address of the range `10.244.3.0/24` of a node, taken for the pod under this key. */
  takeAddress(key: string, range: string): string {
    const place = this.#places.get(key);
    if (place?.address) return place.address;
    const prefix = range.split('.').slice(0, 3).join('.');
    for (let last = 2; last < 255; last++) {
      const address = `${prefix}.${last}`;
      if (this.#addresses.has(address)) continue;
      this.#addresses.add(address);
      if (place) this.#places.set(key, { ...place, address });
      return address;
    }
    return `${prefix}.254`;
  }
}

/** The requests of a pod: the sum of its containers or the largest of its init containers, whichever is more. */
export function requestsOf(pod: Pod): PodAmounts {
  const sum: Record<string, number> = { pods: 1 };
  for (const [name, amount] of amountsOf(pod.spec.containers)) sum[name] = (sum[name] ?? 0) + amount;
  for (const [name, amount] of amountsOf(pod.spec.initContainers)) sum[name] = Math.max(sum[name] ?? 0, amount);
  return sum;
}

function* amountsOf(containers: readonly Container[] = []): Generator<[name: string, amount: number]> {
  for (const { resources } of containers) {
    for (const name in resources?.requests) yield [name, quantity(resources.requests[name]) ?? 0];
  }
}
