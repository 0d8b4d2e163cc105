import { keyOf } from '../../api/index.ts';
import type { Effect, EffectKind, Plan, PolicyName, When } from '../../engine/index.ts';

/** What people call an effect: a deletion here and a creation there of the same template is a move. */
export type Deed = EffectKind | 'move';

/** Templates to which the same happens for the same reason. */
export interface Group {
  readonly deed: Deed;
  readonly when: When;
  readonly namespace: string;
  readonly policy: string;
  readonly clusters: string;
  readonly because: string;
  readonly templates: readonly string[];
}

/** What happens to one template at one time. */
interface Fate {
  readonly deed: Deed;
  readonly effects: readonly Effect[];
  readonly clusters: string;
}

/** What ends, or starts anew, first; nothing that merely begins comes before it. */
const danger: Readonly<Record<Deed, number>> = { delete: 0, restart: 1, move: 2, scale: 3, update: 4, create: 5 };
const urgency: Readonly<Record<When, number>> = { now: 0, held: 1, pending: 2 };

/** The effects of a plan, gathered for people: the biggest danger first. */
export function groupsOf({ effects }: Pick<Plan, 'effects'>): readonly Group[] {
  const byTemplate = new Map<string, Effect[]>();
  for (const effect of effects) {
    const key = `${effect.when}|${keyOf(effect.template)}`;
    const known = byTemplate.get(key);
    if (known) known.push(effect);
    else byTemplate.set(key, [effect]);
  }
  const groups = new Map<string, Group & { readonly templates: string[] }>();
  for (const own of byTemplate.values()) for (const fate of fatesOf(own)) add(groups, fate);
  return [...groups.values()].sort((a, b) => urgency[a.when] - urgency[b.when] || danger[a.deed] - danger[b.deed]);
}

function add(groups: Map<string, Group & { readonly templates: string[] }>, { deed, effects, clusters }: Fate): void {
  const [first] = effects;
  if (!first) return;
  const { template, when, because, policy } = first;
  const namespace = template.namespace ?? '';
  const named = policy ? policyText(policy) : '';
  const key = [when, deed, named, namespace, clusters, because].join('|');
  const group = groups.get(key) ?? { deed, when, namespace, policy: named, clusters, because, templates: [] };
  group.templates.push(`${template.kind}/${template.name}`);
  groups.set(key, group);
}

/** `PropagationPolicy/shop/web`. */
export function policyText({ kind, namespace, name }: PolicyName): string {
  return `${kind}/${namespace ? `${namespace}/` : ''}${name}`;
}

function fatesOf(effects: readonly Effect[]): readonly Fate[] {
  const of = (kind: EffectKind): readonly Effect[] => effects.filter(({ effect }) => effect === kind);
  const [leaving, arriving] = [of('delete'), of('create')];
  const moves = leaving.length > 0 && arriving.length > 0;
  const move: readonly Fate[] = moves
    ? [
        {
          deed: 'move',
          effects: [...leaving, ...arriving],
          clusters: `${clustersOf(leaving)} → ${clustersOf(arriving)}`,
        },
      ]
    : [];
  const kinds: readonly EffectKind[] = moves
    ? ['restart', 'scale', 'update']
    : ['delete', 'restart', 'scale', 'update', 'create'];
  const others = kinds.map((deed) => ({ deed, effects: of(deed), clusters: clustersOf(of(deed)) }));
  return [...move, ...others.filter((fate) => fate.effects.length > 0)];
}

function clustersOf(effects: readonly Effect[]): string {
  return [...new Set(effects.map(({ cluster }) => cluster))].sort().join(', ');
}

/** One line for everything: what ends or starts anew is always named, the rest where there is any. */
export function totalsLine({ effects }: Pick<Plan, 'effects'>): string {
  const groups = groupsOf({ effects });
  const count = (deed: Deed, when: When = 'now'): number =>
    sum(groups.filter((group) => group.when === when && group.deed === deed).map(({ templates }) => templates.length));
  const parts = [`restart ${count('restart')}`, `move ${count('move')}${spread(groups)}`, `delete ${count('delete')}`];
  for (const deed of ['scale', 'update', 'create'] as const) if (count(deed) > 0) parts.push(`${deed} ${count(deed)}`);
  const waiting = (when: When): number =>
    new Set(
      groups
        .filter((group) => group.when === when)
        .flatMap((group) => group.templates.map((name) => `${group.namespace}/${name}`)),
    ).size;
  const tail = [
    ...(waiting('pending') ? [`${waiting('pending')} pending (lazy)`] : []),
    ...(waiting('held') ? [`${waiting('held')} held (suspended)`] : []),
  ];
  return `would ${parts.join(', ')}${tail.length > 0 ? `; ${tail.join(', ')}` : ''}`;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

function spread(groups: readonly Group[]): string {
  const moved = groups.filter(({ deed, when }) => deed === 'move' && when === 'now');
  const namespaces = new Set(moved.map(({ namespace }) => namespace));
  if (namespaces.size === 0) return '';
  return ` in ${namespaces.size} namespace${namespaces.size === 1 ? '' : 's'}`;
}
