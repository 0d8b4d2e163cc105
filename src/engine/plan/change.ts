import { bindingApi, fieldErrorBody, isSystemKey, keyOf, refOf } from '../../api/index.ts';
import type { KubeObject, Ref } from '../../api/index.ts';
import { uuidOf } from '../../base/index.ts';
import { mutate } from '../mutate/mutate.ts';
import { validate, validateDelete } from '../validate/validate.ts';
import type { World } from '../world/index.ts';

/** A change under consideration: manifests to apply and objects to delete. */
export interface ProposedChange {
  readonly apply?: readonly KubeObject[];
  readonly delete?: readonly Ref[];
}

/** An error with which admission would refuse the change. */
export interface PlanError {
  readonly object: string;
  readonly path: string;
  readonly message: string;
}

/** Writes a change into a world as a hub would take it; what admission refuses is returned and not written. */
export function evolve(world: World, change: ProposedChange): readonly PlanError[] {
  const errors: PlanError[] = [];
  for (const manifest of change.apply ?? []) errors.push(...applyTo(world, manifest));
  for (const ref of change.delete ?? []) errors.push(...deleteFrom(world, ref));
  return errors;
}

const nameOf = ({ kind, namespace, name }: Ref): string => `${kind}/${namespace ? `${namespace}/` : ''}${name}`;

function applyTo(world: World, manifest: KubeObject): readonly PlanError[] {
  const before = world.get(keyOf(refOf(manifest)));
  const wanted = before ? appliedOver(manifest, before) : manifest;
  const uuid = uuidOf(`${keyOf(refOf(manifest))}#${before?.metadata.uid ?? 'new'}`);
  const object = mutate(wanted, {
    operation: before ? 'UPDATE' : 'CREATE',
    uuid,
    now: world.now,
    ...(before && { old: before }),
  });
  const faults = validate(object, before, { settings: world.settings });
  if (faults.length > 0) {
    return faults.map((fault) => ({
      object: nameOf(refOf(manifest)),
      path: fault.field,
      message: fieldErrorBody(fault),
    }));
  }
  world.write({ verb: before ? 'update' : 'create', object });
  return [];
}

function deleteFrom(world: World, ref: Ref): readonly PlanError[] {
  const object = world.get(keyOf(ref));
  if (!object) return [{ object: nameOf(ref), path: '', message: 'not found' }];
  const why = validateDelete(object);
  if (why) return [{ object: nameOf(ref), path: '', message: why }];
  const [free, guarded] = partedContents(world, object);
  for (const inner of free) if (world.get(keyOf(inner))) world.write({ verb: 'delete', ref: inner });
  // A namespace or definition that still has content waits until it is empty.
  if (guarded.length === 0) world.write({ verb: 'delete', ref });
  return [];
}

/** The objects that a hub deletes together with an object, and those of them that must not be deleted. */
function partedContents(world: World, object: KubeObject): readonly [readonly Ref[], readonly Ref[]] {
  const isWithin = withinOf(object);
  const parts: [Ref[], Ref[]] = [[], []];
  if (!isWithin) return parts;
  for (const [key, inner] of world.entries()) {
    // Bindings go with their templates.
    if (key.startsWith('@') || inner.apiVersion === bindingApi || !isWithin(inner)) continue;
    parts[validateDelete(inner) === undefined ? 0 : 1].push(refOf(inner));
  }
  return parts;
}

/** All that stands in a namespace goes with it, and all of a kind with its definition; undefined: nothing. */
function withinOf({ apiVersion, kind, metadata, ...rest }: KubeObject): ((inner: KubeObject) => boolean) | undefined {
  if (apiVersion === 'v1' && kind === 'Namespace') return (inner) => inner.metadata.namespace === metadata.name;
  if (kind !== 'CustomResourceDefinition') return undefined;
  const { spec } = rest as { readonly spec?: { readonly group?: string; readonly names?: { readonly kind?: string } } };
  return (inner) => inner.kind === spec?.names?.kind && inner.apiVersion.startsWith(`${spec.group}/`);
}

/** The object after applying a manifest to a live object: the manifest's content, with the system's fields kept. */
export function appliedOver(manifest: KubeObject, live: KubeObject): KubeObject {
  const { status: _, ...content } = manifest as KubeObject & { readonly status?: unknown };
  return {
    ...content,
    metadata: {
      ...live.metadata,
      ...manifest.metadata,
      labels: { ...systemKeys(live.metadata.labels), ...manifest.metadata.labels },
      annotations: { ...systemKeys(live.metadata.annotations), ...manifest.metadata.annotations },
    },
  };
}

function systemKeys(map: Readonly<Record<string, string>> | undefined): Record<string, string> {
  return Object.fromEntries(Object.entries(map ?? {}).filter(([key]) => isSystemKey(key)));
}
