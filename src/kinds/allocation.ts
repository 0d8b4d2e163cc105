import type { KubeObject, Objects } from '../api/index.ts';
import { partsOf, specOf } from './part.ts';

const services = { group: '', plural: 'services' };
/** 10.96.0.0/12, of which the first address is the API server's own. */
const firstAddress = (10 << 24) | (96 << 16);
const addresses = 1 << 20;
/** The first port that a Service can get on the nodes. */
export const firstNodePort = 30_000;
/** The last port that a Service can get on the nodes. */
export const lastNodePort = 32_767;

/** The addresses and ports that Services use. */
export class Allocation {
  readonly #addresses = new Map<string, string>();
  readonly #ports = new Map<number, string>();

  /** Follows the Services from the first allocation on. */
  constructor(objects: Pick<Objects, 'follow'>) {
    objects.follow(services, ({ before, after }) => {
      if (before) this.#forget(before);
      if (after) this.#learn(after);
    });
  }

  /** Takes an address for a Service: this one, or any free one. False: it is taken. */
  takeAddress(owner: string, wanted?: string): string | false {
    if (wanted !== undefined) return this.#take(this.#addresses, wanted, owner) && wanted;
    for (;;) {
      const number = 10 + Math.floor(Math.random() * (addresses - 20));
      const address = addressOf(firstAddress + number);
      if (this.#take(this.#addresses, address, owner)) return address;
    }
  }

  /** Takes a node port for a Service: this one, or any free one. False: it is taken. */
  takePort(owner: string, wanted?: number): number | false {
    if (wanted !== undefined) return this.#take(this.#ports, wanted, owner) && wanted;
    const span = lastNodePort - firstNodePort + 1;
    const start = Math.floor(Math.random() * span);
    for (let i = 0; i < span; i++) {
      const port = firstNodePort + ((start + i) % span);
      if (this.#take(this.#ports, port, owner)) return port;
    }
    return false;
  }

  /** Frees what was taken for a draft of a Service and does not stand in what is stored of it. */
  giveBack(draft: KubeObject, stored: KubeObject | undefined): void {
    const owner = draft.metadata.uid ?? '';
    const kept = stored?.metadata.uid === owner ? stored : undefined;
    const [addresses, ports] = kept ? [addressesOf(kept), portsOf(kept)] : [[], []];
    release(
      this.#addresses,
      owner,
      addressesOf(draft).filter((address) => !addresses.includes(address)),
    );
    release(
      this.#ports,
      owner,
      portsOf(draft).filter((port) => !ports.includes(port)),
    );
  }

  #take<Key>(taken: Map<Key, string>, key: Key, owner: string): boolean {
    const current = taken.get(key);
    if (current !== undefined && current !== owner) return false;
    taken.set(key, owner);
    return true;
  }

  #learn(service: KubeObject): void {
    const uid = service.metadata.uid ?? '';
    for (const address of addressesOf(service)) this.#addresses.set(address, uid);
    for (const port of portsOf(service)) this.#ports.set(port, uid);
  }

  #forget(service: KubeObject): void {
    const uid = service.metadata.uid ?? '';
    release(this.#addresses, uid, addressesOf(service));
    release(this.#ports, uid, portsOf(service));
  }
}

/** Frees keys that still belong to the owner: somebody else may have taken one since. */
function release<Key>(taken: Map<Key, string>, owner: string, keys: readonly Key[]): void {
  for (const key of keys) if (taken.get(key) === owner) taken.delete(key);
}

function addressesOf(service: KubeObject): readonly string[] {
  return ((specOf(service)['clusterIPs'] ?? []) as readonly string[]).filter((address) => address !== 'None');
}

function portsOf(service: KubeObject): number[] {
  const spec = specOf(service);
  const ports = partsOf(spec, 'ports').map((port) => port['nodePort']);
  return [...ports, spec['healthCheckNodePort']].filter((port) => typeof port === 'number' && port > 0) as number[];
}

function addressOf(number: number): string {
  return [24, 16, 8, 0].map((shift) => (number >>> shift) & 255).join('.');
}

const allocations = new WeakMap<object, Allocation>();

/** The allocation over the objects of a hub. */
export function allocationOf(objects: Pick<Objects, 'follow'>): Allocation {
  const known = allocations.get(objects);
  if (known) return known;
  const made = new Allocation(objects);
  allocations.set(objects, made);
  return made;
}
