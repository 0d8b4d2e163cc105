import {
  bindingFamilies,
  dependenciesFinalizer,
  inEffectAnnotation,
  isSystemKey,
  memberOfNamespace,
  reconcileAnnotation,
  removalHeldAnnotation,
  templateGenerationAnnotation,
  waitsAtAnnotation,
} from '../../api/index.ts';
import type { Binding, BindingSpec, KubeObject, Policy, Work } from '../../api/index.ts';
import { bindingOf, fingerprintOf, inEffectOf, isPropagated, ownsBinding } from '../claim/index.ts';
import { isOurs, saysAsSent } from '../dispatch/index.ts';
import { replicasOf } from '../interpret/index.ts';
import { prune } from '../render/index.ts';
import {
  bindingIdOf,
  candidatesOf,
  kindOf,
  mayShareBinding,
  policiesNear,
  rolloutPost,
  rolloutsPost,
  worksPost,
} from '../match/index.ts';
import type { Candidate } from '../match/index.ts';
import { tieOrderOf } from '../schedule/index.ts';
import type { World } from '../world/index.ts';

type Keys = Readonly<Record<string, string>>;

/**
 * Tells how a template stands: everything that a change of policies can make a decision read about it, spelt so that
 * templates with equal texts get equal effects, names aside. Content is not in the text, so it is vouched for: only a
 * template whose content is in effect, or that runs nowhere, has one. What depends on more than itself has none.
 */
export class Likeness {
  readonly #world: World;
  readonly #policies = new Map<Policy, string>();
  readonly #hasRollouts: boolean;

  constructor(world: World) {
    this.#world = world;
    this.#hasRollouts = world.has(rolloutsPost);
  }

  /** How the template stands; undefined when it must be looked at by itself. */
  of(key: string): string | undefined {
    const template = this.#world.get(key);
    if (!template || template.metadata.deletionTimestamp || this.#mayBeHeld(template)) return undefined;
    const candidates = isPropagated(template) ? candidatesOf(policiesNear(this.#world, template), template) : [];
    if (candidates.some(({ policy }) => policy.spec.propagateDeps)) return undefined;
    const own = textOfTemplate(template);
    const rest = own === undefined ? undefined : this.#textOfBinding(key, template, candidates);
    return rest === undefined ? undefined : `${own}${this.#textOfCandidates(candidates)}${rest}`;
  }

  /** RolloutPolicies may name single objects. */
  #mayBeHeld(template: KubeObject): boolean {
    return this.#hasRollouts && this.#world.has(rolloutPost(kindOf(template), template.metadata.namespace));
  }

  #textOfCandidates(candidates: readonly Candidate[]): string {
    let text = '';
    for (const { policy, precision } of candidates) text += `${this.#numberOf(policy)}:${precision} `;
    return text;
  }

  #numberOf(policy: Policy): string {
    let number = this.#policies.get(policy);
    if (number === undefined) this.#policies.set(policy, (number = `p${this.#policies.size}`));
    return number;
  }

  #textOfBinding(key: string, template: KubeObject, candidates: readonly Candidate[]): string | undefined {
    const binding = bindingOf(this.#world, template);
    const replicas = textOfReplicas(template, [binding?.spec, ...candidates.map(({ policy }) => policy.spec)]);
    if (!binding)
      return candidates.some(isLazy) || isAsked(template) || mayShareBinding(template.metadata.name)
        ? undefined
        : `new ${replicas}`;
    if (!isInEffect(template, binding) || isEntangled(binding)) return undefined;
    const works = this.#textOfWorks(key, template, binding);
    return works === undefined ? undefined : `${textOfBinding(binding)}${replicas}${works}`;
  }

  #textOfWorks(key: string, template: KubeObject, binding: Binding): string | undefined {
    const parts: string[] = [];
    let whole = true;
    this.#world.each(worksPost(bindingIdOf(binding) ?? ''), (work) => {
      const part = this.#textOfWork(key, template, work as Work);
      if (part === undefined) whole = false;
      else parts.push(part);
    });
    if (!whole) return undefined;
    return parts.length > 1 ? parts.sort().join('') : (parts[0] ?? '');
  }

  #textOfWork(key: string, template: KubeObject, work: Work): string | undefined {
    const { namespace, annotations, deletionTimestamp } = work.metadata;
    if (deletionTimestamp || !isRenderedFrom(template, work)) return undefined;
    const member = memberOfNamespace(namespace) ?? '';
    const state = this.#stateIn(member, key, work);
    const { suspendDispatching, preserveResourcesOnDeletion } = work.spec;
    const leaving = annotations?.[removalHeldAnnotation];
    return state && `/${member} ${suspendDispatching} ${preserveResourcesOnDeletion} ${leaving} ${state}`;
  }

  #stateIn(member: string, key: string, work: Work): string | undefined {
    const present = this.#world.member(member, key);
    if (typeof present === 'string') return present;
    if (present.metadata.deletionTimestamp || isBehind(work, present)) return undefined;
    return isOurs(work, present) ? 'ours' : 'theirs';
  }
}

/** Is something held back that comes when the hold ends, whatever else changes? */
function isBehind({ spec }: Work, present: KubeObject): boolean {
  const [manifest] = spec.workload.manifests;
  return spec.suspendDispatching === true && manifest !== undefined && !saysAsSent(present, manifest);
}

const isLazy = ({ policy }: Candidate): boolean => policy.spec.activationPreference === 'Lazy';

const isAsked = ({ metadata }: KubeObject): boolean => metadata.annotations?.[reconcileAnnotation] !== undefined;

/** Kind and marks; undefined when the template waits at other content than it has. */
function textOfTemplate(template: KubeObject): string | undefined {
  const { labels, annotations } = template.metadata;
  const noted = annotations?.[waitsAtAnnotation];
  if (noted !== undefined && noted !== fingerprintOf(template)) return undefined;
  return `${kindOf(template)} ${marks(labels)}${marks(annotations)}${noted === undefined ? '' : 'waits '}`;
}

/** Marks with a value of their own on every object; those that matter are looked at apart. */
const unique: ReadonlySet<string> = new Set([
  waitsAtAnnotation,
  reconcileAnnotation,
  inEffectAnnotation,
  bindingFamilies.namespace.idLabel,
  bindingFamilies.cluster.idLabel,
]);

/** The system's labels or annotations of an object. */
function marks(map: Keys | undefined): string {
  let text = '';
  for (const key in map) if (isSystemKey(key) && !unique.has(key)) text += `${key}=${map[key]} `;
  return text;
}

/** Not every kind counts its generations; of the others the Work has to say what the template says. */
function isRenderedFrom(template: KubeObject, { spec }: Work): boolean {
  const [manifest] = spec.workload.manifests;
  const { generation } = template.metadata;
  if (generation === undefined) return manifest !== undefined && saysAs(template, manifest);
  return manifest?.metadata.annotations?.[templateGenerationAnnotation] === String(generation);
}

/** Most templates travel as they are, and their own fingerprints are known already. */
function saysAs(template: KubeObject, manifest: KubeObject): boolean {
  const said = fingerprintOf(manifest);
  return said === fingerprintOf(template) || said === fingerprintOf(prune(template));
}

/** Is the template's content in effect, with nothing asked for? */
function isInEffect(template: KubeObject, binding: Binding): boolean {
  const inEffect = inEffectOf(binding);
  const asked = template.metadata.annotations?.[reconcileAnnotation];
  if (asked !== undefined && asked !== inEffect?.request) return false;
  return ownsBinding(template, binding) && inEffect?.template === fingerprintOf(template);
}

/** Is the binding on its way somewhere, or others' business too? */
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

function textOfBinding(binding: Binding): string {
  const { metadata, spec, status } = binding;
  const inEffect = inEffectOf(binding)?.template ?? '';
  const { resource: _, ...rest } = spec;
  const record = metadata.annotations?.[inEffectAnnotation]?.replace(inEffect, '');
  const texts = `${record} ${marks(metadata.labels)}${marks(metadata.annotations)}${metadata.finalizers?.join()}`;
  return `${texts} ${JSON.stringify(rest)} ${status?.schedulerObservingAffinityName} `;
}

/** What the scheduler reads of the template itself; who goes first among equals matters only where there is a choice. */
function textOfReplicas(template: KubeObject, specs: readonly (Pick<BindingSpec, 'placement'> | undefined)[]): string {
  const count = replicasOf(template);
  if (!count) return '';
  return `${JSON.stringify(count)} ${specs.some(isChoosing) ? tieOrderOf(template.metadata) : ''}`;
}

function isChoosing(spec: Pick<BindingSpec, 'placement'> | undefined): boolean {
  return Boolean(spec?.placement?.replicaScheduling || spec?.placement?.spreadConstraints?.length);
}
