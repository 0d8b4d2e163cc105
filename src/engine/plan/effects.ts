import type { KubeObject, Ref } from '../../api/index.ts';
import { isSystemKey, refOf } from '../../api/index.ts';
import { equal } from '../../base/index.ts';
import { podTemplateOf, withoutReplicas } from '../interpret/index.ts';
import type { Reason } from '../reasons.ts';
import { memberKey } from '../world/index.ts';
import type { World } from '../world/index.ts';

/** The kinds of change to an object in a member. */
export type EffectKind = 'create' | 'update' | 'restart' | 'scale' | 'delete';

/**
 * When it happens: at once, when the template takes up what is pending, when a suspension ends, or when the member answers
 * again. An effect that waits for several of these is named by the first in the order pending, suspended, unreachable.
 */
export type When = 'now' | 'pending' | 'suspended' | 'unreachable';

/** Why a template does not take up what is pending: its policy is lazy, or the hub's policies are static. */
export type Waits = 'lazy' | 'static';

/** A policy as a plan names it. */
export interface PolicyName {
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
}

/** One thing that a change does, in one member. */
export interface Effect {
  readonly template: Ref;
  readonly cluster: string;
  readonly effect: EffectKind;
  readonly when: When;
  readonly because: Reason;
  /** Only of the deletion in a move: the copy stays until its replacement is healthy. */
  readonly after?: 'healthy';
  /** Only of what is pending. */
  readonly waits?: Waits;
  /** Only of what is unreachable: the members that have to answer first. */
  readonly waitsFor?: readonly string[];
  readonly policy?: PolicyName;
}

/** The state of one object in one member before and after. */
export interface Difference {
  readonly key: string;
  readonly member: string;
  readonly template: Ref;
  readonly effect: EffectKind;
  readonly before: KubeObject | undefined;
  readonly after: KubeObject | undefined;
}

/** The differences between the members of two worlds, the second of which came from the first. */
export function differences(before: World, after: World): readonly Difference[] {
  const found: Difference[] = [];
  for (const [member, key] of after.touchedInMembers()) {
    const was = before.inMember(member, key);
    const is = after.inMember(member, key);
    if (was === is) continue;
    const effect = effectOf(was, is);
    const object = is ?? was;
    if (effect && object)
      found.push({ key: memberKey(member, key), member, template: refOf(object), effect, before: was, after: is });
  }
  return found;
}

/**
 * Tells how one state differs from the other for the users of the object; undefined when only fields of the server
 * differ.
 */
export function effectOf(before: KubeObject | undefined, after: KubeObject | undefined): EffectKind | undefined {
  if (!before) return after && 'create';
  if (!after || (isLeaving(after) && !isLeaving(before))) return 'delete';
  return before.metadata.uid === after.metadata.uid ? changeOf(before, after) : 'restart';
}

function changeOf(before: KubeObject, after: KubeObject): EffectKind | undefined {
  const was = contentOf(before);
  const is = contentOf(after);
  if (equal(was, is)) return undefined;
  if (!equal(podTemplateOf(before), podTemplateOf(after))) return 'restart';
  if (equal(body(was), body(is))) return 'update';
  return equal(body(withoutReplicas(was)), body(withoutReplicas(is))) ? 'scale' : 'update';
}

/** Deleted, and kept for a while by finalizers of the member's own. */
function isLeaving({ metadata }: KubeObject): boolean {
  return metadata.deletionTimestamp !== undefined;
}

/** Everything but metadata; a scaling also renews notes there, ours and kubectl's, which nobody who runs it sees. */
function body(object: KubeObject): unknown {
  const { metadata, ...content } = object;
  return { ...content, labels: userKeys(metadata.labels), annotations: userKeys(metadata.annotations) };
}

function userKeys(map: Readonly<Record<string, string>> | undefined): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(map ?? {}).filter(([key]) => !isNote(key)));
}

function isNote(key: string): boolean {
  return key === 'kubectl.kubernetes.io/last-applied-configuration' || isSystemKey(key);
}

/** The object without what the member's server and controllers write. */
export function contentOf(object: KubeObject): KubeObject {
  const { status: _, metadata, ...content } = object as KubeObject & { readonly status?: unknown };
  const { name, namespace, labels, annotations } = metadata;
  return {
    ...content,
    metadata: { name, ...(namespace && { namespace }), ...(labels && { labels }), ...(annotations && { annotations }) },
  };
}
