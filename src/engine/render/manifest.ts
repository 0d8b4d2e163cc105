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
import type { Binding, KubeObject, TargetCluster } from '../../api/index.ts';
import { uuidOf } from '../../base/index.ts';
import { inEffectOf, workNameOf } from '../claim/index.ts';
import type { Answer, Interpreter } from '../interpret/index.ts';
import { bindingIdOf } from '../match/index.ts';
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
  readonly labels: Keys;
  readonly annotations: Keys;
  readonly conflictResolution: 'abort' | 'overwrite';
  /** The completions of a divided Job, by cluster. */
  readonly completions: ReadonlyMap<string, number>;
  /** The manifests that were made of it, by cluster. */
  readonly made: Map<string, Made>;
}

interface Made {
  readonly target: TargetCluster;
  readonly manifest: Answer<KubeObject>;
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
    labels: { ...userKeys(pruned.metadata.labels), ...claim.labels, ...bindingLabels(binding), [managedLabel]: 'true' },
    annotations: {
      ...userKeys(pruned.metadata.annotations),
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

/** The object as it is to stand in one member, before overrides; the very same answer when asked again. */
export function manifestFor(blank: Blank, target: TargetCluster): Answer<KubeObject> {
  const known = blank.made.get(target.name);
  if (known && known.target.replicas === target.replicas) return known.manifest;
  const manifest = make(blank, target);
  blank.made.set(target.name, { target, manifest });
  return manifest;
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

function make(blank: Blank, target: TargetCluster): Answer<KubeObject> {
  const labels = { ...blank.labels, [workIdLabel]: workIdOf(blank.binding, target.name) };
  const annotations: Record<string, string> = {
    ...blank.annotations,
    [workNamespaceAnnotation]: executionNamespace(target.name),
    [managedLabelsAnnotation]: listOf(labels),
    [managedAnnotationsAnnotation]: '',
  };
  annotations[managedAnnotationsAnnotation] = listOf(annotations);
  const manifest = { ...blank.pruned, metadata: { ...blank.pruned.metadata, labels, annotations } };
  if (target.replicas === undefined) return { value: manifest };
  const revised = blank.interpreter.reviseReplicas(manifest, target.replicas);
  return { ...revised, value: withCompletions(revised.value, blank.completions.get(target.name)) };
}
