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
import { conditions, quantity, resourceList, taint } from './kubernetes.ts';

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
    name: string('The name of the resource, as cpu.'),
    min: about(
      'The least amount, which belongs to the grade: 0 in the first, else the max of the one before.',
      quantity(),
    ),
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
  id: string('Tells the member from any other, also under another name: the uid of its namespace kube-system.'),
  syncMode: choice('Push: the hub writes to the member. Pull: left to an agent in the member, which fetches.', [
    'Push',
    'Pull',
  ]),
  apiEndpoint: string('The address of the member’s API server, as https://10.0.0.1:6443.'),
  secretRef: secretReference('The Secret with token and caBundle by which the hub enters the member.'),
  impersonatorSecretRef: secretReference(
    'The Secret with a token that may impersonate users in the member: the cluster proxy acts with it.',
  ),
  insecureSkipTLSVerification: boolean(
    'Whether the member’s certificate is taken unseen, so that the Secret needs no caBundle. Default false.',
  ),
  proxyURL: string('The proxy on the way to the member: http://, https:// or socks5://. Empty: none.'),
  proxyHeader: texts('Headers for the proxy, by name.'),
};

const spec = about(
  'How the member is reached, where it is, and what keeps workloads away from it.',
  object(
    {
      ...accessParts,
      provider: string('Who runs the member, as the name of a cloud; placements select by it.'),
      region: string('Where the member is; placements select and spread by it.'),
      zone: string('Superseded: moved to zones when it is written.'),
      zones: strings('The zones in which the member has nodes; placements select by them.'),
      taints: list(
        'What keeps workloads away that do not tolerate it. While the member is not ready the hub adds one of its own.',
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
    groupVersion: string('The group and version, as apps/v1.'),
    resources: list(
      'The kinds of that group and version.',
      object({ name: string('The plural name, as deployments.'), kind: string('The kind, as Deployment.') }, [
        'name',
        'kind',
      ]),
    ),
  },
  ['groupVersion'],
);

const resourceSummary = object({
  allocatable: resourceList('What all nodes together offer.'),
  allocating: resourceList('What pods ask for that have no node yet.'),
  allocated: resourceList('What pods ask for that have a node and are not finished.'),
  allocatableModelings: list(
    'Nodes by grade of spec.resourceModels. Not filled in yet.',
    object({ grade: integer('The number of the grade.'), count: integer('How many nodes are of that grade.') }, [
      'grade',
      'count',
    ]),
  ),
});

const status = about(
  'What the hub saw of the member when it last looked.',
  object({
    kubernetesVersion: string('The version of the member’s API server.'),
    apiEnablements: list('The kinds that the member serves; it gets nothing new of any other.', apiEnablement),
    conditions: conditions(
      'How the member is. Ready: it answers and is healthy. CompleteAPIEnablements: all that it serves could be listed.',
    ),
    nodeSummary: about(
      'The nodes of the member.',
      object({ totalNum: integer('How many nodes there are.'), readyNum: integer('How many of them are ready.') }),
    ),
    resourceSummary: about('How much room the member has; divisions by capacity count with it.', resourceSummary),
    remedyActions: strings('What remedies ask to be done about the member. Not filled in yet.'),
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
