import type { KindInfo, KubeObject, User } from '../../api/index.ts';
import { clone } from '../../base/index.ts';
import type { Draft } from '../../kinds/index.ts';
import type { Call } from '../call.ts';
import { shaped, tracked } from './draft.ts';

/** The operations that admission plugins see. */
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

/** An operation on objects of a kind that a user wants to do; an empty name means all of them, an empty namespace all namespaces. */
export interface Intent {
  readonly verb: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

/** Questions that a plugin may ask beyond its review. */
export interface Powers {
  /** Tells whether the user may do this. */
  may(user: User, intent: Intent): boolean;
}

/** One plugin; they run in order, each sees what the one before made of the object. */
export type Admit = (review: AdmissionReview) => Promise<Admitted> | Admitted;

/** A plugin of the product's own: it may ask what the author of a write may do. */
export type AskingAdmit = (review: AdmissionReview, powers: Powers) => Promise<Admitted> | Admitted;

/** Asks the plugins about a write, in order; returns the object as the last one left it. Throws the refusal of the first that refuses. */
export async function askPlugins(call: Call, review: AdmissionReview): Promise<KubeObject | undefined> {
  let { object } = review;
  const warnings: string[] = [];
  for (const admit of call.parts.admit) {
    const answer = admit(object === review.object ? review : { ...review, ...(object && { object }) });
    // Most plugins answer at once; awaiting them all the same would cost a turn each.
    const verdict = answer instanceof Promise ? await answer : answer;
    if (verdict.warnings) warnings.push(...verdict.warnings);
    if (verdict.object) ({ object } = verdict);
  }
  call.warnings.push(...warnings);
  return object;
}

/** The draft as the plugins left it, in the shape of its kind again; `old` when it replaces an object. */
export async function admitted(call: Call, draft: Draft, old?: KubeObject): Promise<Draft> {
  const { kind, parts, target, user, options } = call;
  if (parts.admit.length === 0) return draft;
  const object = await askPlugins(call, {
    operation: old ? 'UPDATE' : 'CREATE',
    kind,
    namespace: target.namespace,
    name: old ? target.name : draft.metadata.name,
    subresource: old ? target.subresource : '',
    object: draft,
    ...(old && { old }),
    user,
    dryRun: options.dryRun,
  });
  if (!object || object === draft) return draft;
  return tracked(call, shaped(call, clone({ ...object }), []), draft);
}
