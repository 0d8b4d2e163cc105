import { groupOf } from '../api/index.ts';
import type { ApiEnablement, ClusterStatus, KubeObject } from '../api/index.ts';
import type { Discovered } from '../client/index.ts';
import { resourceSummary } from './resources.ts';
import type { Node, Pod } from './resources.ts';
import type { Member } from './member.ts';

/** What a look at a member found. */
export type Probe =
  | { readonly health: 'unreachable' | 'unhealthy'; readonly message: string }
  | {
      readonly health: 'healthy';
      readonly kubernetesVersion: string;
      readonly apiEnablements: readonly ApiEnablement[];
      readonly complete: boolean;
      readonly nodeSummary: NonNullable<ClusterStatus['nodeSummary']>;
      readonly resourceSummary: NonNullable<ClusterStatus['resourceSummary']>;
    };

/** Looks at a member: is it ready, which version, which kinds, how much room? */
export async function probed(member: Member): Promise<Probe> {
  const { client } = member;
  const health = await readiness(member);
  if (health.status >= 400) return { health: 'unhealthy', message: `readyz answered ${health.status}` };
  const [version, served] = await Promise.all([client.raw({ method: 'GET', path: '/version' }), member.discover()]);
  const [nodes, pods] = await Promise.all([listed<Node>(member, 'Node'), listed<Pod>(member, 'Pod')]);
  return {
    health: 'healthy',
    kubernetesVersion: (version.body as { readonly gitVersion?: string } | undefined)?.gitVersion ?? '',
    apiEnablements: enablementsOf(served),
    complete: served.incomplete.length === 0,
    nodeSummary: { totalNum: nodes.length, readyNum: nodes.filter(isReady).length },
    resourceSummary: resourceSummary(nodes, pods),
  };
}

/** Older servers know only /healthz. */
async function readiness({ client }: Member): Promise<{ readonly status: number }> {
  try {
    return await client.raw({ method: 'GET', path: '/readyz' });
  } catch (error) {
    const { code } = (error as { readonly status?: { readonly code?: number } }).status ?? {};
    if (code === 404) return client.raw({ method: 'GET', path: '/healthz' });
    if (code !== undefined) return { status: code };
    throw error;
  }
}

/** All objects of a core kind; a member that does not let us list them has no room to tell of. */
async function listed<T extends KubeObject>({ client }: Member, kind: string): Promise<readonly T[]> {
  try {
    return (await client.listAll<T>({ apiVersion: 'v1', kind })).items;
  } catch (error) {
    if ((error as { readonly status?: object }).status !== undefined) return [];
    throw error;
  }
}

function isReady({ status }: Node): boolean {
  return status?.conditions?.some(({ type, status: state }) => type === 'Ready' && state === 'True') === true;
}

const order = (a: string, b: string): number => {
  if (a === b) return 0;
  return a < b ? -1 : 1;
};

/** What a member serves, sorted, as Cluster.status lists it. */
export function enablementsOf(served: Discovered): readonly ApiEnablement[] {
  const groups = new Map<string, { name: string; kind: string }[]>();
  for (const { group, version, plural, kind } of served.kinds) {
    const groupVersion = group ? `${group}/${version}` : version;
    const list = groups.get(groupVersion) ?? [];
    list.push({ name: plural, kind });
    groups.set(groupVersion, list);
  }
  return [...groups.keys()]
    .sort((a, b) => order(groupOf(a), groupOf(b)) || order(a, b))
    .map((groupVersion) => ({
      groupVersion,
      resources: (groups.get(groupVersion) ?? []).sort((a, b) => order(a.name, b.name)),
    }));
}
