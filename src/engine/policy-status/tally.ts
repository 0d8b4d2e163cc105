import { keyOf, policyApi } from '../../api/index.ts';
import type { Binding, View } from '../../api/index.ts';
import type { Claim } from '../claim/index.ts';
import type { Decision } from '../decision.ts';
import type { Question } from '../world/index.ts';
import { blockedBy, stateOf, templateStatusOf } from './template-status.ts';
import type { StateCounts, TemplateStatus } from './template-status.ts';

/** How many templates a policy manages, by state; a template may be both pending and suspended. */
export interface PolicyCounts {
  readonly templates: number;
  readonly upToDate: number;
  readonly pending: number;
  readonly suspended: number;
}

/** The same for all policies together, and how many could not be placed. */
export interface Totals extends PolicyCounts {
  readonly unplaced: number;
}

const none: PolicyCounts = { templates: 0, upToDate: 0, pending: 0, suspended: 0 };

/**
 * Counts the templates of every policy by listening to decisions that are made anyway: each costs one look at one
 * template, however many its policy manages.
 */
export class Tally {
  readonly #view: View;
  readonly #onChange: (policyKey: string) => void;
  readonly #standings = new Map<string, TemplateStatus>();
  /** By the permanent id of the policy: one of the same name that comes later starts at nothing. */
  readonly #counts = new Map<string, PolicyCounts>();

  #unplaced = 0;

  /** `onChange` is told of every policy that may have to say something new. */
  constructor(view: View, onChange: (policyKey: string) => void = () => {}) {
    this.#view = view;
    this.#onChange = onChange;
  }

  of(policyId: string | undefined): PolicyCounts {
    return (policyId !== undefined && this.#counts.get(policyId)) || none;
  }

  /** All policies together. */
  get totals(): Totals {
    const totals = { templates: 0, upToDate: 0, pending: 0, suspended: 0, unplaced: this.#unplaced };
    for (const counts of this.#counts.values())
      for (const state of Object.keys(none) as (keyof PolicyCounts)[]) totals[state] += counts[state];
    return totals;
  }

  /** How many templates of all policies are in which state, the worst that is true of each. Looks at every template. */
  get states(): StateCounts {
    const counts = { failing: 0, unhealthy: 0, suspended: 0, pending: 0, progressing: 0, inEffect: 0 };
    for (const [key, { pending, overridesWait }] of this.#standings) {
      const template = this.#view.get(key);
      if (template) counts[stateOf(this.#view, template, pending || overridesWait)]++;
    }
    return counts;
  }

  /** Hears what was decided; undefined when what was asked about is gone. */
  hear(question: Question, key: string, decision: Decision | undefined): void {
    if (question === 'claim') this.#hearClaim(key, decision);
    else if (question === 'render' || question === 'schedule') this.#look(key);
    else if (question === 'policy') this.#onChange(key);
  }

  #hearClaim(key: string, decision: Decision | undefined): void {
    const template = this.#view.get(key);
    this.#put(key, template && decision && templateStatusOf(this.#view, template, decision));
  }

  /** A suspension or a placement of the template has changed; the managing policy is the same. */
  #look(bindingKey: string): void {
    const binding = this.#view.get(bindingKey) as Binding | undefined;
    const key = binding && keyOf(binding.spec.resource);
    const known = key && this.#standings.get(key);
    const template = known && this.#view.get(key);
    if (!template) return;
    this.#put(key, { ...known, ...blockedBy(this.#view, template) });
  }

  #put(key: string, status: TemplateStatus | undefined): void {
    const before = this.#standings.get(key);
    if (!before && !status) return;
    if (before && status && isSame(before, status)) return;
    if (status) this.#standings.set(key, status);
    else this.#standings.delete(key);
    if (before) this.#count(before, -1);
    if (status) this.#count(status, 1);
  }

  #count(status: TemplateStatus, by: 1 | -1): void {
    const { claim, follows, suspended, overridesWait, unplaced } = status;
    const pending = status.pending || overridesWait;
    const { templates, ...others } = this.of(claim.id);
    const counts: PolicyCounts = {
      templates: templates + by,
      upToDate: others.upToDate + (follows && !suspended && !overridesWait && !unplaced ? by : 0),
      pending: others.pending + (pending ? by : 0),
      suspended: others.suspended + (suspended ? by : 0),
    };
    if (unplaced) this.#unplaced += by;
    if (counts.templates > 0) this.#counts.set(claim.id, counts);
    else this.#counts.delete(claim.id);
    this.#onChange(policyKeyOf(claim));
  }
}

function isSame(a: TemplateStatus, b: TemplateStatus): boolean {
  return (
    a.claim.id === b.claim.id &&
    a.claim.name === b.claim.name &&
    a.follows === b.follows &&
    a.pending === b.pending &&
    a.suspended === b.suspended &&
    a.overridesWait === b.overridesWait &&
    a.unplaced === b.unplaced
  );
}

function policyKeyOf({ family, name, namespace }: Claim): string {
  return keyOf({ apiVersion: policyApi, kind: family.kind, ...(namespace && { namespace }), name });
}
