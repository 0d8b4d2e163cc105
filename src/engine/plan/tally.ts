import type { Effect } from './effects.ts';

/** Effects are counted by kind when they happen now; an effect that waits is counted by what it waits for. */
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
  readonly suspended: number;
  readonly unreachable: number;
}

/** The effects of each template, by its key. */
export type EffectsByTemplate = ReadonlyMap<string, readonly Effect[]>;

/** The effects on one template, by cluster. */
export interface TemplateEffects {
  readonly key: string;
  readonly effects: readonly Effect[];
}

const whens = ['now', 'unreachable', 'suspended', 'pending'] as const;
const dangers = ['delete', 'restart', 'create', 'scale', 'update'] as const;

/** The most dangerous first, then by name: a plan of the same change reads the same. */
export function inOrder(told: readonly TemplateEffects[]): readonly Effect[] {
  const ranks = new Map<string, Map<string, Effect[]>>();
  for (const when of whens) ranks.set(when, new Map(dangers.map((danger) => [danger, []])));
  for (const { effects } of told.toSorted((a, b) => (a.key < b.key ? -1 : 1)))
    for (const effect of effects) ranks.get(effect.when)?.get(effect.effect)?.push(effect);
  return [...ranks.values()].flatMap((rank) => [...rank.values()]).flat();
}

/** Cluster by cluster; what is the same for many is ordered once. */
export function byCluster(effects: readonly Effect[]): readonly Effect[] {
  return effects.length > 1 ? effects.toSorted((a, b) => (a.cluster < b.cluster ? -1 : 1)) : effects;
}

const noWaits = { pending: 0, suspended: 0, unreachable: 0 };

/** How many of each. */
export function totalsOf(told: readonly TemplateEffects[]): PlanTotals {
  const clusters = new Set<string>();
  const counts = { create: 0, update: 0, restart: 0, scale: 0, delete: 0, moved: 0, ...noWaits };
  for (const { effects } of told) {
    for (const { cluster, when, effect } of effects) {
      clusters.add(cluster);
      counts[when === 'now' ? effect : when]++;
    }
    if (isMove(effects)) counts.moved++;
  }
  return { templates: told.length, clusters: clusters.size, ...counts };
}

/** Tells whether a template leaves one cluster and arrives in another, at once or when a member is back. */
export function isMove(effects: readonly Effect[]): boolean {
  const happens = (kind: Effect['effect']): boolean =>
    effects.some(({ when, effect }) => effect === kind && (when === 'now' || when === 'unreachable'));
  return happens('create') && happens('delete');
}
