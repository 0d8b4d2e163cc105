import { digest } from '../../base/index.ts';
import type { Container, Pod, PodStatus, StatusCondition } from '../cluster/objects.ts';

/** How far a pod has come. */
export type Stage = 'creating' | 'running' | 'unready' | 'pull' | 'crash' | 'succeeded' | 'failed';

/** The facts from which the status of a pod is made. */
export interface Scene {
  readonly pod: Pod;
  readonly stage: Stage;
  readonly now: string;
  readonly hostIP: string;
  readonly podIP: string;
}

/** The state of a pod and each of its containers in one stage. */
interface Look {
  readonly phase: string;
  /** Tells whether the containers were started at least once. */
  readonly begun: boolean;
  readonly running: boolean;
  readonly over?: { readonly reason: string; readonly exitCode: number };
  readonly waiting?: { readonly reason: string; readonly message?: string };
}

const looks: Readonly<Record<Stage, Look>> = {
  creating: { phase: 'Pending', begun: false, running: false, waiting: { reason: 'ContainerCreating' } },
  pull: {
    phase: 'Pending',
    begun: false,
    running: false,
    waiting: { reason: 'ImagePullBackOff', message: 'Back-off pulling image' },
  },
  running: { phase: 'Running', begun: true, running: true },
  unready: { phase: 'Running', begun: true, running: true },
  crash: {
    phase: 'Running',
    begun: true,
    running: false,
    waiting: { reason: 'CrashLoopBackOff', message: 'back-off restarting failed container' },
  },
  succeeded: { phase: 'Succeeded', begun: true, running: false, over: { reason: 'PodCompleted', exitCode: 0 } },
  failed: { phase: 'Failed', begun: true, running: false, over: { reason: 'PodFailed', exitCode: 1 } },
};

/** The status of a pod at a stage, with the times of what has not changed since. */
export function statusOf(scene: Scene): PodStatus {
  const { pod, stage, now, hostIP, podIP } = scene;
  const before = pod.status ?? {};
  const { phase, begun } = looks[stage];
  const inits = pod.spec.initContainers ?? [];
  return {
    ...before,
    phase,
    conditions: conditionsOf(scene),
    hostIP,
    hostIPs: [{ ip: hostIP }],
    startTime: before.startTime ?? now,
    ...(begun && { podIP, podIPs: [{ ip: podIP }] }),
    ...(inits.length > 0 && { initContainerStatuses: inits.map((one) => initStatus(one, scene)) }),
    containerStatuses: pod.spec.containers.map((one) => containerStatus(one, scene)),
  };
}

function conditionsOf({ pod, stage, now }: Scene): StatusCondition[] {
  const old = pod.status?.conditions ?? [];
  const ready = stage === 'running' ? { status: 'True' } : { status: 'False', ...unreadiness(pod, stage) };
  const wanted: readonly StatusCondition[] = [
    { type: 'PodReadyToStartContainers', status: looks[stage].over ? 'False' : 'True' },
    { type: 'Initialized', status: 'True', ...(stage === 'succeeded' && { reason: 'PodCompleted' }) },
    { type: 'Ready', ...ready },
    { type: 'ContainersReady', ...ready },
    { type: 'PodScheduled', status: 'True' },
  ];
  return wanted.map((one) => {
    const same = old.find(({ type, status }) => type === one.type && status === one.status);
    return { ...one, lastProbeTime: null, lastTransitionTime: same?.lastTransitionTime ?? now };
  });
}

function unreadiness({ spec }: Pod, stage: Stage): Pick<StatusCondition, 'reason' | 'message'> {
  const { over } = looks[stage];
  if (over) return { reason: over.reason };
  const names = spec.containers.map(({ name }) => name).join(' ');
  return { reason: 'ContainersNotReady', message: `containers with unready status: [${names}]` };
}

interface ContainerStatus {
  readonly name: string;
  readonly restartCount?: number;
  readonly state?: { readonly running?: { readonly startedAt: string } };
}

function containerStatus(container: Container, scene: Scene): object {
  const { pod, stage } = scene;
  const { begun, running } = looks[stage];
  const { restartCount: restarts = 0, state } = known(pod, container.name);
  return {
    ...imagePart(container, begun),
    ...(begun && { containerID: `containerd://${digest([pod.metadata.uid, container.name]).repeat(4)}` }),
    ready: stage === 'running',
    started: running,
    restartCount: stage === 'crash' ? Math.max(1, restarts) : restarts,
    state: stateOf(scene, state?.running?.startedAt ?? scene.now),
    lastState: stage === 'crash' ? { terminated: terminated(1, { from: startOf(scene), to: startOf(scene) }) } : {},
  };
}

function known({ status }: Pod, container: string): ContainerStatus {
  const all = (status?.['containerStatuses'] ?? []) as readonly ContainerStatus[];
  return all.find(({ name }) => name === container) ?? { name: container };
}

/** When the pod came to its node; it never changes, so that a look that changes nothing writes nothing. */
const startOf = ({ pod, now }: Scene): string => pod.status?.startTime ?? now;

function stateOf({ stage, now }: Scene, from: string): object {
  const { waiting, over } = looks[stage];
  if (waiting) return { waiting };
  return over ? { terminated: terminated(over.exitCode, { from, to: now }) } : { running: { startedAt: from } };
}

const terminated = (exitCode: number, { from, to }: { readonly from: string; readonly to: string }): object => ({
  exitCode,
  reason: exitCode === 0 ? 'Completed' : 'Error',
  startedAt: from,
  finishedAt: to,
});

function initStatus(container: Container, scene: Scene): object {
  const { begun } = looks[scene.stage];
  const [from, to] = [startOf(scene), startOf(scene)];
  return {
    ...imagePart(container, begun),
    ready: begun,
    started: false,
    restartCount: 0,
    state: begun ? { terminated: terminated(0, { from, to }) } : { waiting: { reason: 'PodInitializing' } },
    lastState: {},
  };
}

function imagePart({ name, image = '' }: Container, hasImage: boolean): object {
  const repository = image.replace(/[@:][^/]*$/, '');
  return { name, image, imageID: hasImage ? `${repository}@sha256:${digest(image).repeat(4)}` : '' };
}
