import type { KindInfo, KubeObject, User } from '../../api/index.ts';

export type Operation = 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';

/** A write that is about to happen, with everything that a plugin may judge it by. */
export interface AdmissionReview {
  readonly operation: Operation;
  readonly kind: KindInfo;
  readonly namespace: string;
  readonly name: string;
  readonly subresource: string;
  /** Not to be written to, nor kept. Absent for deletions. */
  readonly object?: KubeObject;
  /** Not to be written to. Absent for creations. */
  readonly old?: KubeObject;
  readonly user: User;
  readonly dryRun: boolean;
  /** The request's own options: a plugin must not do anything outside of the review when `dryRun` is set. */
  readonly force?: boolean;
}

/** A plugin lets the write pass, perhaps changed; it refuses by throwing an ApiError. */
export interface Admitted {
  readonly object?: KubeObject;
  readonly warnings?: readonly string[];
}

/** What somebody wants to do with objects of a kind; an empty name means all of them, an empty namespace all namespaces. */
export interface Intent {
  readonly verb: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

/** What a plugin may ask beyond its review. */
export interface Powers {
  /** May the user do this? */
  may(user: User, intent: Intent): boolean;
}

/** One plugin; they run in order, each sees what the one before made of the object. */
export type Admit = (review: AdmissionReview) => Promise<Admitted> | Admitted;

/** A plugin of the product's own: it may ask what the author of a write may do. */
export type AskingAdmit = (review: AdmissionReview, powers: Powers) => Promise<Admitted> | Admitted;

/** Runs all plugins; the result carries the object as the last one left it. */
export async function admitAll(plugins: readonly Admit[], review: AdmissionReview): Promise<Admitted> {
  let { object } = review;
  const warnings: string[] = [];
  for (const admit of plugins) {
    const answer = admit(object === review.object ? review : { ...review, ...(object && { object }) });
    // Most answer at once: who need not wait is not made to.
    const verdict = answer instanceof Promise ? await answer : answer;
    if (verdict.warnings) warnings.push(...verdict.warnings);
    if (verdict.object) ({ object } = verdict);
  }
  return { ...(object && { object }), warnings };
}
