import { Option } from 'commander';
import type { KubeObject } from '../api/index.ts';
import { at, isObject } from '../base/index.ts';
import { objectPath } from '../client/index.ts';
import type { Connection } from '../client/index.ts';
import type { Hub, HubFlags, Server } from './connect.ts';
import { Failure, UsageError } from './failure.ts';
import { partsOf, refFrom } from './kinds.ts';
import { withMembers } from './members.ts';

/** The flags of a command about one pod of a member. */
export interface PodFlags extends HubFlags {
  readonly cluster?: string;
  readonly container?: string;
}

/** A pod of a member, and the way to it with the rights of the caller. */
export interface MemberPod {
  readonly member: string;
  readonly server: Server & { readonly connection: Connection };
  readonly pod: KubeObject;
  readonly container: string;
  /** The path of the pod in its member. */
  readonly path: string;
}

export const clusterOption = (): Option =>
  new Option('-C, --cluster <NAME>', 'the member (default: the only one that has it)');

export const containerOption = (): Option =>
  new Option('-c, --container <NAME>', 'the container (default: the first one)');

const isRunning = (pod: KubeObject): boolean => at(pod, ['status', 'phase']) === 'Running';

const podKind = { apiVersion: 'v1', kind: 'Pod' };

/** Finds the pod that `POD`, `pod/NAME` or `deployment/NAME` means, and works with it. */
export function withPod<T>(
  hub: Hub,
  asked: { readonly word: string; readonly flags: PodFlags },
  work: (pod: MemberPod) => Promise<T>,
): Promise<T> {
  const { word, flags } = asked;
  return withMembers(hub, flags.timeout, async (members) => {
    const names = await members.chosen(flags.cluster);
    const servers: (Server & { readonly connection: Connection })[] = [];
    try {
      const found: MemberPod[] = [];
      for (const member of names) {
        const server = await members.asCaller(member);
        servers.push(server);
        const pod = await podIn(server, word, hub.namespace);
        if (pod) found.push(memberPod(member, server, { pod, wanted: flags.container }));
      }
      return await work(onlyOf(found, { word, names, namespace: hub.namespace }));
    } finally {
      await Promise.all(servers.map(({ client }) => client.close()));
    }
  });
}

function onlyOf(
  found: readonly MemberPod[],
  { word, names, namespace }: { readonly word: string; readonly names: readonly string[]; readonly namespace: string },
): MemberPod {
  const [first, ...others] = found;
  if (!first) throw new Failure(`there is no pod of ${word} in namespace ${namespace} of ${names.join(', ')}`);
  if (others.length === 0) return first;
  const list = found.map(({ member }) => member).join(', ');
  throw new UsageError(`${word} is in ${list}: choose one with -C`);
}

async function podIn({ client, served }: Server, word: string, namespace: string): Promise<KubeObject | undefined> {
  const [kind, name] = word.includes('/') ? Object.values(partsOf(word)) : ['pod', word];
  const ref = refFrom(served, `${kind}/${name}`, namespace);
  const object = await client.find(ref);
  if (!object || ref.kind === 'Pod') return object;
  const labels = at(object, ['spec', 'selector', 'matchLabels']);
  if (!isObject(labels)) throw new UsageError(`${word} has no pods: name a pod, or a workload that selects pods`);
  const labelSelector = Object.entries(labels as Record<string, string>).map(([key, value]) => `${key}=${value}`);
  const { items } = await client.list(podKind, { namespace, labelSelector: labelSelector.join(',') });
  return items.find(isRunning) ?? items[0];
}

function memberPod(
  member: string,
  server: MemberPod['server'],
  { pod, wanted }: { readonly pod: KubeObject; readonly wanted: string | undefined },
): MemberPod {
  const names = (['containers', 'initContainers', 'ephemeralContainers'] as const).flatMap((list) => {
    const containers = at(pod, ['spec', list]);
    return Array.isArray(containers) ? containers.filter(isObject).map(({ name }) => String(name)) : [];
  });
  const container = wanted ?? names[0] ?? '';
  if (!names.includes(container))
    throw new Failure(`container ${container} is not in pod ${pod.metadata.name}; there are ${names.join(', ')}`);
  const info = server.served.byKind('v1', 'Pod');
  if (!info) throw new Failure(`${member} does not serve pods`);
  const { name, namespace } = pod.metadata;
  const path = objectPath(info, { ...podKind, name, ...(namespace !== undefined && { namespace }) });
  return { member, server, pod, container, path };
}
