import definitionsJson from './gen/definitions.json' with { type: 'json' };
import resourcesJson from './gen/resources.json' with { type: 'json' };
import type { KindInfo, ScalePaths, SubresourceKind, WorkloadPaths } from './kinds.ts';
import type { Definitions } from './schema.ts';

interface ResourceFacts {
  readonly plural: string;
  readonly singular: string;
  readonly kind: string;
  readonly namespaced?: boolean;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly verbs: readonly string[];
  readonly subresources?: Readonly<Record<string, { readonly verbs: readonly string[]; readonly kind?: string }>>;
}

const definitions = definitionsJson as unknown as Definitions;
const resources = resourcesJson as unknown as Readonly<Record<string, readonly ResourceFacts[]>>;

const template: WorkloadPaths = { podTemplate: ['spec', 'template'] };
const replicated: WorkloadPaths = { ...template, replicas: ['spec', 'replicas'] };

/** A Pod is its own template: the path to it is empty. */
const workloads: Readonly<Record<string, WorkloadPaths>> = {
  'v1/pods': { podTemplate: [] },
  'v1/replicationcontrollers': replicated,
  'apps/v1/deployments': replicated,
  'apps/v1/replicasets': replicated,
  'apps/v1/statefulsets': replicated,
  'apps/v1/daemonsets': template,
  'batch/v1/jobs': { ...template, replicas: ['spec', 'parallelism'] },
  'batch/v1/cronjobs': { podTemplate: ['spec', 'jobTemplate', 'spec', 'template'] },
};

const scale: ScalePaths = {
  specReplicasPath: '.spec.replicas',
  statusReplicasPath: '.status.replicas',
  labelSelectorPath: '.spec.selector',
};

/** Resources that share their objects with another version or another group, which keeps them. */
const storedElsewhere: Readonly<Record<string, Pick<KindInfo, 'storageVersion' | 'storageGroup'>>> = {
  'autoscaling/v1/horizontalpodautoscalers': { storageVersion: 'v2' },
  'events.k8s.io/v1/events': { storageVersion: 'v1', storageGroup: '' },
};

/** Deprecated kinds that are still served, with the text of the warning. */
const deprecated: Readonly<Record<string, Pick<KindInfo, 'deprecationWarning'>>> = {
  'v1/endpoints': {
    deprecationWarning: 'v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice',
  },
};

/** The schemas of all built-in kinds and of what they are made of. */
export function builtinDefinitions(): Definitions {
  return definitions;
}

/** The built-in kinds in the order of discovery. */
export function builtinKinds(): readonly KindInfo[] {
  const names = definitionNames();
  return Object.entries(resources).flatMap(([apiVersion, facts]) =>
    facts.map((one) => kindOf(apiVersion, one, names.get(`${apiVersion}/${one.kind}`))),
  );
}

function kindOf(apiVersion: string, facts: ResourceFacts, definition: string | undefined): KindInfo {
  const key = `${apiVersion}/${facts.plural}`;
  const { group, version } = splitApiVersion(apiVersion);
  const subresources = Object.keys(facts.subresources ?? {});
  return {
    group,
    version,
    kind: facts.kind,
    listKind: `${facts.kind}List`,
    plural: facts.plural,
    singular: facts.singular,
    shortNames: facts.shortNames ?? [],
    categories: facts.categories ?? [],
    namespaced: facts.namespaced ?? false,
    verbs: facts.verbs,
    status: subresources.includes('status'),
    ...(subresources.includes('scale') && { scale }),
    subresources: subresources.filter((name) => name !== 'status' && name !== 'scale'),
    subresourceKinds: subresourceKinds(apiVersion, facts),
    columns: [],
    schema: (definition && definitions[definition]) || {},
    ...(definition && { definition }),
    ...(workloads[key] && { workload: workloads[key] }),
    custom: false,
    storageVersion: version,
    ...storedElsewhere[key],
    ...deprecated[key],
  };
}

function subresourceKinds(apiVersion: string, facts: ResourceFacts): Record<string, SubresourceKind> {
  const kinds: Record<string, SubresourceKind> = {};
  for (const [name, { verbs, kind }] of Object.entries(facts.subresources ?? {})) {
    const full = kind ?? `${apiVersion}/${facts.kind}`;
    const end = full.lastIndexOf('/');
    kinds[name] = { ...splitApiVersion(full.slice(0, end)), kind: full.slice(end + 1), verbs };
  }
  return kinds;
}

function splitApiVersion(apiVersion: string): { group: string; version: string } {
  const slash = apiVersion.indexOf('/');
  return { group: slash < 0 ? '' : apiVersion.slice(0, slash), version: apiVersion.slice(slash + 1) };
}

/** `group/version/Kind` → the name of its definition; kinds of meta are registered under every group and left out. */
function definitionNames(): Map<string, string> {
  const names = new Map<string, string>();
  for (const [name, schema] of Object.entries(definitions)) {
    const kinds = schema['x-kubernetes-group-version-kind'] ?? [];
    if (kinds.length !== 1) continue;
    for (const { group, version, kind } of kinds) names.set(`${group ? `${group}/` : ''}${version}/${kind}`, name);
  }
  return names;
}
