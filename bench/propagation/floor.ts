import { admission } from '../../src/admission/index.ts';
import { crds, executionNamespace, refOf } from '../../src/api/index.ts';
import type { KubeObject } from '../../src/api/index.ts';
import { openApiServer } from '../../src/apiserver/index.ts';
import { controllerUser, ownTransport } from '../../src/app/index.ts';
import { ApiClient, discover } from '../../src/client/index.ts';
import type { Discovered, KindRef } from '../../src/client/index.ts';
import type { Figure } from '../kit/measure.ts';
import type { System } from './system.ts';
import { createAll, namespaces, policyOf, setPolicy, template, templateRef, untilQuiet } from './templates.ts';
import { inLanes } from './wait.ts';

const bindingKind: KindRef = { apiVersion: 'work.karmada.io/v1alpha2', kind: 'ResourceBinding' };
const workKind: KindRef = { apiVersion: 'work.karmada.io/v1alpha1', kind: 'Work' };

/** The writes about a template in the end. */
interface Trail {
  readonly name: string;
  /** As its user wrote it, and as it stands. */
  readonly sent: KubeObject;
  readonly template: Stated;
  readonly binding: Stated;
  readonly works: readonly Stated[];
}

interface Stated extends KubeObject {
  readonly status?: unknown;
}

/**
 * The writes of a template by themselves: what a real system has written is written again to an empty hub on disk, called as
 * a function by one who knows what comes next. No sockets, no watches, no caches, nobody who decides: a control plane
 * whose hub is this one can take no less.
 */
export async function writesAlone(system: System, folder: string): Promise<Figure> {
  const trails = await trailsOf(system);
  const hub = await emptyHub(folder, [...system.members.keys()]);
  try {
    const rounds = 10;
    await replay(hub.client, trails, 'warm');
    const before = process.cpuUsage();
    for (let i = 0; i < rounds; i++) await replay(hub.client, trails, `r${i}`);
    const { user, system: kernel } = process.cpuUsage(before);
    const value = (user + kernel) / rounds / trails.length;
    return {
      what: 'the writes of a template alone: no sockets, caches or controllers',
      value,
      unit: 'µs, all threads',
    };
  } finally {
    await hub.close();
  }
}

async function trailsOf({ hub, members }: System): Promise<readonly Trail[]> {
  const batch = { name: 'f', count: 300 };
  await setPolicy(hub, policyOf(batch, [...members.keys()]));
  await createAll(hub, batch);
  await untilQuiet(hub);
  const [bindings, works] = [await hub.listAll(bindingKind), await hub.listAll(workKind)];
  const trails: Trail[] = [];
  for (let i = 0; i < batch.count; i++) {
    const ref = templateRef(batch, i);
    const isOf = ({ metadata }: KubeObject): boolean => metadata.name.startsWith(`${ref.name}-`);
    const binding = bindings.items.find(isOf);
    const own = works.items.filter(isOf);
    if (!binding) continue;
    trails.push({
      name: ref.name,
      sent: template(batch, i),
      template: bare(await hub.get(ref)),
      binding: bare(binding),
      works: own.map(bare),
    });
  }
  return trails;
}

/** Without what a hub fills in, and without owners, which do not exist elsewhere. */
function bare(object: KubeObject): Stated {
  const { name, namespace, labels, annotations } = object.metadata;
  return {
    ...object,
    metadata: { name, ...(namespace && { namespace }), ...(labels && { labels }), ...(annotations && { annotations }) },
  };
}

async function emptyHub(
  folder: string,
  members: readonly string[],
): Promise<{ client: ApiClient; close(): Promise<void> }> {
  const site = await openApiServer({
    dataDir: folder,
    host: '127.0.0.1',
    port: 0,
    definitions: crds(),
    admit: [admission({ controllers: new Set([controllerUser.name]), now: () => new Date() })],
  });
  let served: Discovered = { kinds: [], byKind: () => undefined, incomplete: [] };
  const transport = ownTransport(site.hub);
  const client = new ApiClient({ transport, resources: () => served, fieldManager: 'sluice' });
  served = await discover(client);
  for (const name of [...namespaces, ...members.map(executionNamespace)]) {
    await client.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  }
  return { client, close: () => site.close() };
}

const lanes = 16;

/** Writes everything once more under other names, sixteen templates at a time. */
function replay(hub: ApiClient, trails: readonly Trail[], round: string): Promise<void> {
  return inLanes(lanes, trails.length, async (i) => {
    const trail = trails[i];
    if (trail) await follow(hub, trail, round);
  });
}

/** A user's template, its claim, its binding, its Works; then what members, binding and template report. */
async function follow(hub: ApiClient, trail: Trail, round: string): Promise<void> {
  const { name, sent, template: stands, binding, works } = trail;
  const fresh = (object: Stated): KubeObject => {
    const { status: _, ...rest } = object;
    return { ...rest, metadata: { ...rest.metadata, name: rest.metadata.name.replace(name, `${name}-${round}`) } };
  };
  const report = (object: KubeObject, { status }: Stated): Promise<unknown> =>
    status === undefined ? Promise.resolve() : hub.updateStatus({ ...object, status } as KubeObject);
  const { labels, annotations } = stands.metadata;
  const made = await hub.create(fresh(sent));
  const claimed = await hub.patch(refOf(made), { metadata: { labels, annotations } }, { type: 'merge' });
  const bound = await hub.create(fresh(binding));
  const brought = await Promise.all(works.map((work) => hub.create(fresh(work))));
  await Promise.all(brought.map((work, i) => report(work, works[i] ?? work)));
  await report(bound, binding);
  await report(claimed, stands);
}
