import {
  conflictResolutionAnnotation,
  executionNamespace,
  fitAnnotations,
  preservedStateAnnotation,
  suspendedRemovalAnnotation,
  workApi,
  workFinalizer,
  workIdLabel,
} from '../../api/index.ts';
import type { Binding, KubeObject, TargetCluster, Work } from '../../api/index.ts';
import { isObject } from '../../base/index.ts';
import { isPurgedFirst } from '../move/index.ts';
import { isForOldCopies, isSuspendedOn } from '../suspension/index.ts';
import { withoutNotes } from '../override/index.ts';
import type { Interpreter } from '../interpret/index.ts';
import type { RenderFacts } from './facts.ts';
import { bindingAnnotations, bindingLabels, manifestFor, workIdOf } from './manifest.ts';
import type { Blank, NotMade, Overriding } from './manifest.ts';

/** One Work to be made. */
export interface WorkOrder {
  readonly target: TargetCluster;
  readonly present: Work | undefined;
  readonly facts: RenderFacts;
}

/** The Work of a binding in one member, or why it cannot be made. */
export function workFor(blank: Blank, order: WorkOrder): { readonly work: Work } | NotMade {
  const { target, present, facts } = order;
  const state = stateFor(order);
  const made = manifestFor(blank, target, {
    overriding: overridingIn(facts, target.name),
    state,
    workId: idOfOther(blank, order),
  });
  if ('error' in made) return made;
  if (!fitAnnotations(made.manifest.metadata.annotations)) {
    return { error: 'the annotations of the object exceed 256 KiB', because: 'AnnotationsFull' };
  }
  const annotations = {
    ...withoutStale(present?.metadata.annotations),
    ...bindingAnnotations(blank.binding),
    [conflictResolutionAnnotation]: blank.conflictResolution,
    ...made.notes,
    ...(state && { [preservedStateAnnotation]: JSON.stringify(state) }),
  };
  return { work: assemble(blank, order, { manifest: made.manifest, annotations }) };
}

/**
 * The labels with the state that the workload had in the cluster that it left, for its only new cluster. The Work remembers
 * them when the eviction is over, so that the copy keeps them as long as it stays there.
 */
function stateFor({ target, present, facts }: WorkOrder): Readonly<Record<string, string>> | undefined {
  const text = present?.metadata.annotations?.[preservedStateAnnotation];
  return stateOfTask(facts.binding, target.name) ?? (text === undefined ? undefined : labelsIn(text));
}

function stateOfTask({ spec }: Binding, cluster: string): Readonly<Record<string, string>> | undefined {
  const task = spec.gracefulEvictionTasks?.at(-1);
  if (!task?.preservedLabelState || !isPurgedFirst(task)) return undefined;
  const isNew = spec.clusters?.length === 1 && !task.clustersBeforeFailover?.includes(cluster);
  return isNew ? task.preservedLabelState : undefined;
}

function labelsIn(text: string): Readonly<Record<string, string>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (!isObject(value)) return undefined;
    return Object.fromEntries(Object.entries(value).map(([key, label]) => [key, String(label)]));
  } catch {
    return undefined;
  }
}

function overridingIn({ overrides: { overrides }, clusters }: RenderFacts, name: string): Overriding | undefined {
  const cluster = overrides.length > 0 ? clusters.get(name) : undefined;
  return cluster && { overrides, cluster };
}

interface Parts {
  readonly manifest: KubeObject;
  readonly annotations: Readonly<Record<string, string>>;
}

function assemble(blank: Blank, { target, present, facts }: WorkOrder, { manifest, annotations }: Parts): Work {
  return {
    apiVersion: workApi,
    kind: 'Work',
    metadata: {
      ...present?.metadata,
      name: blank.workName,
      namespace: executionNamespace(target.name),
      labels: labelsFor(blank, target.name, present),
      annotations,
      finalizers: present?.metadata.finalizers ?? [workFinalizer],
    },
    spec: {
      workload: { manifests: [manifest] },
      suspendDispatching: isSuspendedOn(facts.suspensions, target.name),
      preserveResourcesOnDeletion: isPreserved(blank, { target, present, facts }),
    },
    ...(present?.status && { status: present.status }),
  };
}

/**
 * A dependency that leaves with an old copy is preserved or deleted as its placement said, like the old copy itself.
 */
function isPreserved({ binding }: Blank, { target, present, facts }: WorkOrder): boolean {
  if (present && isForOldCopies(facts.suspensions, target.name))
    return present.spec.preserveResourcesOnDeletion ?? false;
  return binding.spec.preserveResourcesOnDeletion ?? false;
}

/** The permanent id of a Work that Karmada made; undefined where it is the one that Works get here. */
function idOfOther({ binding }: Blank, { target, present }: WorkOrder): string | undefined {
  const id = present?.metadata.labels?.[workIdLabel];
  return id === workIdOf(binding, target.name) ? undefined : id;
}

function labelsFor({ binding }: Blank, cluster: string, present: Work | undefined): Readonly<Record<string, string>> {
  const id = present?.metadata.labels?.[workIdLabel] ?? workIdOf(binding, cluster);
  return { ...present?.metadata.labels, ...bindingLabels(binding), [workIdLabel]: id };
}

function withoutStale(annotations: Readonly<Record<string, string>> | undefined): Record<string, string> {
  const { [suspendedRemovalAnnotation]: _, ...others } = withoutNotes(annotations);
  return others;
}

/** A Work whose removal is suspended: nothing more is sent, and it says so. */
export function keptWork(work: Work): Work {
  if (work.spec.suspendDispatching && work.metadata.annotations?.[suspendedRemovalAnnotation]) return work;
  return {
    ...work,
    metadata: { ...work.metadata, annotations: { ...work.metadata.annotations, [suspendedRemovalAnnotation]: 'true' } },
    spec: { ...work.spec, suspendDispatching: true },
  };
}

/** A Work that a move keeps for now, free to be dispatched: as it is, with no more than this many replicas. */
export function leavingWork(work: Work, replicas: number | undefined, interpreter: Interpreter): Work {
  const { [suspendedRemovalAnnotation]: suspendedAt, ...annotations } = work.metadata.annotations ?? {};
  const manifests = replicas === undefined ? work.spec.workload.manifests : lowered(work, replicas, interpreter);
  if (manifests === work.spec.workload.manifests && suspendedAt === undefined && !work.spec.suspendDispatching)
    return work;
  const spec = { ...work.spec, workload: { manifests }, suspendDispatching: false };
  return { ...work, metadata: { ...work.metadata, annotations }, spec };
}

/** The manifests with fewer replicas; the very same list when they have no more than that. */
function lowered({ spec }: Work, replicas: number, interpreter: Interpreter): readonly KubeObject[] {
  const { manifests } = spec.workload;
  const isMore = manifests.some((manifest) => (interpreter.replicas(manifest).value?.replicas ?? 0) > replicas);
  return isMore ? manifests.map((manifest) => interpreter.reviseReplicas(manifest, replicas).value) : manifests;
}
