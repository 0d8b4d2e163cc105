import type { AggregatedStatusItem, KubeObject } from '../../../api/index.ts';
import { listOf, pick, reportedBy, statusOf } from './kind.ts';
import type { Fields, StatusKind } from './kind.ts';

const phaseOf = (item: AggregatedStatusItem): unknown => reportedBy(item)['phase'] ?? 'Pending';

/** The phase that counts for all: the first of these that any member is in. */
function foremost(items: readonly AggregatedStatusItem[], order: readonly string[]): string | undefined {
  return order.find((phase) => items.some((item) => phaseOf(item) === phase));
}

/** The status with the phase of them all; undefined when nobody says one that is known. */
function inPhase(template: KubeObject, items: readonly AggregatedStatusItem[], order: readonly string[]): unknown {
  const phase = foremost(items, order);
  return phase === undefined ? undefined : { ...statusOf(template), phase };
}

const ofContainer = ['name', 'image', 'imageID', 'ready', 'restartCount', 'state'];

function containersOf(items: readonly AggregatedStatusItem[], list: string): readonly Fields[] {
  return items.flatMap((item) => listOf(reportedBy(item), list).map((container) => pick(container, ofContainer)));
}

function podStatus(template: KubeObject, items: readonly AggregatedStatusItem[]): unknown {
  const phase = foremost(items, ['Failed', 'Pending', 'Running', 'Succeeded']);
  if (phase === undefined) return undefined;
  const status: Record<string, unknown> = { ...statusOf(template), phase };
  for (const list of ['initContainerStatuses', 'containerStatuses']) {
    const containers = containersOf(items, list);
    if (containers.length > 0) status[list] = containers;
    else delete status[list];
  }
  return status;
}

function isPodWell(_: KubeObject, status: Fields): boolean {
  if (status['phase'] === 'Succeeded') return true;
  const ready = listOf(status, 'conditions').some((one) => one['type'] === 'Ready' && one['status'] === 'True');
  return status['phase'] === 'Running' && ready;
}

/** Kinds whose statuses are a phase. */
export const phases: Readonly<Record<string, StatusKind>> = {
  'v1|Pod': { healthy: isPodWell, aggregate: podStatus },
  'v1|PersistentVolumeClaim': {
    healthy: (_, status) => status['phase'] === 'Bound',
    aggregate: (template, items) => inPhase(template, items, ['Lost', 'Pending', 'Bound']),
  },
  'v1|PersistentVolume': {
    aggregate: (template, items) => inPhase(template, items, ['Failed', 'Pending', 'Available', 'Bound', 'Released']),
  },
};
