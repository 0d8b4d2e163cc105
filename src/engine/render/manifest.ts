import {
  bindingFamilyOf,
  conflictResolutionAnnotation,
  executionNamespace,
  isSystemKey,
  managedAnnotationsAnnotation,
  managedLabel,
  managedLabelsAnnotation,
  policyFamilies,
  retainReplicasLabel,
  templateGenerationAnnotation,
  templateUidAnnotation,
  workIdLabel,
  workNameAnnotation,
  workNamespaceAnnotation,
} from '../../api/index.ts';
import type { Binding, Cluster, KubeObject, TargetCluster } from '../../api/index.ts';
import { uuidOf } from '../../base/index.ts';
import { inEffectOf, workNameOf } from '../claim/index.ts';
import type { Interpreted, Interpreter } from '../interpret/index.ts';
import { bindingIdOf } from '../match/index.ts';
import { overridden, rulesFor } from '../override/index.ts';
import type { ActiveOverride } from '../override/index.ts';
import type { Reason } from '../reasons.ts';
import { completionsOf, withCompletions } from './completions.ts';
import { prune } from './prune.ts';

type Keys = Readonly<Record<string, string>>;

/** The part that all Works of a binding share, made once for any number of clusters. */
export interface Blank {
  readonly template: KubeObject;
  readonly binding: Binding;
  readonly interpreter: Interpreter;
  readonly workName: string;
  readonly pruned: KubeObject;
  /** The labels and annotations that members get beside those of users. */
  readonly labels: Keys;
  readonly annotations: Keys;
  readonly conflictResolution: 'abort' | 'overwrite';
  /** The completions of a divided Job, by cluster. */
  readonly completions: ReadonlyMap<string, number>;
  /** The manifests that were made of it, by cluster. */
  readonly made: Map<string, Remembered>;
}

interface Remembered {
  readonly target: TargetCluster;
  readonly outcome: Made | NotMade;
}

const blanks = new WeakMap<Binding, Blank>();

/** Prepares the manifests of a binding; remembered, for a binding is looked at again while its Works come and go. */
export function blankOf(template: KubeObject, binding: Binding, interpreter: Interpreter): Blank {
  const known = blanks.get(binding);
  if (known?.template === template && known.interpreter === interpreter) return known;
  const blank = prepare(template, binding, interpreter);
  blanks.set(binding, blank);
  return blank;
}

function prepare(template: KubeObject, binding: Binding, interpreter: Interpreter): Blank {
  const pruned = prune(template);
  const conflictResolution = conflictResolutionOf(template, binding);
  const name = workNameOf(template, binding);
  const claim = claimInEffect(binding);
  return {
    template,
    binding,
    interpreter,
    workName: name,
    pruned,
    conflictResolution,
    completions: completionsOf(template, binding),
    labels: { ...claim.labels, ...bindingLabels(binding), [managedLabel]: 'true' },
    annotations: {
      ...claim.annotations,
      ...bindingAnnotations(binding),
      ...templateAnnotations(template),
      [workNameAnnotation]: name,
      [conflictResolutionAnnotation]: conflictResolution,
    },
    made: new Map(),
  };
}

/** The keys of a template that travel: the users'. The system's stay on the hub, but for the one that members heed. */
export function userKeys(map: Keys | undefined): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const key in map) if (!isSystemKey(key) || key === retainReplicasLabel) kept[key] = map[key] ?? '';
  return kept;
}

/**
 * A member object names the policy that is in effect for it, not the one that manages the template: a claim that
 * changes under a lazy policy, or is released, writes nothing to members.
 */
function claimInEffect(binding: Binding): { readonly labels: Keys; readonly annotations: Keys } {
  const policy = inEffectOf(binding)?.policy;
  if (!policy) return { labels: {}, annotations: {} };
  const family = policyFamilies[policy.kind === 'PropagationPolicy' ? 'namespace' : 'cluster'];
  return {
    labels: { [family.idLabel]: policy.id },
    annotations: {
      [family.nameAnnotation]: policy.name,
      ...(family.namespaceAnnotation && policy.namespace && { [family.namespaceAnnotation]: policy.namespace }),
    },
  };
}

/** The label by which Works and member objects name their binding. */
export function bindingLabels(binding: Binding): Keys {
  return { [bindingFamilyOf(binding).idLabel]: bindingIdOf(binding) ?? '' };
}

/** The annotations by which Works and member objects name their binding. */
export function bindingAnnotations(binding: Binding): Keys {
  const family = bindingFamilyOf(binding);
  const { name, namespace } = binding.metadata;
  return {
    [family.nameAnnotation]: name,
    ...(family.namespaceAnnotation && namespace && { [family.namespaceAnnotation]: namespace }),
  };
}

function templateAnnotations({ metadata }: KubeObject): Keys {
  return {
    ...(metadata.uid && { [templateUidAnnotation]: metadata.uid }),
    ...(metadata.generation && { [templateGenerationAnnotation]: String(metadata.generation) }),
  };
}

/** The template's own wish goes before the policy's. */
function conflictResolutionOf(template: KubeObject, binding: Binding): 'abort' | 'overwrite' {
  const wish = template.metadata.annotations?.[conflictResolutionAnnotation];
  if (wish === 'overwrite' || wish === 'abort') return wish;
  return binding.spec.conflictResolution === 'Overwrite' ? 'overwrite' : 'abort';
}

/** The permanent id of the Work of a binding in a member. */
export function workIdOf(binding: Binding, cluster: string): string {
  return uuidOf(`${bindingIdOf(binding)}/${cluster}`);
}

/** The object as it is to be in one member. */
export interface Made {
  readonly manifest: KubeObject;
  /** The notes of the Work about the overrides that were applied. */
  readonly notes: Keys;
}

/** Why there is no manifest, and no Work. */
export interface NotMade {
  readonly error: string;
  readonly because: Reason;
}

/** The object as it is to be in one member, or why it cannot be made; the very same answer when asked again without overrides. */
export function manifestFor(blank: Blank, target: TargetCluster, extras: Extras = {}): Made | NotMade {
  const { overriding, state, workId } = extras;
  if (overriding && isOverridden(overriding)) return madeFrom(blank, target, extras);
  if (state ?? workId) return madeFrom(blank, target, { state, workId });
  const known = blank.made.get(target.name);
  if (known && known.target.replicas === target.replicas) return known.outcome;
  const outcome = madeFrom(blank, target);
  blank.made.set(target.name, { target, outcome });
  return outcome;
}

const noNotes: Keys = {};

/** The parts of a manifest that not all clusters have. */
export interface Extras {
  readonly overriding?: Overriding | undefined;
  /** Labels with the state that the workload had in the cluster that it left. */
  readonly state?: Keys | undefined;
  /** The permanent id of the Work, where it has another one than Works get here: Karmada made it. */
  readonly workId?: string | undefined;
}

/** The overrides of a template, and the member for which they are looked at. */
export interface Overriding {
  readonly overrides: readonly ActiveOverride[];
  readonly cluster: Cluster;
}

function isOverridden({ overrides, cluster }: Overriding): boolean {
  return overrides.some((override) => rulesFor(override, cluster).length > 0);
}

/** Overrides see the object as it is on the hub, with the replicas of this member; the server's parts are taken off afterwards. */
function madeFrom(plain: Blank, target: TargetCluster, { overriding, state, workId }: Extras = {}): Made | NotMade {
  const blank = workId === undefined ? plain : { ...plain, labels: { ...plain.labels, [workIdLabel]: workId } };
  const { value: sized, error } = scaled(blank, overriding ? blank.template : blank.pruned, target);
  if (error !== undefined) return { error, because: 'InterpreterFailed' };
  const value = state ? withLabels(sized, state) : sized;
  if (!overriding) return { manifest: make(blank, target, value), notes: noNotes };
  const made = overridden(value, overriding.overrides, overriding.cluster);
  if ('error' in made) return { error: made.error, because: 'OverrideFailed' };
  return { manifest: make(blank, target, prune(made.object)), notes: made.annotations };
}

function withLabels(object: KubeObject, labels: Keys): KubeObject {
  return { ...object, metadata: { ...object.metadata, labels: { ...object.metadata.labels, ...labels } } };
}

function scaled(blank: Blank, object: KubeObject, target: TargetCluster): Interpreted<KubeObject> {
  if (target.replicas === undefined) return { value: object };
  const revised = blank.interpreter.reviseReplicas(object, target.replicas);
  return { ...revised, value: withCompletions(revised.value, blank.completions.get(target.name)) };
}

/** Lists that were made before: all templates of a kind have the same, and it is longer than many of them. */
const lists = new Map<string, string>();
const mostLists = 1000;

function listOf(keys: object): string {
  const list = Object.keys(keys).sort().join(',');
  const known = lists.get(list);
  if (known !== undefined) return known;
  if (lists.size >= mostLists) lists.clear();
  lists.set(list, list);
  return list;
}

function make(blank: Blank, target: TargetCluster, object: KubeObject): KubeObject {
  const { metadata } = object;
  const id = blank.labels[workIdLabel] ?? workIdOf(blank.binding, target.name);
  const labels = { ...userKeys(metadata.labels), ...blank.labels, [workIdLabel]: id };
  const annotations = {
    ...userKeys(metadata.annotations),
    ...blank.annotations,
    [workNamespaceAnnotation]: executionNamespace(target.name),
  };
  return { ...object, metadata: { ...metadata, ...managedKeys(labels, annotations) } };
}

/** Labels and annotations with the lists of their keys: a key that is not sent any more is removed in members, too. */
export function managedKeys(labels: Keys, annotations: Keys): { readonly labels: Keys; readonly annotations: Keys } {
  const all: Record<string, string> = {
    ...annotations,
    [managedLabelsAnnotation]: listOf(labels),
    [managedAnnotationsAnnotation]: '',
  };
  all[managedAnnotationsAnnotation] = listOf(all);
  return { labels, annotations: all };
}
