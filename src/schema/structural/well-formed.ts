import type { Members } from '../../base/index.ts';
import { bitOf } from './jsontype.ts';
import type { Node } from './node.ts';
import { isLeftOut } from './prune.ts';
import { Run } from './run.ts';

/**
 * Tells whether an object of a built-in kind fits its schema exactly: no field is unknown, to be pruned, or wrong. Of
 * most objects this one walk tells what three others would. `false` only means that they have to look.
 */
export function isWellFormed(node: Node, object: unknown): boolean {
  return isFine(node, object, 'root');
}

/** Takes the complaints of checks; that there are any is all that counts. */
const ear = new Run();

/** True when required fields must be there. Nobody demands it of what is below the status. */
type Strict = boolean | 'root';

function isFine(node: Node, value: unknown, strict: Strict): boolean {
  if (value === null || node.custom || node.branches) return false;
  if (node.types !== 0 && (node.types & bitOf(value)) === 0) return false;
  if (node.checks.length > 0 && !passes(node, value)) return false;
  if (typeof value !== 'object') return true;
  return Array.isArray(value) ? isFineList(node, value, strict) : isFineObject(node, value as Members, strict);
}

function passes(node: Node, value: unknown): boolean {
  for (const check of node.checks) check(value, ear);
  if (ear.findings.length === 0) return true;
  ear.findings = [];
  return false;
}

function isFineList({ items, preserve }: Node, list: readonly unknown[], strict: Strict): boolean {
  if (!items) return preserve;
  for (let i = 0; i < list.length; i++) if (!isFine(items, list[i], strict)) return false;
  return true;
}

function isFineObject(node: Node, value: Members, strict: Strict): boolean {
  for (const key in value) {
    const below = strict === 'root' ? key !== 'status' : strict;
    if (!isFineMember({ node, key, member: value[key] }, below)) return false;
  }
  return !strict || hasRequired(node, value);
}

interface Member {
  readonly node: Node;
  readonly key: string;
  readonly member: unknown;
}

function isFineMember({ node, key, member }: Member, strict: boolean): boolean {
  const child = node.properties.get(key) ?? node.additional;
  if (!child) return node.preserve && !node.closed;
  return isFine(child, member, strict) && !(typeof member === 'object' && isLeftOut(node, key, member));
}

function hasRequired({ required }: Node, value: Members): boolean {
  for (const key of required) if (value[key] === undefined) return false;
  return true;
}
