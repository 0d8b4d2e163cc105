import type { CustomResourceDefinition } from '../crd.ts';
import {
  about,
  age,
  boolean,
  choice,
  column,
  conditionColumn,
  crd,
  integer,
  list,
  map,
  object,
  string,
  strings,
} from './build.ts';
import { conditions, quantity, resourceList, taint } from './kubernetes.ts';

const secretReference = object({ namespace: string(), name: string() }, ['namespace', 'name']);

const resourceModel = object(
  {
    grade: integer(),
    ranges: list(object({ name: string(), min: quantity(), max: quantity() }, ['name', 'min', 'max'])),
  },
  ['grade', 'ranges'],
);

const wide = { priority: 1 } as const;

const spec = object(
  {
    id: about('Unique among all members ever; the uid of the member’s kube-system namespace.', string()),
    syncMode: about(
      'Push: the hub writes to the member. Pull: an agent in the member fetches.',
      choice('Push', 'Pull'),
    ),
    apiEndpoint: about('The address of the member’s API server.', string()),
    secretRef: about('The Secret with `token` and `caBundle`.', secretReference),
    impersonatorSecretRef: secretReference,
    insecureSkipTLSVerification: boolean(),
    proxyURL: string(),
    proxyHeader: map(string()),
    provider: string(),
    region: string(),
    zone: about('Deprecated: write zones.', string()),
    zones: strings(),
    taints: list(taint()),
    resourceModels: about('Grades of nodes by size, by which capacity is counted.', list(resourceModel)),
  },
  ['syncMode'],
);

const apiEnablement = object(
  {
    groupVersion: string(),
    resources: list(object({ name: string(), kind: string() }, ['name', 'kind'])),
  },
  ['groupVersion'],
);

const status = object({
  kubernetesVersion: string(),
  apiEnablements: list(apiEnablement),
  conditions: conditions(),
  nodeSummary: object({ totalNum: integer(), readyNum: integer() }),
  resourceSummary: object({
    allocatable: resourceList(),
    allocating: resourceList(),
    allocated: resourceList(),
    allocatableModelings: list(object({ grade: integer(), count: integer() }, ['grade', 'count'])),
  }),
  remedyActions: strings(),
});

/** A member cluster as the hub knows it. */
export const clusterCrds: readonly CustomResourceDefinition[] = [
  crd({
    group: 'cluster.karmada.io',
    kind: 'Cluster',
    plural: 'clusters',
    scope: 'Cluster',
    inCategory: false,
    description: 'A member: how to reach it, where it is, and how it is.',
    columns: [
      column('VERSION', '.status.kubernetesVersion'),
      column('MODE', '.spec.syncMode'),
      conditionColumn('READY', 'Ready'),
      age(),
      column('ZONES', '.spec.zones', wide),
      column('REGION', '.spec.region', wide),
      column('PROVIDER', '.spec.provider', wide),
      column('API-ENDPOINT', '.spec.apiEndpoint', wide),
      column('PROXY-URL', '.spec.proxyURL', wide),
    ],
    parts: { spec, status },
  }),
];
