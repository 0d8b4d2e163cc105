import { keyOf, reconcileAnnotation, refOf, removalsRef } from '../../api/index.ts';
import type { Binding, Cluster, KubeObject, Policy, RolloutPolicy } from '../../api/index.ts';
import { withCondition } from '../conditions.ts';
import { isReady, removalsKey } from '../dispatch/index.ts';
import { bindingsKey, eachPolicy, movesIndexKey, rolloutsKey } from '../match/index.ts';
import { run } from '../world/index.ts';
import type { Question, Settling, World } from '../world/index.ts';

/** The same world without any suspension: suspended changes happen. */
export function lifted(world: World, settling: Settling): World {
  const next = world.fork();
  for (const object of suspending(next)) {
    if (isSpared(object, settling)) continue;
    const { suspension: _, ...spec } = object.spec;
    next.write({ verb: 'update', object: { ...object, spec } as typeof object });
  }
  if (next.get(removalsKey)) next.write({ verb: 'delete', ref: removalsRef });
  run(next, settling);
  return next;
}

/** The same world with every move at its end, wherever its replacement could be sent. The world itself when nothing moves. */
export function completed(world: World, settling: Settling): World {
  const moving: (readonly [Question, string])[] = [];
  world.each(movesIndexKey, (_, key) => moving.push(['evict', key]));
  if (moving.length === 0) return world;
  const next = world.fork();
  next.health = 'assumed';
  run(next, { ...settling, ask: moving });
  return next;
}

/** Tells whether a binding belongs to a template that another one represents. */
function isSpared({ spec }: Policy | RolloutPolicy | Binding, { spare }: Settling): boolean {
  return 'resource' in spec && spare?.('claim', keyOf(spec.resource)) === true;
}

/** Everything that carries a suspension; of the bindings, those whose policy is gone keep theirs. */
function suspending(world: World): readonly (Policy | RolloutPolicy | Binding)[] {
  const found: (Policy | RolloutPolicy | Binding)[] = [];
  const visit = (object: KubeObject): void => {
    const suspended = object as Policy | RolloutPolicy | Binding;
    if (suspended.spec.suspension) found.push(suspended);
  };
  eachPolicy(world, visit);
  world.each(rolloutsKey, visit);
  world.each(bindingsKey, visit);
  return found;
}

/** The same world with these templates asked to take up what is pending. */
export function activated(world: World, templates: Iterable<string>, settling: Settling): World {
  const next = world.fork();
  for (const key of templates) {
    const template = next.get(key);
    if (template) next.write({ verb: 'update', object: asked(template) });
  }
  run(next, settling);
  return next;
}

function asked(template: KubeObject): KubeObject {
  const annotations = { ...template.metadata.annotations, [reconcileAnnotation]: `what-if ${keyOf(refOf(template))}` };
  return { ...template, metadata: { ...template.metadata, annotations } };
}

/** The names of the members that get nothing for now: they are not ready, or do not answer. */
export function unready(world: World): readonly string[] {
  return world.clusters
    .filter((cluster) => !isReady(cluster) || world.silent.has(cluster.metadata.name))
    .map((cluster) => cluster.metadata.name);
}

/** The same world with every member ready: what waits for a member happens. The world itself when all are ready. */
export function recovered(world: World, settling: Settling): World {
  const down = unready(world);
  if (down.length === 0) return world;
  const next = world.fork();
  for (const name of down) next.silent.delete(name);
  for (const cluster of next.clusters)
    if (down.includes(cluster.metadata.name)) next.write({ verb: 'updateStatus', object: asReady(cluster, world.now) });
  run(next, settling);
  return next;
}

const ready = { type: 'Ready', status: 'True', reason: 'ClusterReady', message: 'cluster is healthy' } as const;

function asReady(cluster: Cluster, now: string): Cluster {
  return {
    ...cluster,
    status: { ...cluster.status, conditions: withCondition(cluster.status?.conditions, ready, now) },
  };
}
