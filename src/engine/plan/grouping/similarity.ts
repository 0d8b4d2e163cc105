import {
  dependenciesFinalizer,
  inEffectAnnotation,
  memberOfNamespace,
  overridesAnnotation,
  reconcileAnnotation,
  suspendedRemovalAnnotation,
  templateGenerationAnnotation,
  waitsAtAnnotation,
} from '../../../api/index.ts';
import type { Binding, KubeObject, Work } from '../../../api/index.ts';
import { bindingOf, fingerprintOf, isFingerprintOf, isTemplateKind, ownsBinding, recordIn } from '../../claim/index.ts';
import type { InEffect } from '../../claim/index.ts';
import { isOurs, saysAsSent } from '../../dispatch/index.ts';
import { interpreterOf, nativeInterpreter, replicasOf } from '../../interpret/index.ts';
import { bindingIdOf, hasRolloutNear, mayShareBinding, overridesNear, worksKey } from '../../match/index.ts';
import { prune } from '../../render/index.ts';
import { tieOrderOf } from '../../schedule/index.ts';
import type { World } from '../../world/index.ts';
import { Choices, leavesChoice } from './choices.ts';
import type { Choice } from './choices.ts';
import { Numbering } from './numbering.ts';
import { marks, records, replicas, specs } from './spelling.ts';
import { unready } from '../whatif.ts';

/** How a template stands, and what was made of it. */
export interface Situation {
  readonly text: string;
  readonly works: readonly Work[];
}

const nowhere: readonly Work[] = [];

/**
 * Describes the state of a template: everything that a change of policies can make a decision read about it, written so
 * that templates with equal texts get equal effects, except for names. A change owns only effects that were not pending
 * before it, so the text includes which policies the template chose from until then. The text omits content, so only a
 * template whose content is in effect, or that runs nowhere, has one. A template that depends on others has none.
 */
export class Similarity {
  readonly #world: World;
  readonly #choices: Choices;
  readonly #former: World;
  readonly #formerChoices: Choices;
  /** The last choice before and after the change: most templates have the same as the one before them. */
  #pair: { readonly now: Choice; readonly former: Choice; readonly both: Choice } | undefined;
  readonly #labels = new Numbering(marks);
  readonly #annotations = new Numbering(marks);
  readonly #bindingLabels = new Numbering(marks);
  readonly #bindingAnnotations = new Numbering(marks);
  readonly #records = new Numbering(records);
  readonly #specs = new Numbering(specs);
  readonly #replicas = new Numbering(replicas);
  /** Kinds of one name in several groups: their bindings share names. */
  readonly #twins: ReadonlySet<string>;
  readonly #unready: ReadonlySet<string>;

  /** The state of templates in a world that is about to change, and came from a settled one. */
  constructor(world: World, former: World = world) {
    this.#world = world;
    this.#choices = new Choices(world);
    this.#former = former;
    this.#formerChoices = former === world ? this.#choices : new Choices(former);
    this.#twins = twinsIn(world.kinds());
    this.#unready = new Set(unready(world));
  }

  /** How the template stands; undefined when it must be looked at by itself. */
  of(key: string, template: KubeObject): Situation | undefined {
    if (this.#hasScripts(template)) return undefined;
    if (template.metadata.deletionTimestamp || this.#isSingled(template)) return undefined;
    const choice = this.#choiceOf(template);
    const own = choice.hasDependencies ? undefined : this.#textOfTemplate(template);
    if (own === undefined) return undefined;
    const binding = bindingOf(this.#world, template);
    const works = binding ? this.#worksOf(binding) : nowhere;
    const text = binding
      ? this.#textOfBound(key, template, { binding, works, choice })
      : this.#textOfNew(template, choice);
    return text === undefined ? undefined : { text: `${own}${choice.text}${text}`, works };
  }

  /** The answer of a script may depend on anything in the template. */
  #hasScripts(template: KubeObject): boolean {
    return [this.#world, this.#former].some((world) => interpreterOf(world, template).hasScripts);
  }

  /** Rollout policies may name single objects, and overrides read content. */
  #isSingled(template: KubeObject): boolean {
    return hasRolloutNear(this.#world, template) || overridesNear(this.#world, template).size > 0;
  }

  #choiceOf(template: KubeObject): Choice {
    const [now, former] = [this.#choices.of(template), this.#formerChoices.of(template)];
    if (now === former) return now;
    if (this.#pair?.now !== now || this.#pair.former !== former)
      this.#pair = { now, former, both: bothChoices(now, former) };
    return this.#pair.both;
  }

  /** Kind and marks; undefined when the template waits at other content than it has. */
  #textOfTemplate(template: KubeObject): string | undefined {
    const { labels, annotations } = template.metadata;
    const noted = annotations?.[waitsAtAnnotation];
    if (noted !== undefined && !isFingerprintOf(noted, template)) return undefined;
    const numbers = `${this.#labels.of(labels)} ${this.#annotations.of(annotations)}`;
    return `${template.apiVersion} ${template.kind} ${numbers}${noted === undefined ? '' : ' waits'}`;
  }

  #textOfNew(template: KubeObject, choice: Choice): string | undefined {
    const isShared = mayShareBinding(template.metadata.name) || this.#twins.has(template.kind);
    return choice.isLazy || isAsked(template) || isShared
      ? undefined
      : ` new${this.#textOfReplicas(template, choice.leavesChoice)}`;
  }

  #textOfBound(key: string, template: KubeObject, { binding, works, choice }: Bound): string | undefined {
    const record = recordIn(binding.metadata.annotations?.[inEffectAnnotation]);
    if (!isInEffect(template, binding, record) || isEntangled(binding)) return undefined;
    const parts: string[] = [];
    for (const work of works) {
      const part = this.#textOfWork(key, template, work);
      if (part === undefined) return undefined;
      parts.push(part);
    }
    const replicas = this.#textOfReplicas(template, choice.leavesChoice || leavesChoice(binding.spec));
    const sent = parts.length > 1 ? parts.sort().join('') : (parts[0] ?? '');
    return `${this.#textOfBinding(binding, record)}${replicas}${sent}`;
  }

  #worksOf(binding: Binding): readonly Work[] {
    const works: Work[] = [];
    this.#world.each(worksKey(bindingIdOf(binding) ?? ''), (work) => void works.push(work as Work));
    return works;
  }

  #textOfBinding({ metadata, spec, status }: Binding, record: InEffect | undefined): string {
    const { labels, annotations, finalizers } = metadata;
    const own = `${this.#bindingLabels.of(labels)} ${this.#bindingAnnotations.of(annotations)} ${finalizers?.join()}`;
    return ` ${own} ${this.#records.of(record)} ${this.#specs.of(spec)} ${status?.schedulerObservingAffinityName}`;
  }

  /** The fields of the template that the scheduler reads; the tie order matters only where there is a choice. */
  #textOfReplicas(template: KubeObject, isChoosing: boolean): string {
    const count = replicasOf(template);
    return count ? ` r${this.#replicas.of(count)}${isChoosing ? tieOrderOf(template.metadata) : ''}` : '';
  }

  #textOfWork(key: string, template: KubeObject, work: Work): string | undefined {
    const { namespace, annotations, deletionTimestamp } = work.metadata;
    if (deletionTimestamp || !isRenderedFrom(template, work)) return undefined;
    const member = memberOfNamespace(namespace) ?? '';
    const state = this.#stateIn(member, key, work);
    const { suspendDispatching, preserveResourcesOnDeletion } = work.spec;
    const leaving = annotations?.[suspendedRemovalAnnotation];
    return state && `/${member} ${suspendDispatching} ${preserveResourcesOnDeletion} ${leaving} ${state}`;
  }

  #stateIn(member: string, key: string, work: Work): string | undefined {
    const present = this.#world.inMember(member, key);
    if (!present) return 'absent';
    if (present.metadata.deletionTimestamp || this.#isBehind(member, work, present)) return undefined;
    return isOurs(work, present) ? 'ours' : 'theirs';
  }

  /** Tells whether a suspension, or a member that is not ready, delays later changes, whatever else changes. */
  #isBehind(member: string, { spec }: Work, present: KubeObject): boolean {
    const [manifest] = spec.workload.manifests;
    const isKeptBack = spec.suspendDispatching === true || this.#unready.has(member);
    return isKeptBack && manifest !== undefined && !saysAsSent(present, manifest, nativeInterpreter);
  }
}

function bothChoices(now: Choice, former: Choice): Choice {
  return {
    text: `${now.text} until now${former.text}`,
    isLazy: now.isLazy,
    hasDependencies: now.hasDependencies || former.hasDependencies,
    leavesChoice: now.leavesChoice || former.leavesChoice,
  };
}

function twinsIn(kinds: Iterable<string>): ReadonlySet<string> {
  const [seen, twins] = [new Set<string>(), new Set<string>()];
  for (const text of kinds) {
    const [apiVersion = '', kind = ''] = text.split('|');
    if (!isTemplateKind({ apiVersion, kind })) continue;
    if (seen.has(kind)) twins.add(kind);
    seen.add(kind);
  }
  return twins;
}

interface Bound {
  readonly binding: Binding;
  readonly works: readonly Work[];
  readonly choice: Choice;
}

const isAsked = ({ metadata }: KubeObject): boolean => metadata.annotations?.[reconcileAnnotation] !== undefined;

/**
 * Not every kind counts its generations, and none counts changes of its labels; of what counts none, and of what stays
 * only because its removal is held and is not written any more, the Work has to say what the template says.
 */
function isRenderedFrom(template: KubeObject, { metadata, spec }: Work): boolean {
  const [manifest] = spec.workload.manifests;
  const { generation } = template.metadata;
  const isLeft = metadata.annotations?.[suspendedRemovalAnnotation] !== undefined;
  if (generation === undefined || isLeft) return manifest !== undefined && saysAs(template, manifest);
  return manifest?.metadata.annotations?.[templateGenerationAnnotation] === String(generation);
}

/** Most templates travel as they are, and their own fingerprints are known already. */
function saysAs(template: KubeObject, manifest: KubeObject): boolean {
  const said = fingerprintOf(manifest);
  return said === fingerprintOf(template) || said === fingerprintOf(prune(template));
}

/** Tells whether the template's content is in effect and nothing was requested. */
function isInEffect(template: KubeObject, binding: Binding, record: InEffect | undefined): boolean {
  if (binding.metadata.annotations?.[overridesAnnotation] !== undefined) return false;
  const asked = template.metadata.annotations?.[reconcileAnnotation];
  if (asked !== undefined && asked !== record?.request) return false;
  return ownsBinding(template, binding) && isFingerprintOf(record?.template, template);
}

/** Tells whether the binding is changing, or other bindings depend on it. */
function isEntangled({ metadata, spec }: Binding): boolean {
  return Boolean(
    metadata.deletionTimestamp ||
    metadata.finalizers?.includes(dependenciesFinalizer) ||
    spec.propagateDeps ||
    spec.requiredBy?.length ||
    spec.gracefulEvictionTasks?.length ||
    spec.rescheduleTriggeredAt,
  );
}
