import type { KubeObject, Trouble } from '../../../api/index.ts';
import { at } from '../../../base/index.ts';
import { listOf, numberOf, statusOf } from './kind.ts';
import type { Fields } from './kind.ts';

/** How long an object may take to become healthy where its kind sets no deadline of its own. */
export const defaultDeadlineSeconds = 600;

type Judge = (object: KubeObject, status: Fields) => Trouble | undefined;

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

function conditionOf(status: Fields, type: string): Fields | undefined {
  return listOf(status, 'conditions').find((one) => one['type'] === type);
}

/** The trouble that a condition reports. */
function reported(condition: Fields, failed: boolean): Trouble {
  const reason = textOf(condition['reason']) || textOf(condition['type']);
  return { reason, message: textOf(condition['message']), failed };
}

function deploymentTrouble(_: KubeObject, status: Fields): Trouble | undefined {
  const progressing = conditionOf(status, 'Progressing');
  if (progressing?.['status'] === 'False') return reported(progressing, true);
  const refused = conditionOf(status, 'ReplicaFailure');
  if (refused?.['status'] === 'True') return reported(refused, true);
  if (progressing?.['status'] === 'Unknown') return reported(progressing, false);
  const available = conditionOf(status, 'Available');
  return available?.['status'] === 'False' ? reported(available, false) : undefined;
}

function jobTrouble(_: KubeObject, status: Fields): Trouble | undefined {
  const failed = conditionOf(status, 'Failed');
  return failed?.['status'] === 'True' ? reported(failed, true) : undefined;
}

function claimTrouble(_: KubeObject, status: Fields): Trouble | undefined {
  if (status['phase'] !== 'Lost') return undefined;
  return { reason: 'Lost', message: 'the volume of the claim is lost', failed: true };
}

const judges: Readonly<Record<string, Judge>> = {
  'apps/v1|Deployment': deploymentTrouble,
  'batch/v1|Job': jobTrouble,
  'v1|Pod': (pod) => podTrouble([pod]),
  'v1|PersistentVolumeClaim': claimTrouble,
};

/** Reads the problem from the status of a member's object; undefined when it reports none. */
export function troubleOf(present: KubeObject): Trouble | undefined {
  return judges[`${present.apiVersion}|${present.kind}`]?.(present, statusOf(present) ?? {});
}

/**
 * How many seconds the object may stay unhealthy; undefined while the member itself judges that, as it does of a
 * Deployment that rolls out, or while a person has paused it.
 */
export function deadlineSecondsOf(present: KubeObject): number | undefined {
  if (present.kind !== 'Deployment' || present.apiVersion !== 'apps/v1') return defaultDeadlineSeconds;
  const progressing = conditionOf(statusOf(present) ?? {}, 'Progressing');
  if (progressing && progressing['reason'] !== 'NewReplicaSetAvailable') return undefined;
  return numberOf(at(present, ['spec', 'progressDeadlineSeconds'])) || defaultDeadlineSeconds;
}

/** Reasons for which a starting container waits; every other reason to wait is a failure. */
const onTheWay: ReadonlySet<string> = new Set(['ContainerCreating', 'PodInitializing']);

/** The worst that pods of one workload say: containers that cannot run, then containers that ended, then pods without a node. */
export function podTrouble(pods: readonly KubeObject[]): Trouble | undefined {
  const found = pods.flatMap(troublesOfPod);
  return found.find(({ failed }) => failed) ?? found[0];
}

function troublesOfPod(pod: KubeObject): readonly Trouble[] {
  const status = statusOf(pod) ?? {};
  const containers = [...listOf(status, 'initContainerStatuses'), ...listOf(status, 'containerStatuses')];
  return [...containers.flatMap(containerTrouble), ...phaseTrouble(status), ...scheduleTrouble(status)];
}

function containerTrouble(container: Fields): readonly Trouble[] {
  const name = textOf(container['name']);
  const waiting = at(container, ['state', 'waiting']) as Fields | undefined;
  const reason = textOf(waiting?.['reason']);
  if (waiting && reason !== '' && !onTheWay.has(reason))
    return [{ reason, message: said(`container ${name}`, textOf(waiting['message'])), failed: true }];
  const ended = at(container, ['state', 'terminated']) as Fields | undefined;
  const code = numberOf(ended?.['exitCode']);
  if (code === 0) return [];
  const message = said(`container ${name} ended with code ${code}`, textOf(ended?.['message']));
  return [{ reason: textOf(ended?.['reason']) || 'Error', message, failed: false }];
}

const said = (subject: string, words: string): string => (words === '' ? subject : `${subject}: ${words}`);

function phaseTrouble(status: Fields): readonly Trouble[] {
  if (status['phase'] !== 'Failed') return [];
  return [{ reason: textOf(status['reason']) || 'Failed', message: textOf(status['message']), failed: true }];
}

function scheduleTrouble(status: Fields): readonly Trouble[] {
  const scheduled = conditionOf(status, 'PodScheduled');
  return scheduled?.['status'] === 'False' ? [reported(scheduled, false)] : [];
}
