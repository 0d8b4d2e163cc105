import type { Effect } from './effects.ts';

/** Effects are counted by kind when they happen now; what waits is counted under pending and held. */
export interface PlanTotals {
  readonly templates: number;
  readonly clusters: number;
  readonly create: number;
  readonly update: number;
  readonly restart: number;
  readonly scale: number;
  readonly delete: number;
  readonly moved: number;
  readonly pending: number;
  readonly held: number;
}

/** The effects of each template, by its key. */
export type EffectsByTemplate = ReadonlyMap<string, readonly Effect[]>;

const whens = ['now', 'held', 'pending'] as const;
const dangers = ['delete', 'restart', 'create', 'scale', 'update'] as const;

/** The most dangerous first, then by name: a plan of the same change reads the same. */
export function inOrder(told: EffectsByTemplate): readonly Effect[] {
  const ranks = new Map<string, Effect[]>();
  for (const when of whens) for (const effect of dangers) ranks.set(when + effect, []);
  for (const key of [...told.keys()].sort()) {
    for (const effect of byCluster(told.get(key) ?? [])) ranks.get(effect.when + effect.effect)?.push(effect);
  }
  return [...ranks.values()].flat();
}

function byCluster(effects: readonly Effect[]): readonly Effect[] {
  return effects.length > 1 ? effects.toSorted((a, b) => (a.cluster < b.cluster ? -1 : 1)) : effects;
}

/** How many of each. */
export function totalsOf(told: EffectsByTemplate): PlanTotals {
  const clusters = new Set<string>();
  const counts = { create: 0, update: 0, restart: 0, scale: 0, delete: 0, moved: 0, pending: 0, held: 0 };
  for (const effects of told.values()) {
    for (const { cluster, when, effect } of effects) {
      clusters.add(cluster);
      counts[when === 'now' ? effect : when]++;
    }
    if (isMove(effects)) counts.moved++;
  }
  return { templates: told.size, clusters: clusters.size, ...counts };
}

/** A move is a deletion in one cluster and a creation of the same template in another. */
function isMove(effects: readonly Effect[]): boolean {
  const happens = (kind: Effect['effect']): boolean =>
    effects.some(({ when, effect }) => when === 'now' && effect === kind);
  return happens('delete') && happens('create');
}
