import {
  bindingName,
  bindingRef,
  claimedByLabel,
  distinctBindingName,
  distinctWorkName,
  groupOf,
  isOwnApi,
  isSystemNamespace,
  keyOf,
  memberOfNamespace,
  overrideFamilies,
  policyApi,
  reconcileAnnotation,
  suspendedRemovalAnnotation,
  scopeOf,
  waitsAtAnnotation,
  workName,
} from '../../api/index.ts';
import type {
  Binding,
  Gates,
  KubeObject,
  Policy,
  PriorityClass,
  Ref,
  TargetCluster,
  View,
  Work,
} from '../../api/index.ts';
import { remembering } from '../../base/index.ts';
import { interpreterOf } from '../interpret/index.ts';
import type { Interpreter } from '../interpret/index.ts';
import { candidatesOf, policiesNear, worksKey } from '../match/index.ts';
import type { Candidate } from '../match/index.ts';
import { isBuiltinObject } from './builtin-objects.ts';
import { isFingerprintOf } from './fingerprint.ts';
import { claimOf, inEffectOf, isClaimOf, policyIdOf } from './records.ts';
import type { Claim, InEffect } from './records.ts';

/** All that the claim of one template depends on. */
export interface ClaimFacts {
  readonly template: KubeObject;
  /** The policies that select the template and can manage it, best first. */
  readonly candidates: readonly Candidate[];
  /** The claim that is recorded on the template. */
  readonly claim: Claim | undefined;
  /** The policy that the claim names still exists, whether or not it selects the template. */
  readonly claimantExists: boolean;
  /** The candidate that the claim names; undefined when it is gone or no longer selects the template. */
  readonly managing: Candidate | undefined;
  readonly binding: Binding | undefined;
  /** The name of the binding, whether it exists or not. */
  readonly bindingName: string;
  readonly inEffect: InEffect | undefined;
  /** Where its Works are, when its binding is gone although nobody wished that. */
  readonly places: readonly TargetCluster[];
  /** Candidates whose dependentOverrides do not all exist. */
  readonly lackingOverrides: ReadonlySet<Policy>;
  /** The values of the PriorityClasses that candidates name; undefined where the class does not exist. */
  readonly priorities: ReadonlyMap<Policy, number | undefined>;
  readonly interpreter: Interpreter;
  readonly gates: Gates;
  /** RFC 3339. */
  readonly now: string;
}

/** Gathers the facts; undefined when the template does not exist. */
export function gatherClaim(view: View, key: string): ClaimFacts | undefined {
  const template = view.get(key);
  if (!template) return undefined;
  const candidates = isPropagated(template) ? candidatesOf(policiesNear(view, template), template) : [];
  const eligible = candidates.every(isIdentified) ? candidates : candidates.filter(isIdentified);
  const claim = claimOf(template);
  const ref = bindingRefIn(view, template);
  const binding = view.get(keyOf(ref)) as Binding | undefined;
  return {
    template,
    candidates: eligible,
    claim,
    claimantExists: claim !== undefined && claimantOf(view, claim) !== undefined,
    managing: claim && eligible.find((candidate) => isClaimOf(claim, candidate.policy)),
    binding,
    bindingName: ref.name,
    inEffect: inEffectOf(binding),
    places: binding ? nowhere : placesOf(view, template),
    lackingOverrides: lackingOverrides(view, eligible),
    priorities: prioritiesOf(view, eligible),
    interpreter: interpreterOf(view, template),
    gates: view.gates,
    now: view.now,
  };
}

/**
 * Claims name their policy by its id. Admission gives it one; a policy that got past admission manages nothing until it
 * has it.
 */
const isIdentified = ({ policy }: Candidate): boolean => Boolean(policyIdOf(policy));

/** The policy that a claim names, unless it is gone, leaving, or another one of the same name. */
export function claimantOf(view: View, claim: Claim): Policy | undefined {
  const { family, name, namespace } = claim;
  const ref = { apiVersion: policyApi, kind: family.kind, ...(namespace && { namespace }), name };
  const policy = view.get(keyOf(ref)) as Policy | undefined;
  return policy && isClaimOf(claim, policy) && !policy.metadata.deletionTimestamp ? policy : undefined;
}

const systemGroups: ReadonlySet<string> = new Set(['events.k8s.io', 'coordination.k8s.io']);

/** Tells whether an object of this kind and namespace can be a template. */
export function isPropagated(template: KubeObject): boolean {
  return isTemplateKind(template) && !isSystemNamespace(template.metadata.namespace) && !isBuiltinObject(template);
}

/** Tells whether objects of this kind can be templates. Events, leases and our own kinds cannot. */
export function isTemplateKind({ apiVersion, kind }: Pick<Ref, 'apiVersion' | 'kind'>): boolean {
  return hasTemplates(apiVersion) && !(kind === 'Event' && groupOf(apiVersion) === '');
}

const hasTemplates = remembering(
  (apiVersion: string) => !isOwnApi(apiVersion) && !systemGroups.has(groupOf(apiVersion)),
);

/** The reference of the binding that a template gets when no other object has one of that name. */
export function bindingRefOf(template: KubeObject): Ref {
  const { name, namespace } = template.metadata;
  return bindingRef({ namespace, name: bindingName({ kind: template.kind, name }) });
}

/**
 * The reference of the binding of a template, or of the one that it is to get. Two objects can have one plain name for
 * their bindings (`Reader` and `reader`, one kind in two groups): the first has it, the other one gets a hash.
 */
export function bindingRefIn(view: View, template: KubeObject): Ref {
  const plain = bindingRefOf(template);
  const found = view.get(keyOf(plain)) as Binding | undefined;
  if (found && isAbout(found, template)) return plain;
  const { apiVersion, kind, metadata } = template;
  const name = distinctBindingName({ apiVersion, kind, name: metadata.name });
  const distinct = bindingRef({ namespace: metadata.namespace, name });
  return found || view.get(keyOf(distinct)) ? distinct : plain;
}

/** Tells whether the binding is for an object of this kind and name. */
function isAbout({ spec: { resource } }: Binding, { apiVersion, kind, metadata }: KubeObject): boolean {
  return (
    resource.name === metadata.name && resource.kind === kind && groupOf(resource.apiVersion) === groupOf(apiVersion)
  );
}

/** The binding of a template; it may belong to a predecessor of the same name (see `ownsBinding`). */
export function bindingOf(view: View, template: KubeObject): Binding | undefined {
  return view.get(keyOf(bindingRefIn(view, template))) as Binding | undefined;
}

/** The name of the Works of a template. */
export function workNameOf(template: KubeObject, binding: Pick<Binding, 'metadata'> | undefined): string {
  const { kind, metadata } = template;
  const isPlain = !binding || binding.metadata.name === bindingName({ kind, name: metadata.name });
  return isPlain ? workName({ kind, ...metadata }) : distinctWorkName(binding.metadata);
}

/** Tells whether the binding belongs to this very template, not to a deleted one or one that shares the name. */
export function ownsBinding(template: KubeObject, binding: Binding): boolean {
  const owner = binding.metadata.ownerReferences?.find((reference) => reference.controller);
  return owner === undefined ? isAbout(binding, template) : owner.uid === template.metadata.uid;
}

/** The template of a binding; undefined when it is gone, or when its name now belongs to another object. */
export function templateOf(view: View, binding: Binding): KubeObject | undefined {
  const named = view.get(keyOf(binding.spec.resource));
  return named && ownsBinding(named, binding) ? named : undefined;
}

const nowhere: readonly TargetCluster[] = [];

/** The clusters and replicas that the Works of a template show; a Work that is being deleted shows nothing. */
function placesOf(view: View, template: KubeObject): readonly TargetCluster[] {
  const { uid } = template.metadata;
  if (!uid) return nowhere;
  const interpreter = interpreterOf(view, template);
  const places: TargetCluster[] = [];
  view.each(worksKey(uid), (object) => {
    const work = object as Work;
    const name = memberOfNamespace(work.metadata.namespace);
    if (!name || work.metadata.deletionTimestamp || work.metadata.annotations?.[suspendedRemovalAnnotation]) return;
    const manifest = work.spec.workload.manifests[0];
    const replicas = manifest && interpreter.replicas(manifest).value?.replicas;
    places.push({ name, ...(replicas !== undefined && { replicas }) });
  });
  return places.sort((a, b) => (a.name < b.name ? -1 : 1));
}

const none: ReadonlySet<Policy> = new Set();

function lackingOverrides(view: View, candidates: readonly Candidate[]): ReadonlySet<Policy> {
  const demanding = candidates.filter(({ policy }) => policy.spec.dependentOverrides?.length);
  if (demanding.length === 0) return none;
  return new Set(demanding.map(({ policy }) => policy).filter((policy) => !hasOverrides(view, policy)));
}

const noPriorities: ReadonlyMap<Policy, number | undefined> = new Map();

function prioritiesOf(view: View, candidates: readonly Candidate[]): ClaimFacts['priorities'] {
  const asking = candidates.filter(({ policy }) => policy.spec.schedulePriority);
  if (asking.length === 0 || !view.gates.PriorityBasedScheduling) return noPriorities;
  return new Map(
    asking.map(({ policy }) => {
      const name = policy.spec.schedulePriority?.priorityClassName ?? '';
      const found: PriorityClass | undefined = view.get(keyOf({ ...priorityClassKind, name }));
      return [policy, found && (found.value ?? 0)];
    }),
  );
}

/** The kind of the classes from which bindings get their priority. */
export const priorityClassKind = { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass' } as const;

function hasOverrides(view: View, policy: Policy): boolean {
  const { kind } = overrideFamilies[scopeOf(policy)];
  const { namespace } = policy.metadata;
  return (
    policy.spec.dependentOverrides?.every((name) =>
      view.get(keyOf({ apiVersion: policyApi, kind, ...(namespace && { namespace }), name })),
    ) === true
  );
}

/** Tells whether another controller owns this template. */
export function isClaimedElsewhere(template: KubeObject): boolean {
  return Boolean(template.metadata.labels?.[claimedByLabel]);
}

/** The content at which the claim waits, if it was made to wait. */
export function waitsAt(template: KubeObject): string | undefined {
  return template.metadata.annotations?.[waitsAtAnnotation];
}

/** A request to take up what is pending that the binding has not honoured yet. */
export function openRequest(facts: ClaimFacts): string | undefined {
  const request = facts.template.metadata.annotations?.[reconcileAnnotation];
  return request && request !== facts.inEffect?.request ? request : undefined;
}

/**
 * Tells whether the template has content that no binding reflects and that is not recorded as pending. This predicate
 * is the whole of laziness: a restart, a relist or a crash changes none of its facts.
 */
export function isUnhandled(facts: ClaimFacts): boolean {
  if (openRequest(facts)) return true;
  if (isWaiting(facts)) return false;
  const { template, inEffect, claim } = facts;
  if (!isFingerprintOf(inEffect?.template, template)) return true;
  const isNoted = waitsAt(template) !== undefined && !facts.gates.StaticPolicy;
  return isNoted && inEffect?.policy.id !== claim?.id;
}

/**
 * Static policies do not wait for templates that no policy manages: the next policy takes them at once (proposal 2,
 * test case 6).
 */
function isWaiting(facts: ClaimFacts): boolean {
  if (!isFingerprintOf(waitsAt(facts.template), facts.template)) return false;
  return !facts.gates.StaticPolicy || facts.claim !== undefined;
}
