import type {
  ClusterAffinity,
  Cluster,
  KubeObject,
  OverridePolicy,
  Overriders,
  Policy,
  PropagationSpec,
  RolloutPolicy,
  Suspension,
} from '../../src/api/index.ts';

/** The settings of a Deployment in a test. */
export interface DeploymentWords {
  readonly namespace?: string;
  readonly replicas?: number;
  readonly image?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  /** The outcome of its containers in simulated members, such as `NeverReady`; healthy when absent. */
  readonly outcome?: string;
  /** ConfigMaps and Secrets that it mounts. */
  readonly configMaps?: readonly string[];
  readonly secrets?: readonly string[];
}

/** A Deployment as users write one. */
export function deployment(name: string, words: DeploymentWords = {}): KubeObject {
  const {
    namespace = 'default',
    replicas = 2,
    image = 'nginx:1.25',
    labels = {},
    annotations,
    outcome,
    configMaps,
    secrets,
  } = words;
  const volumes = [
    ...(configMaps ?? []).map((mounted) => ({ name: mounted, configMap: { name: mounted } })),
    ...(secrets ?? []).map((mounted) => ({ name: `${mounted}-secret`, secret: { secretName: mounted } })),
  ];
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace, labels: { app: name, ...labels }, ...(annotations && { annotations }) },
    spec: {
      replicas,
      selector: { matchLabels: { app: name } },
      template: {
        metadata: { labels: { app: name }, ...directed(outcome) },
        spec: { containers: [{ name, image }], ...(volumes.length > 0 && { volumes }) },
      },
    },
  } as KubeObject;
}

/** The annotation that tells simulated members what becomes of containers. */
function directed(outcome: string | undefined): Pick<KubeObject['metadata'], 'annotations'> {
  return outcome === undefined ? {} : { annotations: { 'sim.sluice.dev/outcome': outcome } };
}

/** A ConfigMap with one entry. */
export function configMap(
  name: string,
  words: {
    readonly namespace?: string;
    readonly value?: string;
    readonly labels?: Readonly<Record<string, string>>;
  } = {},
): KubeObject {
  const { namespace = 'default', value = 'one', labels } = words;
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace, ...(labels && { labels }) },
    data: { value },
  } as KubeObject;
}

/** A ClusterRole: a template without a namespace. */
export function clusterRole(name: string): KubeObject {
  const rules = [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }];
  return { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata: { name }, rules } as KubeObject;
}

/** The settings of a policy in a test; all others go into its spec as they are. */
export interface PolicyWords extends Partial<Omit<PropagationSpec, 'resourceSelectors'>> {
  readonly scope?: 'namespace' | 'cluster';
  readonly namespace?: string;
  /** Names of clusters, or a whole affinity. */
  readonly to?: string | readonly string[] | ClusterAffinity;
  readonly lazy?: boolean;
  readonly suspend?: Suspension;
  readonly exclude?: NonNullable<PropagationSpec['excludedResources']>;
  readonly select?: PropagationSpec['resourceSelectors'];
}

/** Selects every Deployment, or those of the given name, namespace or labels. */
export function deployments(
  words: Partial<PropagationSpec['resourceSelectors'][number]> = {},
): PropagationSpec['resourceSelectors'][number] {
  return { apiVersion: 'apps/v1', kind: 'Deployment', ...words };
}

/** Selects ConfigMaps. */
export function configMaps(
  words: Partial<PropagationSpec['resourceSelectors'][number]> = {},
): PropagationSpec['resourceSelectors'][number] {
  return { apiVersion: 'v1', kind: 'ConfigMap', ...words };
}

/** A propagation policy; by default it selects every Deployment. */
export function policy(name: string, words: PolicyWords = {}): Policy {
  const { scope = 'namespace', namespace = 'default', ...spec } = words;
  return {
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind: scope === 'namespace' ? 'PropagationPolicy' : 'ClusterPropagationPolicy',
    metadata: { name, ...(scope === 'namespace' && { namespace }) },
    spec: specOf(spec),
  };
}

function specOf(words: Omit<PolicyWords, 'scope' | 'namespace'>): PropagationSpec {
  const { to, lazy, suspend, exclude, select = [deployments()], ...spec } = words;
  return {
    resourceSelectors: select,
    ...(exclude && { excludedResources: exclude }),
    ...spec,
    placement: { ...spec.placement, ...(to !== undefined && { clusterAffinity: affinity(to) }) },
    ...(lazy && { activationPreference: 'Lazy' }),
    ...(suspend && { suspension: suspend }),
  };
}

function affinity(to: string | readonly string[] | ClusterAffinity): ClusterAffinity {
  if (typeof to === 'string') return { clusterNames: [to] };
  return Array.isArray(to) ? { clusterNames: to as readonly string[] } : (to as ClusterAffinity);
}

/** Words for a rollout policy: fields of its spec, and where it stands. */
export interface RolloutWords extends Partial<RolloutPolicy['spec']> {
  readonly scope?: 'namespace' | 'cluster';
  readonly namespace?: string;
}

/** A rollout policy; by default it selects the Deployments called nginx. */
export function rollout(name: string, suspension: Suspension | undefined, words: RolloutWords = {}): RolloutPolicy {
  const { scope = 'namespace', namespace = 'default', ...spec } = words;
  return {
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind: scope === 'namespace' ? 'RolloutPolicy' : 'ClusterRolloutPolicy',
    metadata: { name, ...(scope === 'namespace' && { namespace }) },
    spec: { resourceSelectors: [deployments({ name: 'nginx' })], ...(suspension && { suspension }), ...spec },
  };
}

/** Words for an override policy: fields of its spec, where it stands, and one rule said in short. */
export interface OverrideWords extends Partial<OverridePolicy['spec']> {
  readonly scope?: 'namespace' | 'cluster';
  readonly namespace?: string;
  /** The members of the only rule; all, when absent. */
  readonly on?: string | readonly string[] | ClusterAffinity;
  readonly lazy?: boolean;
}

/** An override policy with one rule; by default it selects every Deployment. */
export function override(name: string, overriders: Overriders, words: OverrideWords = {}): OverridePolicy {
  const { scope = 'namespace', namespace = 'default', on, lazy, ...spec } = words;
  const rule = { ...(on !== undefined && { targetCluster: affinity(on) }), overriders };
  return {
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind: scope === 'namespace' ? 'OverridePolicy' : 'ClusterOverridePolicy',
    metadata: { name, ...(scope === 'namespace' && { namespace }) },
    spec: {
      resourceSelectors: [deployments()],
      overrideRules: [rule],
      ...(lazy && { activationPreference: 'Lazy' }),
      ...spec,
    },
  };
}

/** Overriders that give every container of the object this tag. */
export function tagged(tag: string): Overriders {
  return { imageOverrider: [{ component: 'Tag', operator: 'replace', value: tag }] };
}

const served: Readonly<Record<string, readonly string[]>> = {
  v1: [
    'ConfigMap',
    'Secret',
    'Service',
    'ServiceAccount',
    'Pod',
    'PersistentVolumeClaim',
    'Namespace',
    'ResourceQuota',
  ],
  'apps/v1': ['Deployment', 'StatefulSet', 'DaemonSet', 'ReplicaSet'],
  'batch/v1': ['Job', 'CronJob'],
  'batch.volcano.sh/v1alpha1': ['Job'],
  'flink.apache.org/v1beta1': ['FlinkDeployment'],
  'rbac.authorization.k8s.io/v1': ['ClusterRole', 'ClusterRoleBinding', 'Role', 'RoleBinding'],
  'apiextensions.k8s.io/v1': ['CustomResourceDefinition'],
};

/** A member as the hub sees it: ready, serving the usual kinds. */
export function memberCluster(
  name: string,
  words: Partial<Cluster['spec']> & { readonly labels?: Readonly<Record<string, string>> } = {},
): Cluster {
  const { labels, ...spec } = words;
  return {
    apiVersion: 'cluster.karmada.io/v1alpha1',
    kind: 'Cluster',
    metadata: { name, ...(labels && { labels }) },
    spec: { syncMode: 'Push', ...spec },
    status: {
      conditions: [
        {
          type: 'Ready',
          status: 'True',
          reason: 'ClusterReady',
          message: 'cluster is healthy',
          lastTransitionTime: '2026-01-01T00:00:00Z',
        },
      ],
      apiEnablements: Object.entries(served).map(([groupVersion, kinds]) => ({
        groupVersion,
        resources: kinds.map((kind) => ({ name: `${kind.toLowerCase()}s`, kind })),
      })),
    },
  };
}

/** Scripts about Deployments, by the field of the customization that they stand in. */
export function customization(
  name: string,
  scripts: Readonly<Record<string, string>>,
  target: { readonly apiVersion: string; readonly kind: string } = { apiVersion: 'apps/v1', kind: 'Deployment' },
): KubeObject {
  const customizations = Object.fromEntries(
    Object.entries(scripts).map(([field, luaScript]) => [field, { luaScript }]),
  );
  return {
    apiVersion: 'config.karmada.io/v1alpha1',
    kind: 'ResourceInterpreterCustomization',
    metadata: { name },
    spec: { target, customizations },
  } as KubeObject;
}

/** The definition of a namespaced kind whose objects keep every field, and a status. */
export function definitionOf({
  apiVersion,
  kind,
  plural,
}: Record<'apiVersion' | 'kind' | 'plural', string>): KubeObject {
  const [group = '', version = ''] = apiVersion.split('/');
  const openAPIV3Schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural, kind },
      versions: [
        { name: version, served: true, storage: true, subresources: { status: {} }, schema: { openAPIV3Schema } },
      ],
    },
  } as KubeObject;
}

/** The definition of a cluster-scoped kind `Thing` with one version `v1`, which keeps every field unless told otherwise. */
export function thingsOf(group: string, version: object = {}): KubeObject {
  const openAPIV3Schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `things.${group}` },
    spec: {
      group,
      scope: 'Cluster',
      names: { plural: 'things', kind: 'Thing' },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema }, ...version }],
    },
  } as KubeObject;
}
