import { keyOf, refOf } from '../../api/index.ts';
import type { Binding, KubeObject } from '../../api/index.ts';
import {
  bindingIdOf,
  bindingRefIn,
  decideOrphan,
  gatherOrphan,
  isTemplateKind,
  orphanFactsOf,
  worksKey,
} from '../../engine/index.ts';
import type { Decision, OrphanAction, OrphanFacts } from '../../engine/index.ts';
import type { Logger, Metrics } from '../../observe/index.ts';
import { Controller, performWrite } from '../../runtime/index.ts';
import type { CacheChange, HubCache, WriteTarget } from '../../runtime/index.ts';

/** What the watch over orphans stands on. */
export interface OrphanWatchOptions {
  readonly view: HubCache;
  readonly hub: WriteTarget;
  readonly log: Logger;
  readonly metrics?: Metrics;
  /** How long those whose business it is have to take something away: the hub's garbage collection, the binder. */
  readonly graceMilliseconds?: number;
}

/**
 * Takes away what nobody else has taken away: because nobody ran at the time, because a finalizer was removed by hand, or
 * because the hub collects no garbage.
 * Guarantees: nothing goes on the word of a cache. Before anything is deleted, the hub itself is asked for all that it was
 * there for, and a kind that the hub does not serve proves nothing.
 */
export class OrphanWatch {
  readonly name = 'orphans';
  readonly #options: OrphanWatchOptions;
  readonly #controller: Controller<OrphanAction>;
  #stopListening: (() => void) | undefined;

  constructor(options: OrphanWatchOptions) {
    const { view, log, metrics } = options;
    this.#options = options;
    this.#controller = new Controller({
      name: this.name,
      view,
      answer: (_, key) => this.#decide(key),
      perform: (_, { key, signal }) => this.#collect(key, signal),
      workers: 2,
      longestMilliseconds: 60_000,
      log,
      ...(metrics && { metrics }),
    });
  }

  start(): void {
    const { view } = this.#options;
    this.#stopListening = view.listen((change) => this.#heed(change));
    for (const [key, object] of view.entries()) if (isOurs(object) && this.#isOrphan(key)) this.#soon(key);
    this.#controller.start();
  }

  async stop(withinMilliseconds: number): Promise<void> {
    this.#stopListening?.();
    await this.#controller.stop(withinMilliseconds);
  }

  /** Only what is gone makes orphans. */
  #heed({ before, after }: CacheChange): void {
    if (after || !before) return;
    if (isBinding(before)) {
      const id = bindingIdOf(before as Binding);
      if (id) this.#options.view.each(worksKey(id), (work) => this.#soon(keyOf(refOf(work))));
    } else if (isTemplateKind(before)) {
      const binding = keyOf(bindingRefIn(this.#options.view, before));
      if (this.#options.view.get(binding)) this.#soon(binding);
    }
  }

  #soon(key: string): void {
    this.#controller.queue.addAfter(key, this.#options.graceMilliseconds ?? 10_000);
  }

  #decide(key: string): Decision<OrphanAction> | undefined {
    const facts = gatherOrphan(this.#options.view, key);
    return facts && decideOrphan(facts);
  }

  #isOrphan(key: string): boolean {
    return (this.#decide(key)?.actions.length ?? 0) > 0;
  }

  async #collect(key: string, signal: AbortSignal): Promise<void> {
    const { view, hub, log } = this.#options;
    const seen = gatherOrphan(view, key);
    const facts = seen && (await this.#asked(seen, signal));
    const decision = facts && decideOrphan(facts);
    for (const { write } of decision?.actions ?? []) {
      log.info('takes away what nobody needs', { object: key, because: decision?.because ?? '' });
      await performWrite(write, () => hub, signal);
    }
  }

  /** The facts as the hub tells them now; undefined where it cannot tell. */
  async #asked({ object, needs }: OrphanFacts, signal: AbortSignal): Promise<OrphanFacts | undefined> {
    const { server } = this.#options.hub;
    const found = new Map<string, KubeObject | undefined>();
    for (const ref of [refOf(object), ...needs]) {
      if (!server.resources.byKind(ref.apiVersion, ref.kind)) return undefined;
      found.set(keyOf(ref), await server.find(ref, { signal }));
    }
    const now = found.get(keyOf(refOf(object))) as OrphanFacts['object'] | undefined;
    return now && orphanFactsOf(now, (ref) => found.get(keyOf(ref)));
  }
}

const isBinding = ({ kind }: KubeObject): boolean => kind === 'ResourceBinding' || kind === 'ClusterResourceBinding';
const isOurs = (object: KubeObject): boolean => object.kind === 'Work' || isBinding(object);
