import { keyOf, refOf } from '../../api/index.ts';
import type { DispatchFacts } from '../../engine/index.ts';
import type { Logger } from '../../observe/index.ts';
import type { MemberCaches, WriteTarget } from '../../runtime/index.ts';

export interface LookupsOptions {
  readonly members: MemberCaches;
  readonly memberTarget: (member: string) => WriteTarget | undefined;
  readonly log: Logger;
}

/**
 * Reads single objects of members. All that a member has of a kind is read when the kind is first needed, which takes a
 * while where there are thousands; whoever edits something meanwhile need not wait for it.
 */
export class Lookups {
  readonly #options: LookupsOptions;
  readonly #under = new Set<string>();

  constructor(options: LookupsOptions) {
    this.#options = options;
  }

  /** Reads what stands in a member under the name of a manifest; calls back when it is known. */
  async lookUp({ member, manifest }: Pick<DispatchFacts, 'member' | 'manifest'>, known: () => void): Promise<void> {
    const { members, memberTarget, log } = this.#options;
    const ref = refOf(manifest);
    const [key, target] = [keyOf(ref), memberTarget(member)];
    const name = `${member}|${key}`;
    if (!target || this.#under.has(name)) return;
    this.#under.add(name);
    try {
      const object = await target.server.find(ref);
      const cache = members.of(member);
      if (object) cache.put(object, { found: true });
      else cache.noteAbsent(key);
      if (cache.get(key) !== 'unknown') known();
    } catch (error) {
      log.debug('cannot look up an object of a member', { member, object: key, error });
    } finally {
      this.#under.delete(name);
    }
  }
}
