import type { CustomResourceDefinition } from '../crd.ts';
import type { Schema } from '../schema.ts';
import { about, choice, crd, int32, list, object, string, strings } from './build.ts';
import { conditions, loadBalancerStatus } from './kubernetes.ts';

const group = 'networking.karmada.io';
const atomic = { 'x-kubernetes-list-type': 'atomic' } as const;

const members = (description: string): Schema =>
  list(description, object({ name: string('The name of the member.') }, ['name']));

const exposedPort = object({ name: string('The name of the port.'), port: int32('The number of the port.') }, ['port']);

const multiClusterService = crd({
  group,
  kind: 'MultiClusterService',
  plural: 'multiclusterservices',
  scope: 'Namespaced',
  shortNames: ['mcs'],
  description:
    'Says from which members the Service of the same name is to be reached. Checked and kept; nothing acts on it yet.',
  parts: {
    spec: about(
      'How the Service is exposed, where it runs and where it is wanted.',
      object(
        {
          types: list(
            'How it is exposed; exactly one type, which cannot be changed.',
            choice('CrossCluster: to other members. LoadBalancer: to the outside.', ['CrossCluster', 'LoadBalancer']),
          ),
          ports: list('The ports that are exposed; empty: all of the Service.', exposedPort),
          range: about(
            'Superseded: write providerClusters and consumerClusters.',
            object({ clusterNames: strings('Members by name.') }),
          ),
          providerClusters: members('The members whose pods answer; empty: all that have them.'),
          consumerClusters: members('The members from which it is to be reached; empty: all.'),
          serviceProvisionClusters: strings('Superseded: write providerClusters.'),
          serviceConsumptionClusters: strings('Superseded: write consumerClusters.'),
        },
        ['types'],
      ),
    ),
    status: about(
      'Where the Service is reached. Not filled in yet.',
      object({ conditions: conditions(), loadBalancer: loadBalancerStatus() }),
    ),
  },
});

const typedReference = object(
  {
    apiGroup: string('The API group of the object; empty for core kinds.'),
    kind: string('The kind of the object.'),
    name: string('The name of the object, in the same namespace.'),
  },
  ['kind', 'name'],
  { 'x-kubernetes-map-type': 'atomic' },
);

const servicePort = object({
  name: string('The port by its name. Excludes number.'),
  number: int32('The port by its number. Excludes name.'),
});

const ingressBackend = (description: string): Schema =>
  about(
    description,
    object({
      service: about(
        'A Service that answers. Excludes resource.',
        object({ name: string('The name of the Service.'), port: about('The port of the Service.', servicePort) }, [
          'name',
        ]),
      ),
      resource: about('Another object that answers. Excludes service.', typedReference),
    }),
  );

const ingressPath = object(
  {
    path: string('The path of requests; begins with a slash.'),
    pathType: string('How the path is compared: Exact, Prefix, or ImplementationSpecific as the class decides.'),
    backend: ingressBackend('Who answers.'),
  },
  ['pathType', 'backend'],
);

const ingressRule = object({
  host: string('The host of requests, for example shop.example.com or *.example.com; empty: any.'),
  http: about(
    'The rules for HTTP requests.',
    object({ paths: list('The backend of each path.', ingressPath, atomic) }, ['paths']),
  ),
});

const ingressSpec = object({
  ingressClassName: string('The class of controllers that it is meant for.'),
  defaultBackend: ingressBackend('The backend of requests that no rule matches. Required without rules.'),
  rules: list('The rules of each host.', ingressRule, atomic),
  tls: list(
    'The certificates for hosts.',
    object({
      hosts: strings('The hosts of the certificate.'),
      secretName: string('The Secret with the certificate and its key.'),
    }),
    atomic,
  ),
});

const multiClusterIngress = crd({
  group,
  kind: 'MultiClusterIngress',
  plural: 'multiclusteringresses',
  scope: 'Namespaced',
  shortNames: ['mci'],
  description: 'An Ingress over members. Checked and kept; nothing acts on it yet.',
  required: [],
  parts: {
    spec: about('Which requests go to which Services.', ingressSpec),
    status: about(
      'Where the ingress is reached, and where its Services are. Not filled in yet.',
      object({
        loadBalancer: loadBalancerStatus(),
        trafficBlockClusters: strings('Members that get no requests for now.'),
        serviceLocations: list(
          'The members of each Service.',
          object({ name: string('The name of the Service.'), clusters: strings('The members that have it.') }, [
            'name',
          ]),
        ),
      }),
    ),
  },
});

/** Services and ingresses over members. */
export const networkingCrds: readonly CustomResourceDefinition[] = [multiClusterService, multiClusterIngress];
