import { Reflector, stateText } from '../client/index.ts';
import type { ReflectedChange, ReflectorOptions, ReflectorState } from '../client/index.ts';

/** The options of an informer. */
export interface InformerOptions extends Omit<ReflectorOptions, 'onChanges'> {
  /** The cache that is kept up to date. */
  readonly into: { apply(changes: readonly ReflectedChange[]): void };
}

/** Keeps a cache up to date with one collection. */
export class Informer {
  readonly name: string;
  /** Resolves when the whole collection is in the cache. */
  readonly synced: Promise<void>;
  readonly #reflector: Reflector;
  readonly #abort = new AbortController();
  #running: Promise<void> | undefined;

  constructor({ into, onSynced, ...options }: InformerOptions) {
    const { apiVersion, kind } = options.of;
    this.name = `${kind}.${apiVersion}`;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.synced = promise;
    this.#reflector = new Reflector({
      ...options,
      onChanges: (changes) => into.apply(changes),
      onSynced: () => {
        onSynced?.();
        resolve();
      },
    });
  }

  get state(): ReflectorState {
    return this.#reflector.state;
  }

  /** One line for people. */
  get text(): string {
    return `${this.name}: ${stateText(this.state)}`;
  }

  start(): void {
    this.#running ??= this.#reflector.run(this.#abort.signal);
  }

  async stop(): Promise<void> {
    this.#abort.abort(new Error(`${this.name} is not watched any more`));
    await this.#running;
  }
}
