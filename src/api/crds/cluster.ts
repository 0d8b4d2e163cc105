import type { CustomResourceDefinition } from '../crd.ts';
import type { Schema } from '../schema.ts';
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
  object,
  string,
  strings,
  texts,
} from './build.ts';
import { quantity, reportedConditions, resourceList, taint } from './kubernetes.ts';

const secretReference = (description: string): Schema =>
  about(
    description,
    object({ namespace: string('The namespace of the Secret.'), name: string('The name of the Secret.') }, [
      'namespace',
      'name',
    ]),
  );

const gradeRange = object(
  {
    name: string('The name of the resource, for example cpu.'),
    min: about('The smallest amount of the grade: 0 in the first, else the max of the one before.', quantity()),
    max: about('The amount at which the next grade begins; 9223372036854775807 in the last.', quantity()),
  },
  ['name', 'min', 'max'],
);

const resourceModel = object(
  {
    grade: integer('The number of the grade; grades are ordered by it.'),
    ranges: list('The sizes of its nodes, resource by resource; every grade names the same resources.', gradeRange),
  },
  ['grade', 'ranges'],
);

const wide = { priority: 1 } as const;

/** How a member is reached. */
const accessParts = {
  id: string('The identity of the member, also under another name: the uid of its namespace kube-system.'),
  syncMode: choice('Push: the hub writes to the member. Pull: an agent in the member fetches.', ['Push', 'Pull']),
  apiEndpoint: string('The address of the member’s API server, for example https://10.0.0.1:6443.'),
  secretRef: secretReference('The Secret with the token and caBundle that the hub uses for the member.'),
  impersonatorSecretRef: secretReference(
    'The Secret with a token that may impersonate users in the member: the cluster proxy acts with it.',
  ),
  insecureSkipTLSVerification: boolean(
    'Whether the member’s certificate is accepted without verification, so that the Secret needs no caBundle. Default false.',
  ),
  proxyURL: string('The proxy to the member: http://, https:// or socks5://. Empty: none.'),
  proxyHeader: texts('Headers for the proxy, by name.'),
};

const spec = about(
  'The address, the location and the taints of the member.',
  object(
    {
      ...accessParts,
      provider: string('The provider of the member, for example the name of a cloud; placements select by it.'),
      region: string('The region of the member; placements select and spread by it.'),
      zone: string('Deprecated: moved to zones when it is written.'),
      zones: strings('The zones in which the member has nodes; placements select by them.'),
      taints: list(
        'Taints keep workloads away that do not tolerate them. While the member is not ready, the hub adds one of its own.',
        taint(),
      ),
      resourceModels: list(
        'Grades of nodes by size, without a gap between them. Filled in when a member joins; the scheduler counts by status.resourceSummary.',
        resourceModel,
      ),
    },
    ['syncMode'],
  ),
);

const apiEnablement = object(
  {
    groupVersion: string('The group and version, for example apps/v1.'),
    resources: list(
      'The kinds of that group and version.',
      object(
        {
          name: string('The plural name, for example deployments.'),
          kind: string('The kind, for example Deployment.'),
        },
        ['name', 'kind'],
      ),
    ),
  },
  ['groupVersion'],
);

const resourceSummary = object({
  allocatable: resourceList('The allocatable resources of all nodes together.'),
  allocating: resourceList('The requests of pods that have no node yet.'),
  allocated: resourceList('The requests of pods that have a node and are not finished.'),
  allocatableModelings: list(
    'Nodes by grade of spec.resourceModels. Not filled in yet.',
    object({ grade: integer('The number of the grade.'), count: integer('The number of nodes of that grade.') }, [
      'grade',
      'count',
    ]),
  ),
});

const status = about(
  'The state of the member when the hub last probed it.',
  object({
    kubernetesVersion: string('The version of the member’s API server.'),
    apiEnablements: list(
      'The kinds that the member serves; new objects of other kinds are not sent to it.',
      apiEnablement,
    ),
    conditions: reportedConditions(
      'The conditions of the member. Ready: it answers and is healthy. CompleteAPIEnablements: all kinds that it serves could be listed.',
    ),
    nodeSummary: about(
      'The nodes of the member.',
      object({ totalNum: integer('The number of nodes.'), readyNum: integer('The number of ready nodes.') }),
    ),
    resourceSummary: about('The capacity of the member; divisions by capacity use it.', resourceSummary),
    remedyActions: strings('The actions that remedies request for the member. Not filled in yet.'),
  }),
);

/** A member cluster as the hub knows it. */
export const clusterCrds: readonly CustomResourceDefinition[] = [
  crd({
    group: 'cluster.karmada.io',
    kind: 'Cluster',
    plural: 'clusters',
    scope: 'Cluster',
    inCategory: false,
    description: 'A member cluster: its address, its location and its state.',
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
