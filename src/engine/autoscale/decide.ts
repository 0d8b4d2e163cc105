import { keyOf, refOf, retainReplicasLabel, scaledByAnnotation } from '../../api/index.ts';
import type { Binding, KubeObject, Settings, View } from '../../api/index.ts';
import { at } from '../../base/index.ts';
import { bindingOf, claimOf, decideClaim, gatherClaim } from '../claim/index.ts';
import { act, rest } from '../decision.ts';
import type { Action, Decision } from '../decision.ts';
import { namespaceKey } from '../match/index.ts';
import { isDivided } from '../schedule/index.ts';

/** All that the autoscaling of one template depends on. */
export interface AutoscaleFacts {
  readonly template: KubeObject;
  /** The name of a propagated autoscaler that scales the template. */
  readonly scaler: string | undefined;
  readonly binding: Binding | undefined;
  /** A change of its policy or of itself waits, or is about to be taken up. */
  readonly isSettled: boolean;
  readonly settings: Pick<Settings, 'hpaScaleTargetMarker' | 'deploymentReplicasSyncer'>;
}

/** `mark` says on a template that members keep their replicas, or no longer do; `sync` takes their replicas over. */
export type AutoscaleAction = Action<'mark' | 'sync'>;

const autoscalers = 'autoscaling/v2|HorizontalPodAutoscaler';

/** Gathers the facts; undefined when the template is gone, or while both switches are off. */
export function gatherAutoscale(view: View, key: string): AutoscaleFacts | undefined {
  const { settings } = view;
  if (!settings.hpaScaleTargetMarker && !settings.deploymentReplicasSyncer) return undefined;
  const template = view.get(key);
  if (!template) return undefined;
  const claim = gatherClaim(view, key);
  const decided = claim && decideClaim(claim);
  return {
    template,
    scaler: scalerOf(view, template),
    binding: bindingOf(view, template),
    isSettled: decided?.because === 'UpToDate' && decided.actions.length === 0,
    settings,
  };
}

function scalerOf(view: View, template: KubeObject): string | undefined {
  const names: string[] = [];
  view.each(namespaceKey(autoscalers, template.metadata.namespace ?? ''), (scaler) => {
    if (claimOf(scaler) && targetKeyOf(scaler) === keyOf(refOf(template))) names.push(scaler.metadata.name);
  });
  return names.sort()[0];
}

/** The key of the template that an autoscaler scales. */
export function targetKeyOf(scaler: KubeObject): string | undefined {
  const [apiVersion, kind, name] = ['apiVersion', 'kind', 'name'].map((part) =>
    at(scaler, ['spec', 'scaleTargetRef', part]),
  );
  if (typeof apiVersion !== 'string' || typeof kind !== 'string' || typeof name !== 'string') return undefined;
  const { namespace } = scaler.metadata;
  return keyOf({ apiVersion, kind, name, ...(namespace && { namespace }) });
}

/** Do members scale this template, and to how many replicas? */
export function decideAutoscale(facts: AutoscaleFacts): Decision<AutoscaleAction> {
  if (facts.template.metadata.deletionTimestamp) return rest('UpToDate');
  return marked(facts) ?? synced(facts);
}

/** Only a mark that was made here is taken off again. */
function marked({ template, scaler, settings }: AutoscaleFacts): Decision<AutoscaleAction> | undefined {
  const { labels = {}, annotations = {} } = template.metadata;
  if (!settings.hpaScaleTargetMarker || annotations[scaledByAnnotation] === scaler) return undefined;
  const { [retainReplicasLabel]: _, ...otherLabels } = labels;
  const { [scaledByAnnotation]: __, ...otherAnnotations } = annotations;
  const metadata = {
    ...template.metadata,
    labels: scaler === undefined ? otherLabels : { ...labels, [retainReplicasLabel]: 'true' },
    annotations: scaler === undefined ? otherAnnotations : { ...annotations, [scaledByAnnotation]: scaler },
  };
  return act('ScaledByMembers', { do: 'mark', write: { verb: 'update', object: { ...template, metadata } } });
}

/**
 * Replicas of a divided Deployment that its members scale are taken over once all of them have reported what they were given.
 * A pending change waits for the user's next edit, which this is not.
 */
function synced({ template, binding, isSettled, settings }: AutoscaleFacts): Decision<AutoscaleAction> {
  if (!settings.deploymentReplicasSyncer || !isScaledDeployment(template)) return rest('UpToDate');
  const [wanted, reported] = [at(template, ['spec', 'replicas']), at(template, ['status', 'replicas'])];
  if (!binding || !isDividedNow(binding) || wanted === reported) return rest('UpToDate');
  if (!isSettled || wanted !== binding.spec.replicas || reported !== reportedBy(binding))
    return rest('ReplicasAwaited');
  const spec = { ...(template as KubeObject & { readonly spec: object }).spec, replicas: reported };
  const object = { ...template, spec } as KubeObject;
  return act('ReplicasTakenOver', { do: 'sync', write: { verb: 'update', object } });
}

function isScaledDeployment({ apiVersion, kind, metadata }: KubeObject): boolean {
  if (apiVersion !== 'apps/v1' || kind !== 'Deployment') return false;
  return metadata.labels?.[retainReplicasLabel] === 'true';
}

function isDividedNow({ spec }: Binding): boolean {
  return spec.placement !== undefined && isDivided(spec.placement);
}

/** The replicas of all members; undefined until each of them has reported some. */
function reportedBy({ metadata, spec, status }: Binding): number | undefined {
  const { aggregatedStatus = [], schedulerObservedGeneration } = status ?? {};
  if (schedulerObservedGeneration !== metadata.generation || aggregatedStatus.length !== spec.clusters?.length)
    return undefined;
  const counts = aggregatedStatus.map((item) => at(item, ['status', 'replicas']));
  const isComplete = counts.every((count) => typeof count === 'number' && count > 0);
  return isComplete ? (counts as number[]).reduce((sum, count) => sum + count, 0) : undefined;
}
