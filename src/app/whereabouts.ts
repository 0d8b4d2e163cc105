import { badRequest, bindingApi, bindingFamilies, keyOf } from '../api/index.ts';
import type { Binding, KubeObject, Labels, LabelSelector, View } from '../api/index.ts';
import type { HubRequest, Target } from '../apiserver/index.ts';
import type { ApiClient } from '../client/index.ts';

/** Subresources of pods that need a container. */
const ofContainers: ReadonlySet<string> = new Set(['log', 'exec', 'attach', 'portforward']);
/** Commands of kubectl that would wait for a pod on the hub; kubectl names itself in a header. */
const commands: ReadonlySet<string> = new Set(['logs', 'exec', 'attach', 'port-forward', 'cp']);

interface Hub {
  readonly view: Pick<View, 'clusters' | 'get'>;
  readonly client: Pick<ApiClient, 'listAll'>;
}

/** Answers `kubectl logs`, and every other command that needs a container, with where the pods are: the hub runs none. */
export function podsElsewhere(hub: () => Hub | undefined): (request: HubRequest, target: Target) => Promise<void> {
  return async (request, target) => {
    if (target.plural !== 'pods' || target.group !== '') return;
    const command = /^kubectl ([a-z-]+)/.exec(request.headers['kubectl-command'] ?? '')?.[1] ?? '';
    if (!ofContainers.has(target.subresource) && !commands.has(command)) return;
    const known = hub();
    if (!known) return;
    throw badRequest(wordsFor(known, await ownerOf(known, request, target), { target, command }));
  };
}

interface WhereaboutsQuestion {
  readonly target: Target;
  readonly command: string;
}

function wordsFor({ view }: Hub, owner: Binding | undefined, { target, command }: WhereaboutsQuestion): string {
  const members = membersOf(owner) ?? view.clusters.map(({ metadata }) => metadata.name).sort();
  const [first] = members;
  if (first === undefined) return 'the hub runs no pods, and there are no members yet';
  const workload = owner && `${owner.spec.resource.kind.toLowerCase()}/${owner.spec.resource.name}`;
  const whose = workload ? `the pods of ${workload}` : 'pods';
  const what = workload ?? (target.name || 'POD');
  const advice = `kubectl --context ${first} -n ${target.namespace} ${command || 'logs'} ${what}`;
  return `the hub runs no pods: ${whose} run in ${members.join(', ')}; use \`${advice}\``;
}

/** The members that a workload is placed on; undefined when it is placed nowhere. */
function membersOf(owner: Binding | undefined): readonly string[] | undefined {
  const names = owner?.spec.clusters?.map(({ name }) => name).sort();
  return names?.[0] === undefined ? undefined : names;
}

/** The binding of the workload whose pods are asked for: by their selector, or by the name of one. */
async function ownerOf({ view, client }: Hub, request: HubRequest, target: Target): Promise<Binding | undefined> {
  const { kind } = bindingFamilies.namespace;
  const { items } = await client.listAll<Binding>({ apiVersion: bindingApi, kind }, { namespace: target.namespace });
  const selector = new URLSearchParams(request.query).get('labelSelector') ?? '';
  const isOwner = ({ spec: { resource } }: Binding): boolean => {
    if (resource.kind === 'Pod') return resource.name === target.name;
    const template: Workload | undefined = view.get(keyOf(resource));
    const labels = template?.spec?.selector?.matchLabels;
    if (!labels) return false;
    return target.name ? target.name.startsWith(`${resource.name}-`) : selectorText(labels) === sorted(selector);
  };
  return items.find(isOwner);
}

interface Workload extends KubeObject {
  readonly spec?: { readonly selector?: LabelSelector };
}

const sorted = (selector: string): string => selector.split(',').sort().join(',');
const selectorText = (labels: NonNullable<Labels>): string =>
  sorted(
    Object.entries(labels)
      .map(([key, value]) => `${key}=${value}`)
      .join(','),
  );
