import { at, withAt } from '../../base/index.ts';
import type { KubeObject, ReplicaRequirements } from '../../api/index.ts';
import { requestsOf } from './requests.ts';

/** The engine's knowledge of a kind that runs pods. */
export interface WorkloadKind {
  readonly podSpec: readonly string[];
  /** The fields whose change makes a member restart pods. */
  readonly podTemplate: readonly string[];
  /** Where the replicas stand that may be divided between clusters. */
  readonly replicas?: readonly string[];
  readonly count?: (template: KubeObject) => number;
}

const template = ['spec', 'template'];
const templateSpec = [...template, 'spec'];
const replicas = ['spec', 'replicas'];

const apps = { apiVersion: 'apps/v1', podSpec: templateSpec, podTemplate: template };

/** By kind; no two of these groups have a kind of the same name. */
const workloads = new Map<string, WorkloadKind & { readonly apiVersion: string }>([
  ['Deployment', { ...apps, replicas }],
  ['ReplicaSet', { ...apps, replicas }],
  ['StatefulSet', { ...apps, replicas }],
  ['DaemonSet', apps],
  [
    'Job',
    {
      apiVersion: 'batch/v1',
      podSpec: templateSpec,
      podTemplate: template,
      replicas: ['spec', 'parallelism'],
      count: jobReplicas,
    },
  ],
  [
    'CronJob',
    {
      apiVersion: 'batch/v1',
      podSpec: ['spec', 'jobTemplate', 'spec', 'template', 'spec'],
      podTemplate: ['spec', 'jobTemplate', 'spec', 'template'],
    },
  ],
  ['Pod', { apiVersion: 'v1', podSpec: ['spec'], podTemplate: ['spec'], count: () => 1 }],
]);

/** The workload kind of the object; undefined for other kinds. */
export function workloadKind({ apiVersion, kind }: Pick<KubeObject, 'apiVersion' | 'kind'>): WorkloadKind | undefined {
  const known = workloads.get(kind);
  return known?.apiVersion === apiVersion ? known : undefined;
}

function jobReplicas(job: KubeObject): number {
  const parallelism = numberAt(job, ['spec', 'parallelism']) ?? 1;
  const completions = numberAt(job, ['spec', 'completions']);
  return completions === undefined ? parallelism : Math.min(parallelism, completions);
}

function numberAt(object: KubeObject, path: readonly string[]): number | undefined {
  const value = at(object, path);
  return typeof value === 'number' ? value : undefined;
}

/** How many replicas a template asks for, and what each needs; undefined for kinds without replicas. */
export interface Replicas {
  readonly replicas: number;
  readonly requirements?: ReplicaRequirements;
}

/** The replicas of a template, where its kind has them. */
export function replicasOf(object: KubeObject): Replicas | undefined {
  const kind = workloadKind(object);
  if (!kind) return undefined;
  const count = kind.count?.(object) ?? (kind.replicas && (numberAt(object, kind.replicas) ?? 0));
  if (count === undefined) return undefined;
  const requirements = requestsOf(at(object, kind.podSpec), object.metadata.namespace);
  return requirements ? { replicas: count, requirements } : { replicas: count };
}

/** The manifest with this many replicas; only a field that the template has is set. */
export function reviseReplicas<T extends KubeObject>(manifest: T, count: number): T {
  const path = workloadKind(manifest)?.replicas;
  return path && at(manifest, path) !== undefined ? withAt(manifest, path, count) : manifest;
}

/** The part whose change makes a member restart pods. */
export function podTemplateOf(object: KubeObject): unknown {
  const kind = workloadKind(object);
  return kind && at(object, kind.podTemplate);
}

/** The manifest without its replicas, to tell a scaling from other changes. */
export function withoutReplicas<T extends KubeObject>(manifest: T): T {
  const path = workloadKind(manifest)?.replicas;
  return path ? withAt(manifest, path, undefined) : manifest;
}
