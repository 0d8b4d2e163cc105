import type { CollectionBounds, ReflectorState } from '../client/index.ts';

/**
 * How large a collection of a member may be: more than Kubernetes itself supports in one cluster. What is kept of a
 * collection is bounded by its bytes as well.
 */
export const collectionBounds: CollectionBounds = { objects: 200_000, bytes: 256 << 20, milliseconds: 600_000 };

/** What is wrong with what a member answers when a kind is read. A member that does not answer at all is not meant here. */
export class AnswerFaults {
  readonly #faults = new Map<string, string>();

  /** Takes note of a reflector's state. */
  heard(kind: string, { phase, fault, because }: ReflectorState): void {
    if (phase === 'waiting' && (fault === 'nonsense' || fault === 'excessive'))
      this.#faults.set(kind, `reading ${kind}: ${because}`);
    else if (phase === 'watching' || phase === 'stopped') this.#faults.delete(kind);
  }

  /** One of them, for a condition; undefined when there is none. */
  get first(): string | undefined {
    return this.#faults.values().next().value;
  }
}
