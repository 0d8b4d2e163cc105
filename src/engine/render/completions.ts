import type { Binding, KubeObject } from '../../api/index.ts';
import { at, withAt } from '../../base/index.ts';
import { divide, isDivided, tieOrderOf } from '../schedule/index.ts';

const path = ['spec', 'completions'];

/**
 * How often the Job of a binding is to succeed in each cluster. A Job whose replicas are divided is one piece of work, so
 * what it has to complete is divided in proportion to them; otherwise every cluster would do all of it.
 */
export function completionsOf(template: KubeObject, { spec }: Binding): ReadonlyMap<string, number> {
  const isJob = template.kind === 'Job' && template.apiVersion === 'batch/v1';
  const completions = isJob ? at(template, path) : undefined;
  if (typeof completions !== 'number' || !spec.placement || !isDivided(spec.placement)) return new Map();
  const shares = (spec.clusters ?? []).map(({ name, replicas = 0 }) => ({ name, weight: replicas }));
  return divide(
    completions,
    shares.filter(({ weight }) => weight > 0),
    tieOrderOf(spec.resource),
  );
}

/** The manifest of a Job with its part of the completions. */
export function withCompletions(manifest: KubeObject, completions: number | undefined): KubeObject {
  return completions === undefined ? manifest : withAt(manifest, path, completions);
}
