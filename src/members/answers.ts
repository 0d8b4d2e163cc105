import type { CollectionBounds, ReflectorState } from '../client/index.ts';

/**
 * The bounds of a collection of a member: more than Kubernetes itself supports in one cluster. The bytes that are kept
 * of a collection are bounded as well.
 */
export const collectionBounds: CollectionBounds = { objects: 200_000, bytes: 256 << 20, milliseconds: 600_000 };

/** Faults in a member's answers when a kind is read. A member that does not answer at all is a different case. */
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
