import { equal, isObject } from '../../base/index.ts';
import { keyOf } from './duplicates.ts';
import type { Node } from './node.ts';
import type { Finding } from './run.ts';

/**
 * The findings that an update is to blame for: what an unchanged part had against it before stays tolerated,
 * so that a schema made stricter does not lock up the objects that exist.
 */
export function ratcheted(findings: readonly Finding[], change: ValidatedChange): readonly Finding[] {
  return findings.filter((finding) => finding.transition || !isUntouched(finding.steps, change));
}

/** An object before and after, and the node that describes both. */
export interface ValidatedChange {
  readonly node: Node;
  readonly before: unknown;
  readonly after: unknown;
}

function isUntouched(steps: readonly (string | number)[], change: ValidatedChange): boolean {
  let at: ValidatedChange | undefined = change;
  for (const step of steps) {
    at = stepInto(at, step);
    if (!at || at.before === undefined) return false;
    if (equal(at.before, at.after)) return at.after !== undefined;
  }
  return false;
}

/** Follows one step in both objects; items correspond by their keys, and in other lists not at all. */
function stepInto({ node, before, after }: ValidatedChange, step: string | number): ValidatedChange | undefined {
  if (typeof step === 'number') {
    if (!node.items || !Array.isArray(after)) return undefined;
    const item: unknown = after[step];
    return { node: node.items, before: counterpart(node, before, item), after: item };
  }
  const child = node.properties.get(step) ?? node.additional;
  if (!child || !isObject(before) || !isObject(after)) return undefined;
  return { node: child, before: before[step], after: after[step] };
}

/** The item of an old map list with the same keys. */
export function counterpart(node: Node, before: unknown, item: unknown): unknown {
  if (node.schema['x-kubernetes-list-type'] !== 'map' || !Array.isArray(before)) return undefined;
  const keys = node.schema['x-kubernetes-list-map-keys'] ?? [];
  const wanted = keyOf(item, keys);
  return before.find((one) => equal(keyOf(one, keys), wanted));
}
