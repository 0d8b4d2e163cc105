import { groupOf } from '../api/index.ts';
import type { ApiEnablement, ClusterStatus } from '../api/index.ts';
import type { Discovered } from '../client/index.ts';
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
  await member.room.looked();
  return {
    health: 'healthy',
    kubernetesVersion: (version.body as { readonly gitVersion?: string } | undefined)?.gitVersion ?? '',
    apiEnablements: enablementsOf(served),
    complete: served.incomplete.length === 0,
    nodeSummary: member.room.nodeSummary,
    resourceSummary: member.room.resourceSummary,
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
