import type { KubeObject } from '../../../api/index.ts';
import { at } from '../../../base/index.ts';
import { listOf, numberOf } from './kind.ts';
import type { Fields } from './kind.ts';

/** How many replicas are ready, and how many the member itself runs or wants. */
export interface Readiness {
  readonly ready: number;
  readonly desired?: number;
}

const replicas = (status: Fields): Readiness => ({
  ready: numberOf(status['readyReplicas']),
  desired: numberOf(status['replicas']),
});

function jobReadiness(status: Fields): Readiness {
  return { ready: numberOf(status['active']) + numberOf(status['succeeded']) };
}

function podReadiness(status: Fields): Readiness {
  const ready = listOf(status, 'conditions').some((one) => one['type'] === 'Ready' && one['status'] === 'True');
  return { ready: ready || status['phase'] === 'Succeeded' ? 1 : 0 };
}

const kinds: Readonly<Record<string, (status: Fields) => Readiness>> = {
  'apps/v1|Deployment': replicas,
  'apps/v1|ReplicaSet': replicas,
  'apps/v1|StatefulSet': replicas,
  'apps/v1|DaemonSet': (status) => ({
    ready: numberOf(status['numberReady']),
    desired: numberOf(status['desiredNumberScheduled']),
  }),
  'batch/v1|Job': jobReadiness,
  'v1|Pod': podReadiness,
};

/** How many replicas of a template are ready by what a member reported; undefined for kinds without replicas. */
export function readinessOf(
  template: Pick<KubeObject, 'apiVersion' | 'kind'>,
  reported: unknown,
): Readiness | undefined {
  const read = kinds[`${template.apiVersion}|${template.kind}`];
  return read?.((at({ reported }, ['reported']) ?? {}) as Fields);
}
