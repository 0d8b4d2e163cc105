import { fnv32a } from '../../base/index.ts';
import type { Behaviour } from '../cluster/behaviour.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { kinds } from '../cluster/kinds.ts';
import { isGoing } from '../cluster/objects.ts';
import type { Ingress, Service } from '../cluster/objects.ts';
import { Selectors } from '../cluster/selections.ts';
import { writeEndpoints } from './endpoints.ts';

/** Writes the endpoints of Services, and gives load balancers their address. */
export function servicesOf(): Behaviour<Service> {
  const selectors = new Selectors('/services', (service) => {
    const { selector } = (service as Service).spec;
    return selector && { matchLabels: selector };
  });
  return {
    name: 'services',
    kind: kinds.services,
    observers: [selectors],
    wakes: { '/pods': (_cluster, change) => selectors.of(change) },
    async look(cluster, service) {
      if (isGoing(service)) return undefined;
      if (service.spec.selector && service.spec.type !== 'ExternalName') await writeEndpoints(cluster, service);
      return balance(cluster, service);
    },
  };
}

/** Load balancers come up after the usual delay; a Service that is not one any more loses its address. */
async function balance(cluster: Cluster, service: Service): Promise<number | undefined> {
  if (service.spec.type === 'LoadBalancer') {
    const ip = service.spec.loadBalancerIP ?? addressFor(service.metadata.uid);
    return giveAddress(cluster, service, { ip, ipMode: 'VIP' });
  }
  if (hasAddress(service)) await cluster.writeStatus(service, { loadBalancer: {} });
  return undefined;
}

const hasAddress = ({ status }: Service | Ingress): boolean => (status?.loadBalancer?.ingress?.length ?? 0) > 0;

/** Gives a load balancer this address unless it has one; answers how long that will still take. */
export async function giveAddress(
  cluster: Cluster,
  object: Service | Ingress,
  address: object,
): Promise<number | undefined> {
  if (hasAddress(object)) return undefined;
  const wait = `balance ${object.metadata.uid ?? ''}`;
  const left = cluster.waits.left(wait, cluster.delayMilliseconds);
  if (left > 0) return left;
  cluster.waits.end(wait);
  await cluster.writeStatus(object, { ...object.status, loadBalancer: { ingress: [address] } });
  return undefined;
}

/** An address of the range for benchmarks (198.18.0.0/15) that belongs to this uid alone, as far as chance allows. */
export function addressFor(uid = ''): string {
  const hash = fnv32a(uid);
  return `198.${18 + (hash & 1)}.${(hash >>> 8) & 255}.${1 + ((hash >>> 16) % 254)}`;
}

/** Gives every Ingress an address, whatever its class. */
export const ingresses: Behaviour<Ingress> = {
  name: 'ingresses',
  kind: kinds.ingresses,
  async look(cluster, ingress) {
    return isGoing(ingress) ? undefined : giveAddress(cluster, ingress, { ip: addressFor(ingress.metadata.uid) });
  },
};
