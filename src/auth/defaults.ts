import { rbacResources } from './rbac.ts';
import type { PolicyRule } from './rule.ts';
import { authenticatedGroup, mastersGroup, unauthenticatedGroup } from './serviceaccount.ts';

/** A cluster role that the hub brings along. */
export interface DefaultRole {
  readonly name: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly rules: readonly Partial<PolicyRule>[];
  /** Gathers the rules of the cluster roles with this label. */
  readonly aggregates?: string;
}

/** A cluster role binding that the hub brings along. */
export interface DefaultBinding {
  readonly name: string;
  readonly groups: readonly string[];
}

const read = ['get', 'list', 'watch'];
const write = ['create', 'delete', 'deletecollection', 'patch', 'update'];
const everything = [...write, ...read];

const on = (group: string, resources: string, verbs: readonly string[]): Partial<PolicyRule> => ({
  apiGroups: [group],
  resources: resources.split(' '),
  verbs,
});
const at = (...nonResourceURLs: readonly string[]): Partial<PolicyRule> => ({ nonResourceURLs, verbs: ['get'] });

const aggregate = (to: string): string => `rbac.authorization.k8s.io/aggregate-to-${to}`;
const into = (to: string): Readonly<Record<string, string>> => ({ [aggregate(to)]: 'true' });

/** The resources that `edit` may write besides those of Kubernetes: the policies of a namespace, and the workloads of the fleet. */
const ourWritable: readonly (readonly [group: string, resources: string])[] = [
  ['policy.karmada.io', 'overridepolicies propagationpolicies rolloutpolicies'],
  ['autoscaling.karmada.io', 'cronfederatedhpas federatedhpas'],
  ['networking.karmada.io', 'multiclusteringresses multiclusterservices'],
  ['multicluster.x-k8s.io', 'serviceexports serviceimports'],
];

/** Resources that others create for a namespace; readers of the namespace may read them. */
const ourReadable: readonly (readonly [group: string, resources: string])[] = [
  ...ourWritable.map(
    ([group, resources]) => [group, `${resources} ${resources.replaceAll(/\S+/g, '$&/status')}`] as const,
  ),
  ['policy.karmada.io', 'federatedresourcequotas federatedresourcequotas/status'],
];

const viewRules: readonly Partial<PolicyRule>[] = [
  on(
    '',
    'configmaps endpoints persistentvolumeclaims persistentvolumeclaims/status pods replicationcontrollers replicationcontrollers/scale serviceaccounts services services/status',
    read,
  ),
  on(
    '',
    'bindings events limitranges namespaces/status pods/log pods/status replicationcontrollers/status resourcequotas resourcequotas/status',
    read,
  ),
  on('', 'namespaces', read),
  on('discovery.k8s.io', 'endpointslices', read),
  on(
    'apps',
    'controllerrevisions daemonsets daemonsets/status deployments deployments/scale deployments/status replicasets replicasets/scale replicasets/status statefulsets statefulsets/scale statefulsets/status',
    read,
  ),
  on('autoscaling', 'horizontalpodautoscalers horizontalpodautoscalers/status', read),
  on('batch', 'cronjobs cronjobs/status jobs jobs/status', read),
  on('policy', 'poddisruptionbudgets poddisruptionbudgets/status', read),
  on('networking.k8s.io', 'ingresses ingresses/status networkpolicies', read),
];

const editRules: readonly Partial<PolicyRule>[] = [
  on('', 'pods/attach pods/exec pods/portforward pods/proxy secrets services/proxy', read),
  on('', 'serviceaccounts', ['impersonate']),
  on('', 'pods pods/attach pods/exec pods/portforward pods/proxy', write),
  on('', 'pods/eviction', ['create']),
  on(
    '',
    'configmaps events persistentvolumeclaims replicationcontrollers replicationcontrollers/scale secrets serviceaccounts services services/proxy',
    write,
  ),
  on('', 'serviceaccounts/token', ['create']),
  on(
    'apps',
    'daemonsets deployments deployments/rollback deployments/scale replicasets replicasets/scale statefulsets statefulsets/scale',
    write,
  ),
  on('autoscaling', 'horizontalpodautoscalers', write),
  on('batch', 'cronjobs jobs', write),
  on('policy', 'poddisruptionbudgets', write),
  on('networking.k8s.io', 'ingresses networkpolicies', write),
  on('coordination.k8s.io', 'leases', everything),
];

const withoutWorks = (resources: string): string =>
  resources
    .split(' ')
    .filter((resource) => !resource.startsWith('works'))
    .join(' ');

/**
 * Reads what `plan`, `status`, `explain`, `describe` and `get` read, in all namespaces. Secrets are left out, and so are Works, which
 * carry them: bindings and templates tell what Works say.
 */
const viewerRules: readonly Partial<PolicyRule>[] = [
  ...viewRules,
  ...ourReadable.map(([group, resources]) => on(group, withoutWorks(resources), read)),
  on('cluster.karmada.io', 'clusters clusters/status', read),
  // A member asks its own RBAC what the caller may do there.
  on('cluster.karmada.io', 'clusters/proxy', ['get']),
  on(
    'policy.karmada.io',
    'clusteroverridepolicies clusterpropagationpolicies clusterpropagationpolicies/status clusterrolloutpolicies clusterrolloutpolicies/status clustertaintpolicies',
    read,
  ),
  on(
    'work.karmada.io',
    'clusterresourcebindings clusterresourcebindings/status resourcebindings resourcebindings/status',
    read,
  ),
  on('apps.karmada.io', 'workloadrebalancers workloadrebalancers/status', read),
  on('remedy.karmada.io', 'remedies', read),
  on('config.karmada.io', 'resourceinterpretercustomizations resourceinterpreterwebhookconfigurations', read),
  on('apiextensions.k8s.io', 'customresourcedefinitions', read),
  on('rbac.authorization.k8s.io', 'clusterrolebindings clusterroles rolebindings roles', read),
  on('scheduling.k8s.io', 'priorityclasses', read),
  on('storage.k8s.io', 'storageclasses', read),
  on('', 'persistentvolumes', read),
  at('/restz'),
];

/** Writes what `suspend`, `resume` and `reconcile` write: suspensions, and an annotation on templates. */
const operatorRules: readonly Partial<PolicyRule>[] = [
  on('policy.karmada.io', 'clusterrolloutpolicies rolloutpolicies', write),
  on('policy.karmada.io', 'clusterpropagationpolicies propagationpolicies', ['patch', 'update']),
  on('', 'configmaps namespaces persistentvolumeclaims pods serviceaccounts services', ['patch']),
  on('apps', 'daemonsets deployments replicasets statefulsets', ['patch']),
  on('autoscaling', 'horizontalpodautoscalers', ['patch']),
  on('batch', 'cronjobs jobs', ['patch']),
  on('networking.k8s.io', 'ingresses networkpolicies', ['patch']),
  on('policy', 'poddisruptionbudgets', ['patch']),
];

/** The cluster roles that exist from the first start on, named as Kubernetes names them. */
export const defaultRoles: readonly DefaultRole[] = [
  { name: 'cluster-admin', rules: [on('*', '*', ['*']), { nonResourceURLs: ['*'], verbs: ['*'] }] },
  { name: 'admin', rules: [], aggregates: aggregate('admin') },
  { name: 'edit', rules: [], aggregates: aggregate('edit'), labels: into('admin') },
  { name: 'view', rules: [], aggregates: aggregate('view'), labels: into('edit') },
  {
    name: 'system:aggregate-to-admin',
    labels: into('admin'),
    rules: [
      on('authorization.k8s.io', 'localsubjectaccessreviews', ['create']),
      on('rbac.authorization.k8s.io', 'rolebindings roles', everything),
    ],
  },
  { name: 'system:aggregate-to-edit', labels: into('edit'), rules: editRules },
  { name: 'system:aggregate-to-view', labels: into('view'), rules: viewRules },
  {
    name: 'sluice:aggregate-to-edit',
    labels: into('edit'),
    rules: ourWritable.map(([group, resources]) => on(group, resources, write)),
  },
  {
    name: 'sluice:aggregate-to-view',
    labels: into('view'),
    rules: ourReadable.map(([group, resources]) => on(group, resources, read)),
  },
  { name: 'sluice-operator', rules: [], aggregates: aggregate('sluice-operator') },
  {
    name: 'sluice-viewer',
    rules: [],
    aggregates: aggregate('sluice-viewer'),
    labels: into('sluice-operator'),
  },
  { name: 'sluice:aggregate-to-operator', labels: into('sluice-operator'), rules: operatorRules },
  { name: 'sluice:aggregate-to-viewer', labels: into('sluice-viewer'), rules: viewerRules },
  {
    name: 'sluice:propagator',
    rules: [on('*', '*', ['propagate']), on('policy.karmada.io', 'propagationpolicies', everything)],
  },
  {
    name: 'system:auth-delegator',
    rules: [
      on('authentication.k8s.io', 'tokenreviews', ['create']),
      on('authorization.k8s.io', 'subjectaccessreviews', ['create']),
    ],
  },
  {
    name: 'system:basic-user',
    rules: [
      on('authorization.k8s.io', 'selfsubjectaccessreviews selfsubjectrulesreviews', ['create']),
      on('authentication.k8s.io', 'selfsubjectreviews', ['create']),
    ],
  },
  {
    name: 'system:discovery',
    rules: [
      at('/healthz', '/livez', '/readyz', '/version', '/version/'),
      at('/api', '/api/*', '/apis', '/apis/*', '/openapi', '/openapi/*'),
    ],
  },
  {
    name: 'system:monitoring',
    rules: [
      at('/healthz', '/healthz/*', '/livez', '/livez/*', '/metrics', '/metrics/slis', '/readyz', '/readyz/*'),
      on('', 'nodes/metrics', ['get']),
    ],
  },
  { name: 'system:public-info-viewer', rules: [at('/healthz', '/livez', '/readyz', '/version', '/version/')] },
];

/** The bindings that exist from the first start on; each binds the cluster role of its own name. */
export const defaultBindings: readonly DefaultBinding[] = [
  { name: 'cluster-admin', groups: [mastersGroup] },
  { name: 'system:basic-user', groups: [authenticatedGroup] },
  { name: 'system:discovery', groups: [authenticatedGroup] },
  { name: 'system:monitoring', groups: ['system:monitoring'] },
  { name: 'system:public-info-viewer', groups: [authenticatedGroup, unauthenticatedGroup] },
];

/** An annotation; set to false it keeps a default role as it is. */
export const autoUpdate = 'rbac.authorization.kubernetes.io/autoupdate';

const metadata = (name: string, labels: Readonly<Record<string, string>> = {}): object => ({
  name,
  labels: { 'kubernetes.io/bootstrapping': 'rbac-defaults', ...labels },
  annotations: { [autoUpdate]: 'true' },
});

const apiVersion = `${rbacResources.roles.group}/v1`;

/** The object of a default role. */
export function roleObject({ name, labels, rules, aggregates }: DefaultRole): object {
  const selector = aggregates && { clusterRoleSelectors: [{ matchLabels: { [aggregates]: 'true' } }] };
  return {
    apiVersion,
    kind: 'ClusterRole',
    metadata: metadata(name, labels),
    rules,
    ...(selector && { aggregationRule: selector }),
  };
}

/**
 * The cluster roles for people, on a hub that has none of its own: those of Sluice with the rules that other roles would add to
 * them, because not every hub gathers rules.
 */
export function peopleRoles(): readonly { readonly name: string; readonly rules: DefaultRole['rules'] }[] {
  const rulesOf = ({ rules, aggregates }: DefaultRole): DefaultRole['rules'] => [
    ...rules,
    ...(aggregates === undefined ? [] : defaultRoles.filter(({ labels }) => labels?.[aggregates]).flatMap(rulesOf)),
  ];
  return defaultRoles
    .filter(({ name }) => ['sluice-viewer', 'sluice-operator', 'sluice:propagator'].includes(name))
    .map((role) => ({ name: role.name, rules: rulesOf(role) }));
}

/** The object of a default binding. */
export function bindingObject({ name, groups }: DefaultBinding): object {
  const { group } = rbacResources.roles;
  return {
    apiVersion,
    kind: 'ClusterRoleBinding',
    metadata: metadata(name),
    subjects: groups.map((subject) => ({ kind: 'Group', apiGroup: group, name: subject })),
    roleRef: { apiGroup: group, kind: 'ClusterRole', name },
  };
}
