import { keyOf, refOf } from '../../api/index.ts';
import type { DispatchFacts } from '../../engine/index.ts';
import type { LiveWorld } from '../controller.ts';

/**
 * Reads single objects of members. When a kind of a member is first needed, all its objects are read, which takes long where
 * there are thousands; an edit that a person made meanwhile does not wait for that.
 */
export class Lookups {
  readonly #live: Pick<LiveWorld, 'members' | 'memberTarget' | 'log'>;
  readonly #running = new Set<string>();

  constructor(live: Pick<LiveWorld, 'members' | 'memberTarget' | 'log'>) {
    this.#live = live;
  }

  /** Reads the member's object under the name of a manifest; calls back when it is known. */
  async lookUp({ member, manifest }: Pick<DispatchFacts, 'member' | 'manifest'>, known: () => void): Promise<void> {
    const { members, memberTarget, log } = this.#live;
    const ref = refOf(manifest);
    const [key, target] = [keyOf(ref), memberTarget(member)];
    const name = `${member}|${key}`;
    if (!target || this.#running.has(name)) return;
    this.#running.add(name);
    try {
      const object = await target.server.find(ref);
      const cache = members.of(member);
      if (object) cache.put(object, { found: true });
      else cache.noteAbsent(key);
      if (cache.get(key) !== 'unknown') known();
    } catch (error) {
      log.debug('cannot look up an object of a member', { member, object: key, error });
    } finally {
      this.#running.delete(name);
    }
  }
}
