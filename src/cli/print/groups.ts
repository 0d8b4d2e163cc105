import { keyOf } from '../../api/index.ts';
import type { Effect, EffectKind, Plan, PolicyName, Waits, When } from '../../engine/index.ts';
import { byName } from './order.ts';

/** The name of an effect for people: a deletion here and a creation there of the same template is a move. */
export type EffectName = EffectKind | 'move';

/** Templates to which the same happens for the same reason. */
export interface Group {
  readonly effectName: EffectName;
  readonly when: When;
  readonly namespace: string;
  readonly policy: string;
  readonly clusters: string;
  readonly because: string;
  readonly waits?: Waits | undefined;
  /** The members that have to answer first. */
  readonly waitsFor: string;
  readonly templates: readonly string[];
}

/** The effects on one template at one time. */
export interface Fate extends Pick<Effect, 'template' | 'when' | 'because' | 'waits'> {
  readonly effectName: EffectName;
  readonly policy: string;
  readonly clusters: string;
  readonly waitsFor: string;
}

/** Effects that end or restart something come first; effects that only begin something come last. */
const danger: Readonly<Record<EffectName, number>> = { delete: 0, restart: 1, move: 2, scale: 3, update: 4, create: 5 };
const urgency: Readonly<Record<When, number>> = { now: 0, unreachable: 1, suspended: 2, pending: 3 };

/** The effects on each template, for people: the biggest danger first, then by name. */
export function fatesOf({ effects }: Pick<Plan, 'effects'>): readonly Fate[] {
  const byTemplate = new Map<string, Effect[]>();
  for (const effect of effects) {
    const key = `${effect.when}|${keyOf(effect.template)}`;
    const known = byTemplate.get(key);
    if (known) known.push(effect);
    else byTemplate.set(key, [effect]);
  }
  return [...byTemplate.values()]
    .flatMap(fatesOfOne)
    .sort(
      (a, b) =>
        urgency[a.when] - urgency[b.when] ||
        danger[a.effectName] - danger[b.effectName] ||
        byName(a.template, b.template),
    );
}

/** Fates gathered into groups, in the order in which the first of each comes. */
export function groupsOf(fates: readonly Fate[]): readonly Group[] {
  const groups = new Map<string, Group & { readonly templates: string[] }>();
  for (const { template, ...fate } of fates) {
    const { effectName, when, policy, clusters, because, waits, waitsFor } = fate;
    const namespace = template.namespace ?? '';
    const key = [when, effectName, policy, namespace, clusters, because, waits, waitsFor].join('|');
    const group = groups.get(key) ?? { ...fate, namespace, templates: [] };
    group.templates.push(`${template.kind}/${template.name}`);
    groups.set(key, group);
  }
  return [...groups.values()];
}

/** `PropagationPolicy/shop/web`. */
export function policyText({ kind, namespace, name }: PolicyName): string {
  return `${kind}/${namespace ? `${namespace}/` : ''}${name}`;
}

function fatesOfOne(effects: readonly Effect[]): readonly Fate[] {
  const of = (kind: EffectKind): readonly Effect[] => effects.filter(({ effect }) => effect === kind);
  const [leaving, arriving] = [of('delete'), of('create')];
  const moves = leaving.length > 0 && arriving.length > 0;
  const move = moves ? fate('move', [...leaving, ...arriving], `${clustersOf(leaving)} → ${clustersOf(arriving)}`) : [];
  const kinds: readonly EffectKind[] = moves
    ? ['restart', 'scale', 'update']
    : ['delete', 'restart', 'scale', 'update', 'create'];
  return [...move, ...kinds.flatMap((kind) => fate(kind, of(kind), clustersOf(of(kind))))];
}

function fate(effectName: EffectName, effects: readonly Effect[], clusters: string): readonly Fate[] {
  const [first] = effects;
  if (!first) return [];
  const { template, when, because, waits, policy } = first;
  const waitsFor = [...new Set(effects.flatMap((effect) => effect.waitsFor ?? []))].sort().join(', ');
  const words = { policy: policy ? policyText(policy) : '', clusters, waitsFor };
  return [{ effectName, template, when, because, ...(waits && { waits }), ...words }];
}

/** When an effect happens, for people: `now`, `pending`, `when member2 is back`. */
export function whenText({ when, waitsFor }: Pick<Fate, 'when' | 'waitsFor'>): string {
  if (when !== 'unreachable') return when;
  return `when ${waitsFor} ${waitsFor.includes(',') ? 'are' : 'is'} back`;
}

function clustersOf(effects: readonly Effect[]): string {
  return [...new Set(effects.map(({ cluster }) => cluster))].sort().join(', ');
}

/** When one effect happens, for people; the deletion in a move may wait for its replacement. */
export function effectWhen({ when, waitsFor = [], after }: Effect): string {
  const text = whenText({ when, waitsFor: waitsFor.join(', ') });
  return after === 'healthy' ? `${text}, after healthy` : text;
}

/** One line for everything: what ends or starts anew is always named, the rest where there is any. */
export function totalsLine(groups: readonly Group[]): string {
  const count = (effectName: EffectName, when: When = 'now'): number =>
    sum(
      groups
        .filter((group) => group.when === when && group.effectName === effectName)
        .map(({ templates }) => templates.length),
    );
  const parts = [`restart ${count('restart')}`, `move ${count('move')}${spread(groups)}`, `delete ${count('delete')}`];
  for (const effectName of ['scale', 'update', 'create'] as const)
    if (count(effectName) > 0) parts.push(`${effectName} ${count(effectName)}`);
  const waiting = (when: When): number =>
    new Set(
      groups
        .filter((group) => group.when === when)
        .flatMap((group) => group.templates.map((name) => `${group.namespace}/${name}`)),
    ).size;
  const tail = [
    ...(waiting('pending') ? [`${waiting('pending')} pending (${waitsText(groups)})`] : []),
    ...(waiting('suspended') ? [`${waiting('suspended')} suspended`] : []),
    ...(waiting('unreachable') ? [`${waiting('unreachable')} when ${membersText(groups)}`] : []),
  ];
  return `would ${parts.join(', ')}${tail.length > 0 ? `; ${tail.join(', ')}` : ''}`;
}

/** `member2 is back`: the members that effects wait for. */
function membersText(groups: readonly Group[]): string {
  const names = groups.flatMap(({ waitsFor }) => (waitsFor ? waitsFor.split(', ') : []));
  const waitsFor = [...new Set(names)].sort().join(', ');
  return whenText({ when: 'unreachable', waitsFor }).replace('when ', '');
}

/** Why what is pending waits; one plan may have both. */
function waitsText(groups: readonly Group[]): string {
  return [...new Set(groups.flatMap(({ waits }) => waits ?? []))].sort().join(', ');
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

function spread(groups: readonly Group[]): string {
  const moved = groups.filter(({ effectName, when }) => effectName === 'move' && when === 'now');
  const namespaces = new Set(moved.flatMap(({ namespace }) => namespace || []));
  if (namespaces.size === 0) return '';
  return ` in ${namespaces.size} namespace${namespaces.size === 1 ? '' : 's'}`;
}
