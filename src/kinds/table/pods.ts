import type { KubeObject } from '../../api/index.ts';
import { since } from './age.ts';
import { ageColumn, type CellColumn, column, nameColumn, wide } from './column.ts';
import { type ReadonlyPart, at, flag, list, number, text } from './read.ts';

/** A summary of the containers of a pod: the cells READY, STATUS and RESTARTS. */
interface Summary {
  readonly ready: number;
  readonly total: number;
  readonly reason: string;
  readonly restarts: number;
  readonly lastRestart: string;
}

/** Sums over some containers; the timestamp of the latest restart is '' without one. */
interface Sum {
  readonly ready: number;
  readonly restarts: number;
  readonly lastRestart: string;
}

const nothing: Sum = { ready: 0, restarts: 0, lastRestart: '' };

/** The columns of pods. */
export const podColumns: readonly CellColumn[] = [
  nameColumn,
  column('Ready', (pod) => {
    const { ready, total } = summarise(pod);
    return `${ready}/${total}`;
  }),
  column('Status', (pod) => podStatus(pod)),
  column('Restarts', (pod, now) => {
    const { restarts, lastRestart } = summarise(pod);
    return restarts > 0 && lastRestart ? `${restarts} (${since(lastRestart, now)} ago)` : `${restarts}`;
  }),
  ageColumn,
  wide(column('IP', (pod) => text(list(pod, 'status.podIPs')[0], 'ip') || text(pod, 'status.podIP', '<none>'))),
  wide(column('Node', (pod) => text(pod, 'spec.nodeName', '<none>'))),
  wide(column('Nominated Node', (pod) => text(pod, 'status.nominatedNodeName', '<none>'))),
  wide(column('Readiness Gates', readinessGates)),
];

/** The word that stands under STATUS. */
export function podStatus(pod: KubeObject): string {
  if (pod.metadata.deletionTimestamp === undefined) return summarise(pod).reason;
  if (text(pod, 'status.reason') === 'NodeLost') return 'Unknown';
  const phase = text(pod, 'status.phase');
  return phase === 'Succeeded' || phase === 'Failed' ? summarise(pod).reason : 'Terminating';
}

function summarise(pod: KubeObject): Summary {
  const sidecars = new Set(
    list(pod, 'spec.initContainers')
      .filter((container) => text(container, 'restartPolicy') === 'Always')
      .map((container) => text(container, 'name')),
  );
  const total = list(pod, 'spec.containers').length + sidecars.size;
  const init = initialisation(pod, sidecars);
  if (init.waitsFor && condition(pod, 'Initialized') !== 'True') return { ...init.all, total, reason: init.waitsFor };
  return { ...running(pod, init), total };
}

interface Initialisation {
  readonly all: Sum;
  readonly sidecars: Sum;
  /** Why the pod is still initialising; '' when it is not. */
  readonly waitsFor: string;
}

/** Init containers run one after the other: the first that is not through is what the pod waits for. */
function initialisation(pod: KubeObject, sidecarNames: ReadonlySet<string>): Initialisation {
  let all = nothing;
  let sidecars = nothing;
  for (const [position, status] of list(pod, 'status.initContainerStatuses').entries()) {
    const isSidecar = sidecarNames.has(text(status, 'name'));
    const started = isSidecar && flag(status, 'started');
    const ready = started && flag(status, 'ready') && !succeeded(status) ? 1 : 0;
    all = add(all, status, ready);
    if (isSidecar) sidecars = add(sidecars, status, 0);
    if (!succeeded(status) && !started) return { all, sidecars, waitsFor: initReason(pod, status, position) };
  }
  return { all, sidecars, waitsFor: '' };
}

function initReason(pod: KubeObject, status: ReadonlyPart, position: number): string {
  const waiting = text(status, 'state.waiting.reason');
  if (at(status, 'state.terminated') !== undefined) return `Init:${terminatedReason(status)}`;
  if (waiting && waiting !== 'PodInitializing') return `Init:${waiting}`;
  return `Init:${position}/${list(pod, 'spec.initContainers').length}`;
}

function running(pod: KubeObject, init: Initialisation): Sum & { readonly reason: string } {
  let sum: Sum = { ...init.sidecars, ready: init.all.ready };
  let reason = init.waitsFor || phaseReason(pod);
  let isRunning = false;
  for (const status of list(pod, 'status.containerStatuses').toReversed()) {
    const told = containerReason(status);
    const ready = told === '' && flag(status, 'ready') && at(status, 'state.running') !== undefined;
    sum = add(sum, status, ready ? 1 : 0);
    reason = told || reason;
    isRunning ||= ready;
  }
  return { ...sum, reason: reason === 'Completed' && isRunning ? partlyCompleted(pod) : reason };
}

/** Some containers have ended well and others still run. */
function partlyCompleted(pod: KubeObject): string {
  return condition(pod, 'Ready') === 'True' ? 'Running' : 'NotReady';
}

function phaseReason(pod: KubeObject): string {
  const gated = list(pod, 'status.conditions').some(
    (one) => text(one, 'type') === 'PodScheduled' && text(one, 'reason') === 'SchedulingGated',
  );
  return gated ? 'SchedulingGated' : text(pod, 'status.reason') || text(pod, 'status.phase');
}

function containerReason(status: ReadonlyPart): string {
  const waiting = text(status, 'state.waiting.reason');
  if (waiting) return waiting;
  return at(status, 'state.terminated') === undefined ? '' : terminatedReason(status);
}

function terminatedReason(status: ReadonlyPart): string {
  const reason = text(status, 'state.terminated.reason');
  const signal = number(status, 'state.terminated.signal');
  return reason || (signal ? `Signal:${signal}` : `ExitCode:${number(status, 'state.terminated.exitCode')}`);
}

function succeeded(status: ReadonlyPart): boolean {
  return at(status, 'state.terminated') !== undefined && number(status, 'state.terminated.exitCode') === 0;
}

function add(sum: Sum, status: ReadonlyPart, ready: number): Sum {
  const finished = text(status, 'lastState.terminated.finishedAt');
  return {
    ready: sum.ready + ready,
    restarts: sum.restarts + number(status, 'restartCount'),
    lastRestart: finished > sum.lastRestart ? finished : sum.lastRestart,
  };
}

function condition(pod: KubeObject, type: string): string {
  return text(
    list(pod, 'status.conditions').find((one) => text(one, 'type') === type),
    'status',
  );
}

function readinessGates(pod: KubeObject): string {
  const gates = list(pod, 'spec.readinessGates');
  const open = gates.filter((gate) => condition(pod, text(gate, 'conditionType')) === 'True');
  return gates.length > 0 ? `${open.length}/${gates.length}` : '<none>';
}
