import type { KubeObject } from '../../api/index.ts';
import { equal } from '../../base/index.ts';
import { controllerReference } from '../cluster/cluster.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { kinds } from '../cluster/kinds.ts';
import { isGoing, isOver, isReady } from '../cluster/objects.ts';
import type { Pod, Service, ServicePort } from '../cluster/objects.ts';

const managedBy = 'endpointslice-controller.k8s.io';

/** Writes the Endpoints and the EndpointSlice of a Service with a selector. */
export async function writeEndpoints(cluster: Cluster, service: Service): Promise<void> {
  const selector = { matchLabels: service.spec.selector ?? {} };
  const selected = cluster.podsOf(service.metadata.namespace, selector);
  const pods = selected.filter((pod) => pod.status?.podIP && !isOver(pod));
  await put(cluster, endpointsOf(service, pods), ['subsets']);
  await put(cluster, sliceOf(service, pods), ['endpoints', 'ports']);
}

type Loose = KubeObject & { readonly [part: string]: unknown };

async function put(cluster: Cluster, wanted: Loose, parts: readonly string[]): Promise<void> {
  const kind = wanted.kind === 'Endpoints' ? kinds.endpoints : kinds.endpointSlices;
  const present = cluster.get(kind, wanted.metadata.namespace, wanted.metadata.name) as Loose | undefined;
  if (!present) {
    await cluster.create(wanted);
    return;
  }
  if (parts.every((part) => equal(present[part] ?? [], wanted[part] ?? []))) return;
  await cluster.update({ ...wanted, metadata: { ...present.metadata, labels: wanted.metadata.labels ?? {} } });
}

function serves(service: Service, pod: Pod): boolean {
  return !isGoing(pod) && (isReady(pod) || service.spec.publishNotReadyAddresses === true);
}

function endpointsOf(service: Service, pods: readonly Pod[]): Loose {
  const { name, namespace = '', labels } = service.metadata;
  const ready = pods.filter((pod) => serves(service, pod)).map(addressOf);
  const unready = pods.filter((pod) => !serves(service, pod) && !isGoing(pod)).map(addressOf);
  const ports = portsOf(service, pods[0]);
  const subset = {
    ...(ready.length > 0 && { addresses: ready }),
    ...(unready.length > 0 && { notReadyAddresses: unready }),
    ...(ports.length > 0 && { ports }),
  };
  return {
    apiVersion: 'v1',
    kind: 'Endpoints',
    metadata: { name, namespace, labels: { ...labels, 'endpoints.kubernetes.io/managed-by': 'endpoint-controller' } },
    ...(ready.length + unready.length > 0 && { subsets: [subset] }),
  };
}

function addressOf(pod: Pod): object {
  return { ip: pod.status?.podIP, nodeName: pod.spec.nodeName, targetRef: targetOf(pod) };
}

function targetOf({ metadata }: Pod): object {
  return { kind: 'Pod', namespace: metadata.namespace, name: metadata.name, uid: metadata.uid };
}

function sliceOf(service: Service, pods: readonly Pod[]): Loose {
  const { name, namespace = '', labels } = service.metadata;
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: {
      // One slice a Service is enough here, and a name that follows from the Service needs no search.
      name: `${name}-sim`,
      namespace,
      labels: {
        ...labels,
        'kubernetes.io/service-name': name,
        'endpointslice.kubernetes.io/managed-by': managedBy,
      },
      ownerReferences: [controllerReference(service)],
    },
    addressType: 'IPv4',
    endpoints: pods.map((pod) => ({
      addresses: [pod.status?.podIP],
      conditions: { ready: serves(service, pod), serving: isReady(pod), terminating: isGoing(pod) },
      nodeName: pod.spec.nodeName,
      targetRef: targetOf(pod),
    })),
    ports: portsOf(service, pods[0]),
  };
}

/** The ports behind those of the Service; a named target is looked up in the containers. */
function portsOf({ spec }: Service, pod: Pod | undefined): readonly object[] {
  return (spec.ports ?? []).flatMap((port) => {
    const number = targetPortOf(port, pod);
    if (number === undefined) return [];
    return [{ name: port.name ?? '', port: number, protocol: port.protocol ?? 'TCP' }];
  });
}

function targetPortOf({ port, targetPort = port }: ServicePort, pod: Pod | undefined): number | undefined {
  if (typeof targetPort === 'number') return targetPort;
  const all = pod?.spec.containers.flatMap(({ ports }) => ports ?? []) ?? [];
  return all.find(({ name }) => name === targetPort)?.containerPort;
}
