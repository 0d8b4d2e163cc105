import { forbiddenField, invalidValue } from '../api/index.ts';
import type { FieldError, KubeObject } from '../api/index.ts';
import { clone, equal } from '../base/index.ts';
import type { Draft, Part } from './draft.ts';
import { fill, numberOf, ownPart, partOf, partsOf, specOf, textOf } from './part.ts';
import { defaultPod, defaultPodSpec } from './poddefaults.ts';
import { podSpecErrors } from './podvalidate.ts';
import type { Strategy, StrategyParts } from './strategy.ts';

const nodesResource = { group: '', plural: 'nodes' };
const over = new Set(['Succeeded', 'Failed']);

/** A pod waits for the kubelet of its node to stop its containers; where there is no such node, nobody would come. */
function graceOf(pod: KubeObject, asked: number | undefined, { objects }: StrategyParts): number {
  const spec = specOf(pod);
  const node = textOf(spec, 'nodeName');
  if (!node || over.has(textOf(partOf(pod, 'status'), 'phase'))) return 0;
  if (!objects.get(nodesResource, '', node)) return 0;
  return asked ?? numberOf(spec, 'terminationGracePeriodSeconds') ?? 30;
}

const counted = ['cpu', 'memory'];

/** Guaranteed when every container is limited to what it requests, BestEffort when none asks for anything. */
export function qosOf(spec: Part): string {
  const containers = [...partsOf(spec, 'initContainers'), ...partsOf(spec, 'containers')];
  const all = containers.map((one) => partOf(one, 'resources'));
  if (!all.some(asksForSome)) return 'BestEffort';
  return all.every(isFixed) ? 'Guaranteed' : 'Burstable';
}

function asksForSome(resources: Part): boolean {
  return counted.some((name) => partOf(resources, 'requests')[name] ?? partOf(resources, 'limits')[name]);
}

function isFixed(resources: Part): boolean {
  return counted.every((name) => {
    const limit = partOf(resources, 'limits')[name];
    return limit !== undefined && equal(limit, partOf(resources, 'requests')[name] ?? limit);
  });
}

/** Defaults and rules of Pods. */
export const pods: Strategy = {
  generation: true,
  defaults(draft) {
    const spec = ownPart(draft, 'spec');
    defaultPodSpec(spec);
    defaultPod(spec);
  },
  prepareCreate(draft) {
    settle(ownPart(draft, 'spec'));
    draft['status'] = { phase: 'Pending', qosClass: qosOf(specOf(draft)) };
  },
  validate: (draft) => [...podSpecErrors(specOf(draft), 'spec'), ...imageErrors(specOf(draft))],
  validateUpdate: changeErrors,
  grace: graceOf,
};

function imageErrors(spec: Part): FieldError[] {
  return partsOf(spec, 'containers').flatMap((container, i) => {
    const image = textOf(container, 'image');
    if (image.trim() === image) return [];
    return [invalidValue(`spec.containers[${i}].image`, image, 'must not have leading or trailing whitespace')];
  });
}

/** A pod leaves a node that is lost after five minutes, and counts as much as any other, unless it says otherwise. */
function settle(spec: Part): void {
  fill(spec, { priority: 0, preemptionPolicy: 'PreemptLowerPriority' });
  const tolerations = partsOf(spec, 'tolerations');
  for (const key of lostNode) {
    const isTolerated = tolerations.some(
      (one) => (one['key'] ?? key) === key && (one['effect'] ?? noExecute) === noExecute,
    );
    if (!isTolerated) tolerations.push({ key, operator: 'Exists', effect: noExecute, tolerationSeconds: 300 });
  }
  spec['tolerations'] = tolerations;
}

const noExecute = 'NoExecute';
const lostNode = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'];

const frozenWords =
  'pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,' +
  '`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)';

/** Almost everything of a pod is fixed once it exists. */
function changeErrors(draft: Draft, old: KubeObject): FieldError[] {
  const [spec, before] = [specOf(draft), specOf(old)];
  const errors = deadlineErrors(spec, before);
  if (!keepsTolerations(spec, before)) {
    const detail = 'existing toleration can not be modified except its tolerationSeconds';
    errors.push(forbiddenField('spec.tolerations', detail));
  }
  if (!equal(fixedPart(spec), fixedPart(before))) errors.push(forbiddenField('spec', frozenWords));
  return errors;
}

function deadlineErrors(spec: Part, before: Part): FieldError[] {
  const [now, then] = [numberOf(spec, 'activeDeadlineSeconds'), numberOf(before, 'activeDeadlineSeconds')];
  if (now === then || then === undefined) return [];
  if (now !== undefined && now <= then) return [];
  return [invalidValue('spec.activeDeadlineSeconds', now, 'must be less than or equal to previous value')];
}

function keepsTolerations(spec: Part, before: Part): boolean {
  const now = partsOf(spec, 'tolerations').map(withoutSeconds);
  return partsOf(before, 'tolerations').every((old) => now.some((one) => equal(one, withoutSeconds(old))));
}

function withoutSeconds(toleration: Part): Part {
  const { tolerationSeconds: _, ...rest } = toleration;
  return rest;
}

function fixedPart(spec: Part): Part {
  const { activeDeadlineSeconds: _a, tolerations: _t, terminationGracePeriodSeconds: _g, ...rest } = clone(spec);
  // The binding subresource and scheduling gates write these.
  for (const name of ['containers', 'initContainers'])
    for (const container of partsOf(rest, name)) delete container['image'];
  return rest;
}
