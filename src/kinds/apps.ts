import { forbiddenField, notSupported } from '../api/index.ts';
import type { FieldError, KubeObject } from '../api/index.ts';
import { equal } from '../base/index.ts';
import type { Draft, Part } from './draft.ts';
import { fill, ownPart, partsOf, specOf, textOf } from './part.ts';
import { defaultTemplate } from './poddefaults.ts';
import type { Strategy } from './strategy.ts';
import { alwaysRestarted, countErrors, immutableErrors, templateErrors } from './workload.ts';

const history = { revisionHistoryLimit: 10 };

function rolling(spec: Part, name: string, details: Readonly<Record<string, unknown>>): void {
  const strategy = ownPart(spec, name);
  fill(strategy, { type: 'RollingUpdate' });
  if (strategy['type'] === 'RollingUpdate') fill(ownPart(strategy, 'rollingUpdate'), details);
}

/** The errors of any of these workloads, and which of its numbers must not be negative. */
function workloadErrors(draft: Draft, what: string, counts: readonly string[]): FieldError[] {
  return [...templateErrors(draft, what), ...alwaysRestarted(draft), ...countErrors(draft, counts)];
}

const keepsSelector = (draft: Draft, old: KubeObject): FieldError[] => immutableErrors(draft, old, ['selector']);

const deployments: Strategy = {
  generation: true,
  defaults(draft) {
    const spec = ownPart(draft, 'spec');
    fill(spec, { replicas: 1, ...history, progressDeadlineSeconds: 600 });
    rolling(spec, 'strategy', { maxUnavailable: '25%', maxSurge: '25%' });
    defaultTemplate(spec);
  },
  validate: (draft) => [
    ...workloadErrors(draft, 'deployment', [
      'replicas',
      'minReadySeconds',
      'revisionHistoryLimit',
      'progressDeadlineSeconds',
    ]),
    ...strategyErrors(draft),
  ],
  validateUpdate: keepsSelector,
};

function strategyErrors(draft: Draft): FieldError[] {
  const strategy = specOf(draft)['strategy'] as Part | undefined;
  const type = textOf(strategy, 'type');
  if (type !== 'Recreate' && type !== 'RollingUpdate') {
    const shown = { Type: type, RollingUpdate: strategy?.['rollingUpdate'] ?? null };
    return [notSupported('spec.strategy', shown, ['Recreate', 'RollingUpdate'])];
  }
  if (type !== 'Recreate' || strategy?.['rollingUpdate'] === undefined) return [];
  const detail = "may not be specified when strategy `type` is 'Recreate'";
  return [forbiddenField('spec.strategy.rollingUpdate', detail)];
}

const replicaSets: Strategy = {
  generation: true,
  initialStatus: { replicas: 0 },
  defaults(draft) {
    const spec = ownPart(draft, 'spec');
    fill(spec, { replicas: 1 });
    defaultTemplate(spec);
  },
  validate: (draft) => workloadErrors(draft, 'deployment', ['replicas', 'minReadySeconds']),
  validateUpdate: keepsSelector,
};

/** How the first DaemonSets counted the changes of their template; clients may still look at it. */
const templateGeneration = 'deprecated.daemonset.template.generation';

const daemonSets: Strategy = {
  generation: true,
  initialStatus: { currentNumberScheduled: 0, numberMisscheduled: 0, desiredNumberScheduled: 0, numberReady: 0 },
  defaults(draft) {
    const spec = ownPart(draft, 'spec');
    fill(spec, history);
    rolling(spec, 'updateStrategy', { maxSurge: 0, maxUnavailable: 1 });
    defaultTemplate(spec);
    draft.metadata.annotations = { [templateGeneration]: '1', ...draft.metadata.annotations };
  },
  prepareUpdate(draft, old) {
    const before = old.metadata.annotations?.[templateGeneration] ?? '1';
    const changed = !equal(specOf(draft)['template'], specOf(old)['template']);
    const count = changed ? String(Number(before) + 1) : before;
    draft.metadata.annotations = { ...draft.metadata.annotations, [templateGeneration]: count };
  },
  validate: (draft) => workloadErrors(draft, 'daemonset', ['minReadySeconds', 'revisionHistoryLimit']),
  validateUpdate: keepsSelector,
};

const statefulSets: Strategy = {
  generation: true,
  initialStatus: { replicas: 0, availableReplicas: 0 },
  defaults(draft) {
    const spec = ownPart(draft, 'spec');
    fill(spec, { replicas: 1, podManagementPolicy: 'OrderedReady', ...history });
    rolling(spec, 'updateStrategy', { partition: 0 });
    fill(ownPart(spec, 'persistentVolumeClaimRetentionPolicy'), { whenDeleted: 'Retain', whenScaled: 'Retain' });
    defaultTemplate(spec);
    for (const claim of partsOf(spec, 'volumeClaimTemplates')) {
      fill(claim, { apiVersion: 'v1', kind: 'PersistentVolumeClaim' });
      fill(ownPart(claim, 'spec'), { volumeMode: 'Filesystem' });
      fill(ownPart(claim, 'status'), { phase: 'Pending' });
    }
  },
  validate: (draft) => workloadErrors(draft, 'statefulset', ['replicas', 'minReadySeconds', 'revisionHistoryLimit']),
  validateUpdate: statefulSetChangeErrors,
};

const changeable = new Set([
  'replicas',
  'ordinals',
  'template',
  'updateStrategy',
  'revisionHistoryLimit',
  'persistentVolumeClaimRetentionPolicy',
  'minReadySeconds',
]);

function statefulSetChangeErrors(draft: Draft, old: KubeObject): FieldError[] {
  const [spec, before] = [specOf(draft), specOf(old)];
  const names = [...new Set([...Object.keys(spec), ...Object.keys(before)])];
  if (names.every((name) => changeable.has(name) || equal(spec[name], before[name]))) return [];
  const detail =
    "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden";
  return [forbiddenField('spec', detail)];
}

const controllerRevisions: Strategy = {};

/** The group apps. */
export const apps: Readonly<Record<string, Strategy>> = {
  'apps/controllerrevisions': controllerRevisions,
  'apps/daemonsets': daemonSets,
  'apps/deployments': deployments,
  'apps/replicasets': replicaSets,
  'apps/statefulsets': statefulSets,
};
