import { fieldErrorBody, isSystemKey, keyOf, refOf } from '../../api/index.ts';
import type { KubeObject, Ref } from '../../api/index.ts';
import { uuidOf } from '../../base/index.ts';
import { mutate } from '../mutate/mutate.ts';
import { validate, validateDelete } from '../validate/validate.ts';
import type { World } from '../world/index.ts';

/** What somebody thinks of doing: manifests to apply and objects to delete, as one change. */
export interface ProposedChange {
  readonly apply?: readonly KubeObject[];
  readonly delete?: readonly Ref[];
}

/** What admission would refuse. */
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
  const faults = validate(object, before);
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
  world.write({ verb: 'delete', ref });
  return [];
}

/** What applying a manifest makes of a live object: the manifest's content, with what the system wrote kept. */
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
