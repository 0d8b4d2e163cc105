import { keyOf, memberOfNamespace, policyApi, refOf } from '../../../api/index.ts';
import type { Binding, KubeObject, Ref, Work } from '../../../api/index.ts';
import { equal } from '../../../base/index.ts';
import { isTemplateKind } from '../../claim/index.ts';
import type { Decision } from '../../decision.ts';
import { asDispatched } from '../../dispatch/index.ts';
import { workloadKind } from '../../interpret/index.ts';
import type { Question, World } from '../../world/index.ts';
import type { ProposedChange } from '../change.ts';
import { contentOf } from '../effects.ts';
import type { Effect, EffectKind } from '../effects.ts';
import type { EffectsByTemplate, TemplateEffects } from '../tally.ts';
import { Similarity } from './similarity.ts';

/** A template, as it stood before the change was played. */
interface Template {
  readonly key: string;
  readonly template: KubeObject;
  readonly works: readonly Work[];
  /** The change itself asks about it; others are asked about only when one looks what would happen later. */
  readonly isConcerned: boolean;
}

/** Templates whose representatives cannot stand for them. */
export interface Dismissed {
  readonly count: number;
  /** The keys of those whom the change concerns. */
  readonly concerned: readonly string[];
}

/** Templates that stand alike: the first is decided, the others follow it. */
interface Group {
  readonly speaker: Template;
  followers: Template[];
}

/**
 * The many templates that one change of a policy concerns. One template represents all similar ones, so that a plan
 * costs as much as the number of different cases. Where content changes, a template follows its representative only if
 * its members have what they were given.
 */
export class TemplateGroups {
  readonly #base: World;
  readonly #next: World;
  readonly #likeness: Similarity;
  readonly #groups = new Map<string, Group>();
  /** The templates that were looked at, and whether each follows another. */
  readonly #follows = new Map<string, boolean>();
  /** Dependencies that workloads began or ceased to need: they get more effects than similar templates. */
  readonly #needed = new Set<string>();
  #isPlayed = false;

  private constructor(base: World, next: World, changed: readonly Ref[]) {
    this.#base = base;
    this.#next = next;
    this.#likeness = new Similarity(next, base);
    for (const ref of changed) this.#follows.set(keyOf(ref), false);
  }

  /**
   * The groups of a change of policies and templates; any other change concerns more than groups of similar templates.
   */
  static of(base: World, next: World, { apply = [], delete: gone = [] }: ProposedChange): TemplateGroups | undefined {
    const changed = [...apply.map(refOf), ...gone];
    return !next.gates.Failover && changed.every(isOfFamilies) ? new TemplateGroups(base, next, changed) : undefined;
  }

  /** Tells whether the representative of the template's group answers this question for it. */
  readonly spares = (question: Question, key: string, object?: KubeObject): boolean => {
    if (question !== 'claim') return false;
    let follows = this.#follows.get(key);
    if (follows === undefined) this.#follows.set(key, (follows = this.#joins(key, object ?? this.#next.get(key))));
    return follows;
  };

  /** Finds the template its group; false when it speaks for itself. */
  #joins(key: string, template: KubeObject | undefined): boolean {
    const state = template && this.#likeness.of(key, template);
    if (!state) return false;
    const { text, works } = state;
    const one = { key, template, works, isConcerned: !this.#isPlayed };
    const group = this.#groups.get(text);
    if (group) group.followers.push(one);
    else this.#groups.set(text, { speaker: one, followers: [] });
    return group !== undefined;
  }

  /** Listens while the change is played. */
  hear(question: Question, _: string, { actions }: Decision): void {
    if (question !== 'dependencies') return;
    for (const { do: what, write } of actions) {
      if (what === 'record' || write.verb === 'delete') continue;
      this.#needed.add(keyOf((write.object as Binding).spec.resource));
    }
  }

  /** The change has been played: who is asked about from now on is not concerned by it. */
  played(): void {
    this.#isPlayed = true;
  }

  /** Finds the templates whose speaker cannot speak for them; they have to be asked. */
  dismiss(told: EffectsByTemplate, stuck: ReadonlySet<string>): Dismissed {
    const dismissed: Template[] = [];
    const isAlone = this.#alone(stuck);
    for (const group of this.#groups.values()) {
      if (group.followers.length === 0) continue;
      const stays = isAlone(group.speaker)
        ? () => false
        : this.#isSpokenFor(group.speaker, told.get(group.speaker.key) ?? []);
      const staying: Template[] = [];
      for (const follower of group.followers) {
        if (stays(follower)) staying.push(follower);
        else dismissed.push(follower);
      }
      group.followers = staying;
    }
    for (const { key } of dismissed) this.#follows.set(key, false);
    const concerned = dismissed.filter(({ isConcerned }) => isConcerned).map(({ key }) => key);
    return { count: dismissed.length, concerned };
  }

  /**
   * Tells which templates have to be planned one by one because workloads do not finish their moves: objects that such
   * workloads may use stay in their namespaces, and a workload that was not planned shows no move.
   */
  #alone(stuck: ReadonlySet<string>): (speaker: Template) => boolean {
    const isStuck = ({ key, template }: Template): boolean => stuck.has(key) && workloadKind(template) !== undefined;
    const isAny = [...this.#groups.values()].some(({ speaker, followers }) => followers.length > 0 && isStuck(speaker));
    return (speaker) => isAny && (isStuck(speaker) || !workloadKind(speaker.template));
  }

  /** Whether what the speaker says is true of a follower. */
  #isSpokenFor(speaker: Template, said: readonly Effect[]): (follower: Template) => boolean {
    const reached = said.filter(({ effect }) => effect === 'create').map(({ cluster }) => cluster);
    const isVouched = said.every(({ effect }) => isBare(effect)) ? () => true : this.#isInStep;
    const isOnItsOwn = (one: Template): boolean => !this.#needed.has(one.key) && isVouched(one);
    if (!this.#isFreeElsewhere(speaker) || !isOnItsOwn(speaker)) return () => false;
    return (one) => reached.every((member) => this.#isFree(member, one.key)) && isOnItsOwn(one);
  }

  /** Tells whether nothing keeps the template back, wherever it may go. */
  #isFreeElsewhere({ key, works }: Template): boolean {
    const given = new Set(works.map(memberOf));
    return this.#base.clusters.every(({ metadata: { name } }) => given.has(name) || this.#isFree(name, key));
  }

  #isFree(member: string, key: string): boolean {
    return this.#base.inMember(member, key) === undefined;
  }

  /**
   * Tells whether every member has exactly what it was given. Then what changes there follows from the policies alone.
   */
  readonly #isInStep = ({ key, works }: Template): boolean => {
    for (const work of works) {
      const [manifest] = work.spec.workload.manifests;
      const there = this.#base.inMember(memberOf(work), key);
      if (!there || !manifest) continue;
      if (!equal(contentOf(there), contentOf(asDispatched(manifest)))) return false;
    }
    return true;
  };

  /** The keys of the templates for which these were decided, themselves included. */
  spokenFor(keys: ReadonlySet<string>): readonly string[] {
    const found = [...keys];
    for (const { speaker, followers } of this.#groups.values())
      if (keys.has(speaker.key)) for (const { key } of followers) found.push(key);
    return found;
  }

  /** The effects of the templates that follow the planned ones. */
  echoes(told: readonly TemplateEffects[]): readonly TemplateEffects[] {
    const heard = new Map(told.map(({ key, effects }) => [key, effects]));
    const echoes: TemplateEffects[] = [];
    for (const { speaker, followers } of this.#groups.values()) {
      const said = heard.get(speaker.key);
      if (said) for (const { key, template } of followers) echoes.push({ key, effects: echoOf(said, refOf(template)) });
    }
    return echoes;
  }
}

/** The same, said of another template. */
function echoOf(said: readonly Effect[], template: Ref): readonly Effect[] {
  return said.map((effect) => ({ ...effect, template }));
}

const memberOf = ({ metadata }: Work): string => memberOfNamespace(metadata.namespace) ?? '';

/** Creating and deleting are the same whatever the content. */
const isBare = (effect: EffectKind): boolean => effect === 'create' || effect === 'delete';

/** A template or a policy; a Namespace is also where others stand. */
function isOfFamilies({ apiVersion, kind }: Ref): boolean {
  if (apiVersion === policyApi) return kind === 'PropagationPolicy' || kind === 'ClusterPropagationPolicy';
  return isTemplateKind({ apiVersion, kind }) && kind !== 'Namespace';
}
