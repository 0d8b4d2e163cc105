import type { Binding } from '../../api/index.ts';
import { movesOf } from '../move/index.ts';

/** A template that moves between members: what it waits for, and which copies are kept until then. */
export interface Moving {
  readonly waitsFor: readonly { readonly name: string; readonly ready?: number; readonly replicas?: number }[];
  readonly kept: readonly string[];
}

interface CopyState {
  readonly name: string;
  readonly state: string;
  readonly ready?: number;
  readonly replicas?: number;
}

/** The move of a template, told by the eviction tasks of its binding; undefined when it does not move. */
export function movingOf(binding: Binding | undefined, places: readonly CopyState[]): Moving | undefined {
  const tasks = binding ? movesOf(binding) : [];
  if (tasks.length === 0) return undefined;
  const kept = tasks.map(({ fromCluster }) => fromCluster).sort();
  const waitsFor = places
    .filter(({ name, state }) => !kept.includes(name) && state !== 'inEffect')
    .map(({ name, ready, replicas }) => ({
      name,
      ...(ready !== undefined && { ready }),
      ...(replicas !== undefined && { replicas }),
    }));
  return { waitsFor, kept };
}

/** `moving: waits for member2 (1/2 ready), member1 kept`. */
export function movingText({ waitsFor, kept }: Moving): string {
  const names = waitsFor.map(({ name, ready, replicas }) =>
    ready === undefined || replicas === undefined ? name : `${name} (${ready}/${replicas} ready)`,
  );
  const waits = names.length > 0 ? `waits for ${names.join(', ')}, ` : '';
  return `moving: ${waits}${kept.join(', ')} kept`;
}
