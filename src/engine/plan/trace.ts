import { keyOf } from '../../api/index.ts';
import type { Ref } from '../../api/index.ts';
import { bindingRefOf } from '../claim/index.ts';
import type { Decision } from '../decision.ts';
import type { Reason } from '../reasons.ts';
import type { Question } from '../world/index.ts';
import type { EffectKind, When } from './effects.ts';
import { waitingReasons } from './waits.ts';

const releases: ReadonlySet<Reason> = new Set(['PolicyGone', 'PolicyNoLongerMatches']);

/** Listens to the decisions while a world settles, to say afterwards why something happened or waits. */
export class Trace {
  readonly #claims = new Map<string, Reason>();
  readonly #reasonsOfBindings = new Map<string, Reason>();
  /** The templates whose change waits, with the reason of the last look. */
  readonly waiting: Set<string> = new Set();
  readonly #reasons = new Map<string, Reason>();
  readonly #waitingBindings = new Set<string>();
  /** The bindings that were looked at. */
  readonly bindings: Set<string> = new Set();
  /** The templates that were released, with no policy left to manage them. */
  readonly released: Set<string> = new Set();
  /** A suspension delayed something. */
  sawSuspension = false;

  hear(question: Question, key: string, decision: Decision): void {
    if (question === 'claim') this.#hearClaim(key, decision);
    else if (decision.because === 'Suspended') this.sawSuspension = true;
    if (question === 'render') this.#hearRender(key, decision);
    // A report changes the status only: its reason moves nothing.
    const moves = decision.actions.some((action) => action.do !== 'report');
    if (moves && (question === 'schedule' || question === 'evict' || question === 'dependencies')) {
      this.#reasonsOfBindings.set(key, decision.because);
    }
  }

  #hearRender(key: string, { because }: Decision): void {
    this.bindings.add(key);
    if (because === 'OverridesChanged') this.#reasonsOfBindings.set(key, because);
    if (because === 'OverrideWaits') this.#waitingBindings.add(key);
    else this.#waitingBindings.delete(key);
  }

  /** The bindings of templates for which a lazy override waits. */
  get waitingBindings(): ReadonlySet<string> {
    return this.#waitingBindings;
  }

  #hearClaim(key: string, { because, actions }: Decision): void {
    if (actions.length > 0 && !(because === 'PolicyEdited' && this.#claims.has(key))) this.#claims.set(key, because);
    if (actions.length > 0) {
      if (releases.has(because)) this.released.add(key);
      else this.released.delete(key);
    }
    if (waitingReasons.has(because)) {
      this.waiting.add(key);
      this.#reasons.set(key, because);
    } else this.waiting.delete(key);
  }

  /** Why a template's place in a member changed: what its claim did, else what its schedule did, else the dispatch. */
  reasonOf(template: Ref, effect: EffectKind): Reason {
    const binding = keyOf(bindingRefOf({ ...template, metadata: template }));
    const fallback = {
      create: 'Created',
      delete: 'Deleted',
      update: 'Updated',
      restart: 'Updated',
      scale: 'Updated',
    } as const;
    return this.#claims.get(keyOf(template)) ?? this.#reasonsOfBindings.get(binding) ?? fallback[effect];
  }

  /** Why something does not happen yet. */
  waitingReason(template: Ref, when: When, effect: EffectKind): Reason {
    if (when === 'unreachable') return 'ClusterNotReady';
    if (when === 'suspended') return effect === 'delete' ? 'RemovalSuspended' : 'Suspended';
    const known = this.#reasons.get(keyOf(template));
    if (known !== undefined) return known;
    const binding = keyOf(bindingRefOf({ ...template, metadata: template }));
    return this.#waitingBindings.has(binding) ? 'OverrideWaits' : 'WaitingForTemplateChange';
  }
}
