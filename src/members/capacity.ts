import type { ClusterStatus, KubeObject } from '../api/index.ts';
import { Reflector } from '../client/index.ts';
import type { ApiClient, ReflectedChange } from '../client/index.ts';
import { at } from '../base/index.ts';
import { collectionBounds } from './answers.ts';
import type { AnswerFaults } from './answers.ts';
import { amountsOf, askingOf, listOf, resourceSummary } from './resources.ts';
import type { Asking, Node } from './resources.ts';

/**
 * The capacity of a member, followed by watches: a large member has tens of thousands of Pods, and listing them again
 * and again would cost both sides more than everything else. Only the requests of a Pod are kept, once for all Pods
 * with equal requests.
 */
export class Capacity {
  readonly #client: ApiClient;
  readonly #stop = new AbortController();
  readonly #nodes = new Map<string, Node>();
  /** Pods by key, with the group that they are counted in. */
  readonly #pods = new Map<string, string>();
  readonly #groups = new Map<string, Asking>();
  #following: Promise<unknown> | undefined;
  readonly #reflectors: Reflector[] = [];
  readonly #running: Promise<void>[] = [];

  readonly #faults: AnswerFaults;

  constructor(client: ApiClient, faults: AnswerFaults) {
    this.#client = client;
    this.#faults = faults;
  }

  /**
   * Resolves when everything was read, or could not be, or not in this time: a member that denies access reports no
   * capacity.
   */
  async looked(milliseconds: number): Promise<void> {
    for (const reflector of this.#reflectors) reflector.hurry();
    this.#following ??= Promise.all([this.#follow('Node', this.#node), this.#follow('Pod', this.#pod)]);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, milliseconds).unref();
    });
    await Promise.race([this.#following, late]);
    clearTimeout(timer);
  }

  /** The member answers again after it did not. */
  renew(): void {
    for (const reflector of this.#reflectors) reflector.renew();
  }

  get nodeSummary(): NonNullable<ClusterStatus['nodeSummary']> {
    return { totalNum: this.#nodes.size, readyNum: [...this.#nodes.values()].filter(isReady).length };
  }

  get resourceSummary(): NonNullable<ClusterStatus['resourceSummary']> {
    return resourceSummary(this.#nodes.values(), [...this.#groups.values()]);
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await Promise.all(this.#running);
  }

  #follow(kind: string, take: (change: ReflectedChange) => void): Promise<void> {
    return new Promise((resolve) => {
      const reflector = new Reflector({
        server: this.#client,
        of: { apiVersion: 'v1', kind },
        onChanges: (changes) => changes.forEach(take),
        onSynced: resolve,
        most: { ...collectionBounds, bytes: Infinity },
        onState: (state) => {
          this.#faults.heard(kind, state);
          if (state.phase === 'waiting' || state.phase === 'stopped') resolve();
        },
      });
      this.#reflectors.push(reflector);
      this.#running.push(reflector.run(this.#stop.signal));
    });
  }

  readonly #node = ({ key, after }: ReflectedChange): void => {
    if (after) this.#nodes.set(key, lightNode(after));
    else this.#nodes.delete(key);
  };

  readonly #pod = ({ key, after }: ReflectedChange): void => {
    const asking = after && askingOf(after);
    const [before, now] = [this.#pods.get(key), asking && JSON.stringify(asking)];
    if (before === now) return;
    if (before !== undefined) this.#leave(before);
    if (!asking || now === undefined) this.#pods.delete(key);
    else {
      const group = this.#groups.get(now) ?? { ...asking, count: 0 };
      this.#groups.set(now, { ...group, count: group.count + 1 });
      this.#pods.set(key, now);
    }
  };

  #leave(text: string): void {
    const group = this.#groups.get(text);
    if (group && group.count > 1) this.#groups.set(text, { ...group, count: group.count - 1 });
    else this.#groups.delete(text);
  }
}

/** Nodes list their images and more, which nobody here asks for. */
function lightNode({ apiVersion, kind, metadata, status }: KubeObject & Pick<Node, 'status'>): Node {
  const ready = listOf(at(status, ['conditions'])).find((condition) => at(condition, ['type']) === 'Ready');
  const state = at(ready, ['status']) === 'True' ? 'True' : 'False';
  return {
    apiVersion,
    kind,
    metadata: { name: metadata.name },
    status: {
      allocatable: amountsOf(at(status, ['allocatable'])),
      conditions: [{ type: 'Ready', status: state }],
    },
  };
}

function isReady({ status }: Node): boolean {
  return status?.conditions?.some(({ type, status: state }) => type === 'Ready' && state === 'True') === true;
}
