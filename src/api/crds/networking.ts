import type { CustomResourceDefinition } from '../crd.ts';
import { about, age, choice, column, crd, int32, list, object, string, strings, time } from './build.ts';
import { conditions, loadBalancerStatus, sessionAffinityConfig } from './kubernetes.ts';

const networking = 'networking.karmada.io';
const multicluster = 'multicluster.x-k8s.io';

const multiClusterService = crd({
  group: networking,
  kind: 'MultiClusterService',
  plural: 'multiclusterservices',
  scope: 'Namespaced',
  shortNames: ['mcs'],
  description: 'Makes the Service of the same name reachable over members.',
  parts: {
    spec: object(
      {
        types: list(choice('CrossCluster', 'LoadBalancer')),
        ports: list(object({ name: string(), port: int32() }, ['port'])),
        range: about('Deprecated: write providerClusters and consumerClusters.', object({ clusterNames: strings() })),
        providerClusters: list(object({ name: string() }, ['name'])),
        consumerClusters: list(object({ name: string() }, ['name'])),
        serviceProvisionClusters: strings(),
        serviceConsumptionClusters: strings(),
      },
      ['types'],
    ),
    status: object({ conditions: conditions(), loadBalancer: loadBalancerStatus() }),
  },
});

const typedReference = object({ apiGroup: string(), kind: string(), name: string() }, ['kind', 'name'], {
  'x-kubernetes-map-type': 'atomic',
});

const ingressBackend = object({
  service: object({ name: string(), port: object({ name: string(), number: int32() }) }, ['name']),
  resource: typedReference,
});

const ingressPath = object({ path: string(), pathType: string(), backend: ingressBackend }, ['pathType', 'backend']);

const multiClusterIngress = crd({
  group: networking,
  kind: 'MultiClusterIngress',
  plural: 'multiclusteringresses',
  scope: 'Namespaced',
  shortNames: ['mci'],
  description: 'An Ingress over members.',
  required: [],
  parts: {
    spec: object({
      ingressClassName: string(),
      defaultBackend: ingressBackend,
      rules: list(
        object({
          host: string(),
          http: object({ paths: list(ingressPath, { 'x-kubernetes-list-type': 'atomic' }) }, ['paths']),
        }),
        { 'x-kubernetes-list-type': 'atomic' },
      ),
      tls: list(object({ hosts: strings(), secretName: string() }), { 'x-kubernetes-list-type': 'atomic' }),
    }),
    status: object({
      loadBalancer: loadBalancerStatus(),
      trafficBlockClusters: strings(),
      serviceLocations: list(object({ name: string(), clusters: strings() }, ['name'])),
    }),
  },
});

const exportCondition = object(
  {
    type: string(),
    status: choice('True', 'False', 'Unknown'),
    reason: string(),
    message: string(),
    lastTransitionTime: time(),
  },
  ['type', 'status'],
);

const serviceExport = crd({
  group: multicluster,
  kind: 'ServiceExport',
  plural: 'serviceexports',
  scope: 'Namespaced',
  shortNames: ['svcex'],
  inCategory: false,
  description: 'Offers the Service of the same name to other members.',
  columns: [age('Age')],
  required: [],
  parts: {
    status: object({
      conditions: list(exportCondition, { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['type'] }),
    }),
  },
});

const servicePort = object({ name: string(), protocol: string(), appProtocol: string(), port: int32() }, ['port']);

const serviceImport = crd({
  group: multicluster,
  kind: 'ServiceImport',
  plural: 'serviceimports',
  scope: 'Namespaced',
  shortNames: ['svcim'],
  inCategory: false,
  description: 'A Service of other members, as it is seen here.',
  columns: [column('Type', '.spec.type'), column('IP', '.spec.ips'), age('Age')],
  required: [],
  parts: {
    spec: object(
      {
        ports: list(servicePort, { 'x-kubernetes-list-type': 'atomic' }),
        ips: strings({ maxItems: 1 }),
        type: choice('ClusterSetIP', 'Headless'),
        sessionAffinity: string(),
        sessionAffinityConfig: sessionAffinityConfig(),
      },
      ['ports', 'type'],
    ),
    status: object({
      clusters: list(object({ cluster: string() }, ['cluster']), {
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['cluster'],
      }),
    }),
  },
});

/** Services and ingresses over members. */
export const networkingCrds: readonly CustomResourceDefinition[] = [
  multiClusterService,
  multiClusterIngress,
  serviceExport,
  serviceImport,
];
