import type { CustomResourceDefinition } from '../crd.ts';
import { about, age, choice, column, crd, int32, list, object, string, strings, time } from './build.ts';
import { conditionStatus, sessionAffinityConfig } from './kubernetes.ts';

const group = 'multicluster.x-k8s.io';

const exportCondition = object(
  {
    type: string('The type of the condition.'),
    status: conditionStatus(),
    reason: string('The reason in one word, for programs.'),
    message: string('The message, for people.'),
    lastTransitionTime: time('The time since which the condition has this status.'),
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
    'Offers the Service of the same name to other members. A policy may propagate it; the hub does not act on it.',
  columns: [age('Age')],
  required: [],
  parts: {
    status: about(
      'The state of the export.',
      object({
        conditions: list('The conditions of the export.', exportCondition, {
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
    appProtocol: string('The protocol of the application, for example http.'),
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
  description: 'A Service that is imported from other members. A policy may propagate it; the hub does not act on it.',
  columns: [column('Type', '.spec.type'), column('IP', '.spec.ips'), age('Age')],
  required: [],
  parts: {
    spec: about(
      'The type and the address of the Service.',
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
      'The source of the Service.',
      object({
        clusters: list(
          'The members that export it.',
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
