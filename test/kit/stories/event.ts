import { uuidOf } from '../../../src/base/index.ts';
import { keyOf, reconcileAnnotation, refOf } from '../../../src/api/index.ts';
import type { Cluster, Gates, KubeObject, Ref, Taint } from '../../../src/api/index.ts';
import { appliedOver, emptyWorld, mutate, run, validate, withCondition } from '../../../src/engine/index.ts';
import type { World } from '../../../src/engine/index.ts';
import { memberCluster } from '../objects.ts';

/** One thing that somebody does to the hub or to a member. */
export type Event =
  | { readonly do: 'apply'; readonly object: KubeObject }
  | { readonly do: 'delete'; readonly ref: Ref }
  | { readonly do: 'touch'; readonly ref: Ref; readonly value: string }
  | { readonly do: 'status'; readonly ref: Ref; readonly value: number }
  | { readonly do: 'mark'; readonly ref: Ref; readonly key: string; readonly value: string }
  | { readonly do: 'request'; readonly ref: Ref; readonly value: string }
  | { readonly do: 'fleet'; readonly cluster: string; readonly taints: readonly Taint[]; readonly zone: string }
  | { readonly do: 'reach'; readonly member: string; readonly up: boolean }
  | { readonly do: 'tamper'; readonly member: string; readonly ref: Ref; readonly how: 'edit' | 'delete' }
  | { readonly do: 'wait'; readonly seconds: number };

/** Does an event, as a hub with admission would take it; what cannot be done is not done. */
export function happen(world: World, event: Event, seed: number): void {
  switch (event.do) {
    case 'apply':
      return applyTo(world, event.object, seed);
    case 'delete':
      return world.write({ verb: 'delete', ref: event.ref });
    case 'touch':
      return edit(world, event.ref, (object) => withLabel(object, 'refresh-time', event.value));
    case 'mark':
      return edit(world, event.ref, (object) => withLabel(object, event.key, event.value));
    case 'request':
      return edit(world, event.ref, (object) => withAnnotation(object, reconcileAnnotation, event.value));
    case 'status':
      return report(world, event.ref, { observedGeneration: event.value });
    case 'fleet':
      return fleet(world, event);
    case 'reach':
      return reach(world, event.member, event.up);
    case 'tamper':
      return tamper(world, event);
    default:
      return wait(world, event satisfies Extract<Event, { do: 'wait' }>);
  }
}

function wait(world: World, { seconds }: Extract<Event, { do: 'wait' }>): void {
  world.now = new Date(Date.parse(world.now) + seconds * 1000).toISOString().replace('.000Z', 'Z');
}

function applyTo(world: World, manifest: KubeObject, seed: number): void {
  const before = world.get(keyOf(refOf(manifest)));
  const wanted = before ? appliedOver(manifest, before) : manifest;
  const operation = before ? 'UPDATE' : 'CREATE';
  const uuid = uuidOf(`${keyOf(refOf(manifest))}#${seed}`);
  const namespace = manifest.metadata.namespace;
  const object = mutate(wanted, {
    operation,
    uuid,
    now: world.now,
    ...(before && { old: before }),
    ...(namespace && { namespace }),
  });
  if (validate(object, before).length === 0) world.write({ verb: before ? 'update' : 'create', object });
}

function edit(world: World, ref: Ref, change: (object: KubeObject) => KubeObject): void {
  const object = world.get(keyOf(ref));
  if (object) world.write({ verb: 'update', object: change(object) });
}

function withLabel(object: KubeObject, key: string, value: string): KubeObject {
  return { ...object, metadata: { ...object.metadata, labels: { ...object.metadata.labels, [key]: value } } };
}

function withAnnotation(object: KubeObject, key: string, value: string): KubeObject {
  const annotations = { ...object.metadata.annotations, [key]: value };
  return { ...object, metadata: { ...object.metadata, annotations } };
}

function report(world: World, ref: Ref, status: unknown): void {
  const object = world.get(keyOf(ref));
  if (object) world.write({ verb: 'updateStatus', object: { ...object, status } as KubeObject });
}

function fleet(world: World, { cluster, taints, zone }: Extract<Event, { do: 'fleet' }>): void {
  const ref = { apiVersion: 'cluster.karmada.io/v1alpha1', kind: 'Cluster', name: cluster };
  edit(world, ref, (object) => {
    const { spec } = object as Cluster;
    return { ...withLabel(object, 'zone', zone), spec: { ...spec, taints } } as KubeObject;
  });
}

/** A member answers again, or no longer; the hub has noticed. */
export function reach(world: World, member: string, up: boolean): void {
  const cluster = world.get(keyOf(refOf(memberCluster(member)))) as Cluster | undefined;
  if (!cluster) return;
  if (up) world.silent.delete(member);
  else world.silent.add(member);
  const ready = {
    type: 'Ready',
    status: up ? 'True' : 'False',
    reason: up ? 'ClusterReady' : 'ClusterNotReachable',
    message: '',
  } as const;
  const conditions = withCondition(cluster.status?.conditions, ready, world.now);
  world.write({ verb: 'updateStatus', object: { ...cluster, status: { ...cluster.status, conditions } } as Cluster });
}

function tamper(world: World, { member, ref, how }: Extract<Event, { do: 'tamper' }>): void {
  const object = world.inMember(member, keyOf(ref));
  if (!object) return;
  if (how === 'delete') world.write({ verb: 'delete', ref, at: member });
  else world.write({ verb: 'update', object: { ...object, data: 'tampered', spec: {} } as KubeObject, at: member });
}

export const memberNames = ['member1', 'member2', 'member3'] as const;

/** More objects than a world copies when it is forked: stories on it run on layers. */
const many = 2_050;
const grounds = new Map<string, World>();

/** A ground of many objects that concern nobody, made once per set of gates. */
function crowded(gates: Partial<Gates>): World {
  const known = grounds.get(JSON.stringify(gates));
  if (known) return known;
  const ground = emptyWorld({ gates });
  for (let i = 0; i < many; i++) {
    const metadata = { name: `lease-${i}`, namespace: 'kube-system' };
    ground.write({ verb: 'create', object: { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata } });
  }
  run(ground);
  grounds.set(JSON.stringify(gates), ground);
  return ground;
}

/** A settled world with three members and nothing else to speak of; a large one is layered over an unchanging ground. */
export function stageFor(gates: Partial<Gates>, large = false): World {
  const world = large ? crowded(gates).fork() : emptyWorld({ gates });
  for (const name of memberNames) {
    world.write({
      verb: 'create',
      object: memberCluster(name, { labels: { zone: name === 'member3' ? 'z2' : 'z1' } }),
    });
  }
  run(world);
  return world;
}
