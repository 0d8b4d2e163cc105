import {
  affinityGroupAnnotation,
  appliedPlacementAnnotation,
  crdSchemaOf,
  policyApi,
  shapeErrors,
} from '../../api/index.ts';
import type { Binding, Placement } from '../../api/index.ts';
import { equal, isObject } from '../../base/index.ts';

const texts = new WeakMap<Placement, string>();

/**
 * The placement as the annotation records it: JSON with sorted keys and without empty lists, so that equal placements
 * have equal texts. Written once per object, since thousands of bindings share the placement of their policy.
 */
export function placementText(placement: Placement): string {
  let text = texts.get(placement);
  if (text === undefined) texts.set(placement, (text = JSON.stringify(canonical(placement))));
  return text;
}

function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (!isObject(value)) return value;
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(value).sort()) if (!isEmpty(value[key])) copy[key] = canonical(value[key]);
  return copy;
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}

const shape = crdSchemaOf(policyApi, 'PropagationPolicy')?.properties?.['spec']?.properties?.['placement'] ?? {};

/** The placement by which the clusters of a binding were chosen; undefined when none were, or the record is damaged. */
export function appliedPlacement(binding: Binding): Placement | undefined {
  const text = binding.metadata.annotations?.[appliedPlacementAnnotation];
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return shapeErrors(value, shape).length === 0 ? (value as Placement) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The affinity group by which the clusters were chosen. The annotation is written together with the clusters, so it is
 * the truth; the status follows it, and stands in for it where another scheduler has written before.
 */
export function groupInForce({ metadata, status }: Binding): string | undefined {
  return metadata.annotations?.[affinityGroupAnnotation] ?? status?.schedulerObservingAffinityName;
}

/**
 * Tells whether the placement changed in a way that asks for a new choice of clusters. Of several affinity groups only
 * the one in force counts: adding or editing another does not move what runs.
 */
export function isPlacementChanged(binding: Binding, placement: Placement): boolean {
  const group = groupInForce(binding);
  if (placement.clusterAffinities?.length && !group) return true;
  if (binding.metadata.annotations?.[appliedPlacementAnnotation] === placementText(placement)) return false;
  const applied = appliedPlacement(binding);
  return !applied || !equal(relevant(applied, group), relevant(placement, group));
}

function relevant(placement: Placement, group: string | undefined): unknown {
  const { clusterAffinity, clusterAffinities, clusterTolerations, spreadConstraints, replicaScheduling } = placement;
  const inForce = clusterAffinities?.length ? clusterAffinities.find((term) => term.affinityName === group) : undefined;
  return canonical({
    clusterAffinity,
    groups: Boolean(clusterAffinities?.length),
    inForce,
    clusterTolerations,
    spreadConstraints,
    replicaScheduling,
  });
}
