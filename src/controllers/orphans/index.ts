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

/** The options of a watch for orphans. */
export interface OrphanWatchOptions {
  readonly view: HubCache;
  readonly hub: WriteTarget;
  readonly log: Logger;
  readonly metrics?: Metrics;
  /** How long the hub's garbage collection and the binder have to delete an object first. */
  readonly graceMilliseconds?: number;
}

/**
 * Deletes bindings and Works that nothing needs any more and nobody deleted: the process did not run at the time, a finalizer
 * was removed by hand, or the hub collects no garbage.
 * Guarantees: no deletion relies on a cache. Before anything is deleted, the objects that needed it are read from the hub, and
 * a kind that the hub does not serve proves nothing.
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
    this.#stopListening = view.listen((change) => this.#changed(change));
    for (const [key, object] of view.entries()) if (isOurs(object) && this.#isOrphan(key)) this.#askLater(key);
    this.#controller.start();
  }

  async stop(withinMilliseconds: number): Promise<void> {
    this.#stopListening?.();
    await this.#controller.stop(withinMilliseconds);
  }

  /** Only deletions make orphans. */
  #changed({ before, after }: CacheChange): void {
    if (after || !before) return;
    if (isBinding(before)) {
      const id = bindingIdOf(before as Binding);
      if (id) this.#options.view.each(worksKey(id), (work) => this.#askLater(keyOf(refOf(work))));
    } else if (isTemplateKind(before)) {
      const binding = keyOf(bindingRefIn(this.#options.view, before));
      if (this.#options.view.get(binding)) this.#askLater(binding);
    }
  }

  #askLater(key: string): void {
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
      log.info('deletes an orphan', { object: key, because: decision?.because ?? '' });
      await performWrite(write, () => hub, signal);
    }
  }

  /** The facts as the hub has them now; undefined where it cannot answer. */
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
