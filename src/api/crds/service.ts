import type { CustomResourceDefinition } from '../crd.ts';
import { about, age, choice, column, crd, int32, list, object, string, strings, time } from './build.ts';
import { conditionStatus, sessionAffinityConfig } from './kubernetes.ts';

const group = 'multicluster.x-k8s.io';

const exportCondition = object(
  {
    type: string('What the condition speaks of.'),
    status: conditionStatus(),
    reason: string('Why, in one word for programs.'),
    message: string('Why, in words for people.'),
    lastTransitionTime: time('Since when the status of the condition is what it is.'),
  },
  ['type', 'status'],
);

const serviceExport = crd({
  group,
  kind: 'ServiceExport',
  plural: 'serviceexports',
  scope: 'Namespaced',
  shortNames: ['svcex'],
  inCategory: false,
  description:
    'Offers the Service of the same name to other members. A policy may carry it to members; the hub does not act on it.',
  columns: [age('Age')],
  required: [],
  parts: {
    status: about(
      'What became of the offer.',
      object({
        conditions: list('What holds of the offer at the moment.', exportCondition, {
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['type'],
        }),
      }),
    ),
  },
});

const importedPort = object(
  {
    name: string('The name of the port.'),
    protocol: string('The protocol of the port: TCP, UDP or SCTP.'),
    appProtocol: string('The protocol of the application, as http.'),
    port: int32('The number of the port.'),
  },
  ['port'],
);

const serviceImport = crd({
  group,
  kind: 'ServiceImport',
  plural: 'serviceimports',
  scope: 'Namespaced',
  shortNames: ['svcim'],
  inCategory: false,
  description:
    'A Service of other members, as it is wanted here. A policy may carry it to members; the hub does not act on it.',
  columns: [column('Type', '.spec.type'), column('IP', '.spec.ips'), age('Age')],
  required: [],
  parts: {
    spec: about(
      'How the Service is reached.',
      object(
        {
          ports: list('The ports of the Service.', importedPort, { 'x-kubernetes-list-type': 'atomic' }),
          ips: strings('The address of the Service; one at most.', { maxItems: 1 }),
          type: choice('ClusterSetIP: by one address for all members. Headless: by the addresses of its pods.', [
            'ClusterSetIP',
            'Headless',
          ]),
          sessionAffinity: string('ClientIP: a client keeps its endpoint. None: it does not.'),
          sessionAffinityConfig: sessionAffinityConfig(),
        },
        ['ports', 'type'],
      ),
    ),
    status: about(
      'Where the Service comes from.',
      object({
        clusters: list(
          'The members that offer it.',
          object({ cluster: string('The name of the member.') }, ['cluster']),
          {
            'x-kubernetes-list-type': 'map',
            'x-kubernetes-list-map-keys': ['cluster'],
          },
        ),
      }),
    ),
  },
});

/** Services that one member offers and others import. */
export const serviceCrds: readonly CustomResourceDefinition[] = [serviceExport, serviceImport];
