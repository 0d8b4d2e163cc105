import { ApiError, groupOf } from '../api/index.ts';
import type { ApiEnablement, Probe } from '../api/index.ts';
import { isObject } from '../base/index.ts';
import { Unreachable } from '../client/index.ts';
import type { Discovered } from '../client/index.ts';
import type { Member } from './member.ts';

/** Probes a member: readiness, version, kinds and capacity. */
export async function probed(member: Member): Promise<Probe> {
  const { client } = member;
  const health = await readiness(member);
  if (health.refusal !== undefined) return { health: 'unhealthy', message: health.refusal };
  const [version, served] = await Promise.all([client.raw({ method: 'GET', path: '/version' }), member.discover()]);
  await member.capacity.looked(member.readyMilliseconds);
  if (member.faults.first !== undefined) return { health: 'unhealthy', message: member.faults.first };
  return {
    health: 'healthy',
    kubernetesVersion: versionOf(version.body),
    apiEnablements: enablementsOf(served),
    complete: served.incomplete.length === 0,
    nodeSummary: member.capacity.nodeSummary,
    resourceSummary: member.capacity.resourceSummary,
  };
}

function versionOf(body: unknown): string {
  const version = isObject(body) ? (body['gitVersion'] ?? '') : undefined;
  if (typeof version === 'string' && version.length <= 128) return version;
  throw new Unreachable('nonsense', 'the server answered /version without a version', { sent: true });
}

/** Why the member says that it is not ready, in its own words. Older servers know only /healthz. */
async function readiness({ client, readyMilliseconds }: Member): Promise<{ readonly refusal?: string }> {
  for (const path of ['/readyz', '/healthz']) {
    const signal = AbortSignal.timeout(readyMilliseconds);
    try {
      await client.raw({ method: 'GET', path, signal });
      return {};
    } catch (error) {
      if (signal.aborted) throw new Unreachable('timeout', `${path} is not answered`, { sent: true, cause: error });
      if (!(error instanceof ApiError)) throw error;
      if (error.code !== 404) return { refusal: `${path} answered ${error.code}: ${error.message}` };
    }
  }
  return { refusal: 'neither /readyz nor /healthz is there' };
}

const order = (a: string, b: string): number => {
  if (a === b) return 0;
  return a < b ? -1 : 1;
};

/** The kinds that a member serves, sorted, as Cluster.status lists them. */
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
