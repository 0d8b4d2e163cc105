import { keyOf, refOf } from '../../api/index.ts';
import type { KubeObject, Trouble } from '../../api/index.ts';
import { at, equal } from '../../base/index.ts';
import { gatherDispatch, healthOf, podTrouble, workloadKind } from '../../engine/index.ts';
import type { Assistant, LiveWorld } from '../controller.ts';

/** Most workloads are healthy soon after they are created; only the pods of the others are read. */
const firstMilliseconds = 2_000;
const longestMilliseconds = 60_000;
/** Pods to read of one workload: the first one in trouble says enough. */
const mostPods = 20;

interface PodReading {
  cancel: () => void;
  delay: number;
}

interface Unhealthy {
  readonly member: string;
  readonly present: KubeObject;
}

/**
 * Reads the pods of workloads that are not healthy, since the workload itself only counts them. What they report goes to
 * `view.podTroubles`, from which decisions read it.
 * Guarantees: nothing is watched and nothing is read of a healthy workload; one that stays unhealthy is read at growing
 * intervals; the question of a Work is asked again only when its pods report something new.
 */
export class PodTroubles implements Assistant {
  readonly #live: LiveWorld;
  readonly #readings = new Map<string, PodReading>();

  constructor(live: LiveWorld) {
    this.#live = live;
  }

  /** Reads the pods of this Work's object as long as it is not healthy. */
  beforeDecision(workKey: string): void {
    const unhealthy = this.#unhealthy(workKey);
    if (!unhealthy) return this.#forget(workKey);
    if (this.#readings.has(workKey)) return;
    const reading: PodReading = { cancel: () => {}, delay: firstMilliseconds };
    this.#readings.set(workKey, reading);
    this.#schedule(workKey, reading, unhealthy);
  }

  close(): void {
    for (const { cancel } of this.#readings.values()) cancel();
    this.#readings.clear();
  }

  #unhealthy(workKey: string): Unhealthy | undefined {
    const { view } = this.#live;
    const { member, present } = gatherDispatch(view, workKey) ?? {};
    if (member === undefined || typeof present !== 'object' || !hasPods(present)) return undefined;
    return healthOf(present) === 'Unhealthy' ? { member, present } : undefined;
  }

  #forget(workKey: string): void {
    const reading = this.#readings.get(workKey);
    if (!reading) return;
    reading.cancel();
    this.#readings.delete(workKey);
    this.#live.view.podTroubles.delete(workKey);
  }

  #schedule(workKey: string, reading: PodReading, unhealthy: Unhealthy): void {
    reading.cancel = this.#live.clock.after(reading.delay, () => void this.#read(workKey, reading, unhealthy));
    reading.delay = Math.min(reading.delay * 2, longestMilliseconds);
  }

  async #read(workKey: string, reading: PodReading, unhealthy: Unhealthy): Promise<void> {
    const { memberTarget, log } = this.#live;
    const { member, present } = unhealthy;
    const isCurrent = (): boolean => this.#readings.get(workKey) === reading;
    try {
      const pods = await memberTarget(member)?.server.list(podKind, selectionOf(present));
      if (pods && isCurrent()) this.#note(workKey, podTrouble(pods.items));
    } catch (error) {
      log.debug('cannot read pods of a workload', { member, object: keyOf(refOf(present)), error });
    }
    if (isCurrent()) this.#schedule(workKey, reading, unhealthy);
  }

  #note(workKey: string, trouble: Trouble | undefined): void {
    const { view, ask } = this.#live;
    if (equal(trouble, view.podTroubles.get(workKey))) return;
    if (trouble) view.podTroubles.set(workKey, trouble);
    else view.podTroubles.delete(workKey);
    ask('reflect', workKey);
  }
}

const podKind = { apiVersion: 'v1', kind: 'Pod' };

const hasPods = (object: KubeObject): boolean =>
  workloadKind(object) !== undefined && at(object, ['spec', 'selector', 'matchLabels']) !== undefined;

function selectionOf({ metadata, ...object }: KubeObject): {
  readonly namespace: string;
  readonly labelSelector: string;
  readonly limit: number;
} {
  const labels = at(object, ['spec', 'selector', 'matchLabels']) as Readonly<Record<string, string>>;
  const labelSelector = Object.entries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .join(',');
  return { namespace: metadata.namespace ?? '', labelSelector, limit: mostPods };
}
