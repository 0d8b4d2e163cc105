import { policyFamilies } from '../../src/api/index.ts';
import type { Binding, BindingSpec, Cluster, ClusterSpec, Placement } from '../../src/api/index.ts';
import { equal } from '../../src/base/index.ts';
import type { Decision } from '../../src/engine/index.ts';

/** The settings of a cluster in a test; it serves Deployments and ConfigMaps by default. */
export interface ClusterWords extends Partial<ClusterSpec> {
  readonly labels?: Readonly<Record<string, string>>;
  readonly leaving?: boolean;
  readonly serves?: readonly string[];
  /** Free resources; absent: the cluster gives no account. */
  readonly free?: Readonly<Record<string, string>>;
}

/** A cluster of the fleet. */
export function cluster(name: string, words: ClusterWords = {}): Cluster {
  const { labels, leaving, serves = ['v1/ConfigMap', 'apps/v1/Deployment'], free, ...spec } = words;
  return {
    apiVersion: 'cluster.karmada.io/v1alpha1',
    kind: 'Cluster',
    metadata: { name, ...(labels && { labels }), ...(leaving && { deletionTimestamp: noon }) },
    spec: { syncMode: 'Push', ...spec },
    status: {
      apiEnablements: serves.map((served) => {
        const slash = served.lastIndexOf('/');
        return { groupVersion: served.slice(0, slash), resources: [{ name: '', kind: served.slice(slash + 1) }] };
      }),
      ...(free && { resourceSummary: { allocatable: free } }),
    },
  };
}

/** Clusters called member1, member2 … */
export function members(count: number, words: ClusterWords = {}): readonly Cluster[] {
  return Array.from({ length: count }, (_, i) => cluster(`member${i + 1}`, words));
}

/** A moment. */
export const noon = '2026-11-15T12:00:00Z';

/** The settings of a binding in a test. */
export interface BindingWords extends Partial<Omit<BindingSpec, 'clusters'>> {
  /** `member1`, or `member1:3` with its replicas. */
  readonly on?: readonly string[];
  readonly name?: string;
  readonly policyGone?: boolean;
}

/** The binding of a Deployment when it has replicas, of a ConfigMap when not. */
export function binding(placement: Placement | undefined, words: BindingWords = {}): Binding {
  const { on, name = 'web', policyGone, ...spec } = words;
  const kind = spec.replicas === undefined ? 'ConfigMap' : 'Deployment';
  const apiVersion = kind === 'ConfigMap' ? 'v1' : 'apps/v1';
  return {
    apiVersion: 'work.karmada.io/v1alpha2',
    kind: 'ResourceBinding',
    metadata: {
      name: 'web',
      namespace: 'default',
      generation: 1,
      ...(!policyGone && { labels: { [policyFamilies.namespace.idLabel]: 'policy-1' } }),
    },
    spec: {
      resource: { apiVersion, kind, namespace: 'default', name, uid: 'uid-1' },
      ...(placement && { placement }),
      ...(on && { clusters: on.map(target) }),
      ...spec,
    },
  };
}

function target(text: string): { name: string; replicas?: number } {
  const [name = '', replicas] = text.split(':');
  return replicas === undefined ? { name } : { name, replicas: Number(replicas) };
}

/** The clusters of a binding as `member1:3`, in their order. */
export function placed({ spec }: Binding): readonly string[] {
  return (spec.clusters ?? []).map(({ name, replicas }) => (replicas === undefined ? name : `${name}:${replicas}`));
}

/** The binding after a write on the hub: spec changes count a generation up, and status writes change nothing else. */
export function written(before: Binding, decision: Decision): Binding {
  let present = before;
  for (const { write } of decision.actions) {
    if (!('object' in write)) throw new Error(`unexpected ${write.verb}`);
    present = afterWrite(present, write.object as Binding, write.verb === 'updateStatus');
  }
  return present;
}

function afterWrite(before: Binding, { metadata, spec, status }: Binding, isStatus: boolean): Binding {
  if (isStatus) return { ...before, status: status ?? {} };
  const generation = (before.metadata.generation ?? 0) + (equal(spec, before.spec) ? 0 : 1);
  return { ...before, metadata: { ...metadata, generation }, spec };
}

/** Decides and writes until there is nothing left to do; fails if that takes more than ten passes. */
export function settled(start: Binding, decide: (binding: Binding) => Decision): Binding {
  let present = start;
  for (let pass = 0; pass < 10; pass++) {
    const decision = decide(present);
    if (decision.actions.length === 0) return present;
    present = written(present, decision);
  }
  throw new Error(`does not settle: ${JSON.stringify(decide(present))}`);
}

/** The Scheduled condition of a binding as `True Success`. */
export function scheduledCondition({ status }: Binding): string | undefined {
  const condition = status?.conditions?.find(({ type }) => type === 'Scheduled');
  return condition && `${condition.status} ${condition.reason}`;
}
