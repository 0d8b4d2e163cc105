import { ownMember } from '../../base/index.ts';
import { bitOf, typeNameOf } from './jsontype.ts';
import type { Node } from './node.ts';
import { Run } from './run.ts';
import type { Finding } from './run.ts';

/** Everything about a value that its schema does not allow; CEL rules are asked apart. */
export function findingsOf(node: Node, value: unknown): readonly Finding[] {
  const run = new Run();
  walk(node, value, run);
  return run.findings;
}

function walk(node: Node, value: unknown, run: Run): void {
  if (value === null) {
    if (!node.nullable) checkNull(node, run);
    return;
  }
  if (node.types !== 0 && (node.types & bitOf(value)) === 0) wrongType(node, typeNameOf(value), run);
  if (node.branches) checkBranches(node, value, run);
  for (const check of node.checks) check(value, run);
  if (Array.isArray(value)) walkList(node, value, run);
  else if (typeof value === 'object') walkObject(node, value as Record<string, unknown>, run);
}

function checkNull(node: Node, run: Run): void {
  if (node.types !== 0) wrongType(node, 'null', run);
  for (const check of node.checks) if (node.schema.enum) check(null, run);
}

function wrongType(node: Node, name: string, run: Run): void {
  const detail = `${run.field()} in body must be of type ${node.typeText}: "${name}"`;
  run.fail({ type: 'typeInvalid', value: name, detail });
}

function walkList(node: Node, items: readonly unknown[], run: Run): void {
  const { items: item } = node;
  if (!item) return;
  for (let i = 0; i < items.length; i++) {
    run.path.push(i);
    walk(item, items[i], run);
    run.path.pop();
  }
}

function walkObject(node: Node, value: Record<string, unknown>, run: Run): void {
  for (const key in value) {
    const member = value[key];
    if (member === undefined) continue;
    const child = node.properties.get(key) ?? node.additional;
    if (child) {
      run.path.push(key);
      walk(child, member, run);
      run.path.pop();
    } else if (node.closed) run.invalid(key, `is a forbidden property`);
  }
  for (const key of node.required) if (isMissing(node, ownMember(value, key), run)) requireField(key, run);
  if (node.embedded) checkEmbedded(node, value, run);
}

/**
 * Go cannot tell null from absent, so neither do the built-in kinds; and what their controllers
 * leave out of a status is a zero, which nobody checks.
 */
function isMissing(node: Node, member: unknown, run: Run): boolean {
  if (node.custom) return member === undefined;
  return (member === undefined || member === null) && run.path[0] !== 'status';
}

function requireField(key: string, run: Run): void {
  run.below(key, () => run.fail({ type: 'required', detail: '' }));
}

function checkEmbedded(node: Node, value: Record<string, unknown>, run: Run): void {
  for (const key of ['apiVersion', 'kind']) {
    const text = value[key];
    if (text === undefined && !node.required.includes(key)) requireField(key, run);
    if (text === undefined || (typeof text === 'string' && text !== '')) continue;
    const detail = text === '' ? 'must not be empty' : 'must be a string';
    run.below(key, () => run.fail({ type: 'invalid', value: text, detail }));
  }
  const { objectMeta } = node;
  if (objectMeta && value['metadata'] !== undefined) {
    run.below('metadata', () => walk(objectMeta, value['metadata'], run));
  }
}

function checkBranches(node: Node, value: unknown, run: Run): void {
  const { allOf, anyOf, oneOf, not } = node;
  if (anyOf.length > 0) checkAny(anyOf, value, run);
  if (oneOf.length > 0) checkOne(oneOf, value, run);
  if (allOf.length > 0) checkAll(allOf, value, run);
  if (not && attempt(not, value, run).length === 0) run.failSchema('must not validate the schema (not)');
}

/** The findings of a branch, without recording them. */
function attempt(node: Node, value: unknown, run: Run): Finding[] {
  const before = run.findings;
  run.findings = [];
  walk(node, value, run);
  const found = run.findings;
  run.findings = before;
  return found;
}

/** The failures that come closest to success tell the user most. */
function fewest(failures: readonly Finding[][]): Finding[] {
  return failures.reduce((best, one) => (one.length < best.length ? one : best));
}

function checkAny(branches: readonly Node[], value: unknown, run: Run): void {
  const failures: Finding[][] = [];
  for (const branch of branches) {
    const found = attempt(branch, value, run);
    if (found.length === 0) return;
    failures.push(found);
  }
  run.failSchema('must validate at least one schema (anyOf)');
  run.take(fewest(failures));
}

function checkOne(branches: readonly Node[], value: unknown, run: Run): void {
  const results = branches.map((branch) => attempt(branch, value, run));
  const valid = results.filter((found) => found.length === 0).length;
  if (valid === 1) return;
  const count = valid === 0 ? 'Found none valid' : `Found ${valid} valid alternatives`;
  run.failSchema(`must validate one and only one schema (oneOf). ${count}`);
  if (valid === 0) run.take(fewest(results));
}

function checkAll(branches: readonly Node[], value: unknown, run: Run): void {
  const results = branches.map((branch) => attempt(branch, value, run));
  const failed = results.filter((found) => found.length > 0);
  if (failed.length === 0) return;
  run.take(failed.flat());
  run.failSchema(`must validate all the schemas (allOf)${failed.length === branches.length ? '. None validated' : ''}`);
}
