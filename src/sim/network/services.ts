import { fnv32a } from '../../base/index.ts';
import { selectsLabels } from '../../api/index.ts';
import { objectKey } from '../../apiserver/index.ts';
import type { Behaviour, Change } from '../cluster/behaviour.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { kinds } from '../cluster/kinds.ts';
import { isGoing } from '../cluster/objects.ts';
import type { Ingress, Service } from '../cluster/objects.ts';
import { writeEndpoints } from './endpoints.ts';

/** Tells who stands behind a Service, and gives a load balancer its address. */
export const services: Behaviour<Service> = {
  name: 'services',
  kind: kinds.services,
  wakes: { '/pods': servicesOfPod },
  async look(cluster, service) {
    if (isGoing(service)) return undefined;
    if (service.spec.selector && service.spec.type !== 'ExternalName') await writeEndpoints(cluster, service);
    return balance(cluster, service);
  },
};

/** The Services that select a pod, or did before it changed. */
function servicesOfPod(cluster: Cluster, { before, after }: Change): readonly string[] {
  const namespace = (after ?? before)?.metadata.namespace ?? '';
  return cluster.list(kinds.services, namespace).flatMap(({ spec, metadata }) => {
    const { selector } = spec;
    if (!selector) return [];
    const selected = [before, after].some(
      (pod) => pod && selectsLabels({ matchLabels: selector }, pod.metadata.labels),
    );
    return selected ? [objectKey(kinds.services, namespace, metadata.name)] : [];
  });
}

/** Load balancers come up after the usual delay; a Service that is none any more loses its address. */
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
