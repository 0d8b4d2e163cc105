import { keyOf, refOf } from '../../api/index.ts';
import type { KubeObject } from '../../api/index.ts';
import { at, equal } from '../../base/index.ts';
import { healthOf, podTrouble, workloadKind } from '../../engine/index.ts';
import type { DispatchFacts, Trouble } from '../../engine/index.ts';
import type { Clock, Logger } from '../../observe/index.ts';
import type { WriteTarget } from '../../runtime/index.ts';

/** What the questions to pods stand on. */
export interface PodWordsOptions {
  readonly memberTarget: (member: string) => WriteTarget | undefined;
  readonly clock: Clock;
  readonly log: Logger;
  /** Called with the key of a Work when its pods say something new. */
  readonly onNews: (workKey: string) => void;
}

/** Most workloads are healthy a moment after they come; pods are asked only of those that are not. */
const firstMilliseconds = 2_000;
const longestMilliseconds = 60_000;
/** Pods to read of one workload: the first that is in trouble says enough. */
const mostPods = 20;

interface Asking {
  cancel: () => void;
  delay: number;
  trouble?: Trouble | undefined;
}

/**
 * Asks the pods of workloads that are not healthy what is wrong, since the workload itself only counts them.
 * Guarantees: nothing is watched and nothing is asked of a healthy workload; one that stays unhealthy is asked at
 * growing intervals; only a new answer reopens the question of its Work.
 */
export class PodWords {
  readonly #options: PodWordsOptions;
  readonly #asking = new Map<string, Asking>();

  constructor(options: PodWordsOptions) {
    this.#options = options;
  }

  /** The trouble that the pods of a Work's object were last in. */
  of(workKey: string): Trouble | undefined {
    return this.#asking.get(workKey)?.trouble;
  }

  /** Asks the pods of this Work's object as long as it is not healthy. */
  heed(workKey: string, { member, present }: Pick<DispatchFacts, 'member' | 'present'>): void {
    const isIll = typeof present === 'object' && hasPods(present) && healthOf(present) === 'Unhealthy';
    if (!isIll) return this.#forget(workKey);
    if (this.#asking.has(workKey)) return;
    const asking: Asking = { cancel: () => {}, delay: firstMilliseconds };
    this.#asking.set(workKey, asking);
    this.#later(workKey, asking, { member, present });
  }

  close(): void {
    for (const { cancel } of this.#asking.values()) cancel();
    this.#asking.clear();
  }

  #forget(workKey: string): void {
    this.#asking.get(workKey)?.cancel();
    this.#asking.delete(workKey);
  }

  #later(workKey: string, asking: Asking, about: About): void {
    asking.cancel = this.#options.clock.after(asking.delay, () => void this.#ask(workKey, asking, about));
    asking.delay = Math.min(asking.delay * 2, longestMilliseconds);
  }

  async #ask(workKey: string, asking: Asking, about: About): Promise<void> {
    const { memberTarget, log } = this.#options;
    try {
      const pods = await memberTarget(about.member)?.server.list(podKind, selectionOf(about.present));
      if (pods && this.#asking.get(workKey) === asking) this.#hear(workKey, asking, podTrouble(pods.items));
    } catch (error) {
      log.debug('cannot read pods of a workload', { member: about.member, object: keyOf(refOf(about.present)), error });
    }
    if (this.#asking.get(workKey) === asking) this.#later(workKey, asking, about);
  }

  #hear(workKey: string, asking: Asking, trouble: Trouble | undefined): void {
    if (equal(trouble, asking.trouble)) return;
    asking.trouble = trouble;
    this.#options.onNews(workKey);
  }
}

interface About {
  readonly member: string;
  readonly present: KubeObject;
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
