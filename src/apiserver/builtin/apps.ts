import { forbiddenField } from '../../api/index.ts';
import type { FieldError, KubeObject } from '../../api/index.ts';
import { equal } from '../../base/index.ts';
import type { Draft, Part } from '../draft.ts';
import type { Strategy } from '../strategy.ts';
import { fill, ownPart, partsOf, specOf, textOf } from './part.ts';
import { defaultTemplate } from './poddefaults.ts';
import { alwaysRestarted, countErrors, immutableErrors, templateErrors } from './workload.ts';

const history = { revisionHistoryLimit: 10 };

function rolling(spec: Part, name: string, details: Readonly<Record<string, unknown>>): void {
  const strategy = ownPart(spec, name);
  fill(strategy, { type: 'RollingUpdate' });
  if (strategy['type'] === 'RollingUpdate') fill(ownPart(strategy, 'rollingUpdate'), details);
}

const deployments: Strategy = {
  generation: true,
  defaults(draft) {
    const spec = ownPart(draft, 'spec');
    fill(spec, { replicas: 1, ...history, progressDeadlineSeconds: 600 });
    rolling(spec, 'strategy', { maxUnavailable: '25%', maxSurge: '25%' });
    defaultTemplate(spec);
  },
  validate: (draft) => [
    ...templateErrors(draft, 'deployment'),
    ...alwaysRestarted(draft),
    ...countErrors(draft, ['replicas', 'minReadySeconds', 'revisionHistoryLimit', 'progressDeadlineSeconds']),
    ...strategyErrors(draft),
  ],
  validateUpdate: (draft, old) => immutableErrors(draft, old, ['selector']),
};

function strategyErrors(draft: Draft): FieldError[] {
  const strategy = specOf(draft)['strategy'] as Part | undefined;
  if (textOf(strategy, 'type') !== 'Recreate' || strategy?.['rollingUpdate'] === undefined) return [];
  const detail = "may not be specified when strategy `type` is 'Recreate'";
  return [forbiddenField('spec.strategy.rollingUpdate', detail)];
}

const replicaSets: Strategy = {
  generation: true,
  defaults(draft) {
    const spec = ownPart(draft, 'spec');
    fill(spec, { replicas: 1 });
    defaultTemplate(spec);
  },
  validate: (draft) => [
    ...templateErrors(draft, 'deployment'),
    ...alwaysRestarted(draft),
    ...countErrors(draft, ['replicas', 'minReadySeconds']),
  ],
  validateUpdate: (draft, old) => immutableErrors(draft, old, ['selector']),
};

const daemonSets: Strategy = {
  generation: true,
  defaults(draft) {
    const spec = ownPart(draft, 'spec');
    fill(spec, history);
    rolling(spec, 'updateStrategy', { maxSurge: 0, maxUnavailable: 1 });
    defaultTemplate(spec);
  },
  validate: (draft) => [
    ...templateErrors(draft, 'daemonset'),
    ...alwaysRestarted(draft),
    ...countErrors(draft, ['minReadySeconds', 'revisionHistoryLimit']),
  ],
  validateUpdate: (draft, old) => immutableErrors(draft, old, ['selector']),
};

const statefulSets: Strategy = {
  generation: true,
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
  validate: (draft) => [
    ...templateErrors(draft, 'statefulset'),
    ...alwaysRestarted(draft),
    ...countErrors(draft, ['replicas', 'minReadySeconds', 'revisionHistoryLimit']),
  ],
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
