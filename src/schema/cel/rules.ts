import type { FieldError, ValidationRule } from '../../api/index.ts';
import { isObject } from '../../base/index.ts';
import type { Node } from '../structural/node.ts';
import { counterpart } from '../structural/ratchet.ts';
import type { Run } from '../structural/run.ts';
import { BudgetError, isSpent, refill } from './meter.ts';
import { compileRules, optionalOf } from './rule.ts';
import type { CompiledRule, CompiledRules } from './rule.ts';

/** The rules of a schema and of those inside it; a part without rules is not there. */
interface RuleTree {
  readonly node: Node;
  readonly own: CompiledRules | undefined;
  readonly properties: ReadonlyMap<string, RuleTree>;
  readonly additional: RuleTree | undefined;
  readonly items: RuleTree | undefined;
}

const trees = new WeakMap<Node, RuleTree | null>();

function treeOf(node: Node, root: boolean): RuleTree | undefined {
  const known = trees.get(node);
  if (known !== undefined) return known ?? undefined;
  // A schema that contains itself, as none of a custom resource can, ends here.
  trees.set(node, null);
  const tree = grown(node, root);
  const isBare = !tree.own && tree.properties.size === 0 && !tree.additional && !tree.items;
  trees.set(node, isBare ? null : tree);
  return isBare ? undefined : tree;
}

function grown(node: Node, root: boolean): RuleTree {
  const properties = new Map<string, RuleTree>();
  for (const [name, child] of node.properties) {
    const tree = treeOf(child, false);
    if (tree) properties.set(name, tree);
  }
  const own = node.schema['x-kubernetes-validations']?.length ? compileRules(node.schema, root) : undefined;
  return { node, own, properties, additional: inner(node.additional), items: inner(node.items) };
}

function inner(node: Node | undefined): RuleTree | undefined {
  return node && treeOf(node, false);
}

/** Tells whether the schema has any rule. */
export function hasRules(node: Node): boolean {
  return treeOf(node, true) !== undefined;
}

/** A value after and before; `before` is undefined where nothing corresponds. */
interface Transition {
  readonly after: unknown;
  readonly before: unknown;
}

/** Asks all rules of a schema about an object, or about its change, and tells the run what they refuse. */
export function askRules(node: Node, change: Transition, run: Run): void {
  const tree = treeOf(node, true);
  if (!tree) return;
  refill();
  walk(tree, change, run);
}

function walk(tree: RuleTree, change: Transition, run: Run): void {
  const { after } = change;
  if (after === undefined || after === null || isSpent()) return;
  if (tree.own) askOwn(tree, change, run);
  if (Array.isArray(after)) walkItems(tree, change, run);
  else if (isObject(after)) walkMembers(tree, change, run);
}

function walkItems({ node, items }: RuleTree, { after, before }: Transition, run: Run): void {
  if (!items) return;
  (after as readonly unknown[]).forEach((item, i) =>
    run.below(i, () => walk(items, { after: item, before: counterpart(node, before, item) }, run)),
  );
}

function walkMembers(tree: RuleTree, { after, before }: Transition, run: Run): void {
  const old = isObject(before) ? before : {};
  for (const [key, member] of Object.entries(after as Record<string, unknown>)) {
    const child = tree.properties.get(key) ?? (tree.node.properties.has(key) ? undefined : tree.additional);
    if (child) run.below(key, () => walk(child, { after: member, before: old[key] }, run));
  }
}

function askOwn({ node, own }: RuleTree, { after, before }: Transition, run: Run): void {
  if (!own) return;
  const self = own.declared.convert(after);
  const oldSelf = before === undefined || before === null ? undefined : own.declared.convert(before);
  for (const rule of own.rules) {
    const context = contextOf(rule, self, oldSelf);
    const error = context && refusal(rule, context, node.schema.type ?? '');
    if (error) report(error, rule, run);
    if (isSpent()) return;
  }
}

/** The variables of a rule; undefined when it is about a change and there was no old value. */
function contextOf({ rule, usesOldSelf }: CompiledRule, self: unknown, oldSelf: unknown): Selves | undefined {
  if (rule.optionalOldSelf) return { self, oldSelf: optionalOf(oldSelf) };
  return usesOldSelf && oldSelf === undefined ? undefined : { self, oldSelf };
}

interface Selves {
  readonly self: unknown;
  readonly oldSelf: unknown;
}

type RuleRefusal = Omit<FieldError, 'field'> & { readonly below?: string };

/** Why a rule refuses a value; undefined when it does not. */
function refusal(compiled: CompiledRule, context: Selves, type: string): RuleRefusal | undefined {
  const { rule, program, error } = compiled;
  if (!program) return { type: 'invalid', value: type, detail: `rule compile error: ${error ?? ''}` };
  try {
    const verdict: unknown = program({ ...context });
    // An `||` swallows the failure of one side, also that of a side which has used up the budget.
    if (isSpent()) throw new BudgetError();
    if (verdict === true) return undefined;
  } catch (failure) {
    return { type: 'invalid', value: type, detail: failureWords(failure, rule) };
  }
  const detail = messageOf(compiled, context);
  return { ...byReason(rule.reason, type, detail), ...(rule.fieldPath && { below: rule.fieldPath }) };
}

function failureWords(failure: unknown, rule: ValidationRule): string {
  const subject = (rule.message || rule.rule).trim();
  if (failure instanceof BudgetError) {
    return `'operation cancelled: actual cost limit exceeded': no further validation rules will be run due to call cost exceeds limit for rule: ${subject}`;
  }
  const words = summaryOf(failure);
  if (words.startsWith('no such overload') || words.startsWith('found no matching overload')) {
    return `'no such overload': call arguments did not match a supported operator, function or macro signature for rule: ${subject}`;
  }
  return `${words} evaluating rule: ${subject}`;
}

/** The failure of a rule, in the words of Kubernetes. */
export function summaryOf(failure: unknown): string {
  const summary = (failure as { summary?: string }).summary ?? String(failure);
  const index = /index out of bounds, index (-?\d+)/.exec(summary);
  return index ? `index out of bounds: ${index[1]}` : summary.charAt(0).toLowerCase() + summary.slice(1);
}

function messageOf({ rule, message }: CompiledRule, context: Selves): string {
  const fallback = rule.message ? rule.message.trim() : `failed rule: ${rule.rule.trim()}`;
  if (!message) return fallback;
  try {
    const text: unknown = message({ ...context });
    const usable = typeof text === 'string' && text.trim() !== '' && !text.includes('\n');
    return usable ? text.trim() : fallback;
  } catch {
    return fallback;
  }
}

function byReason(reason: string | undefined, value: string, detail: string): RuleRefusal {
  switch (reason) {
    case 'FieldValueForbidden':
      return { type: 'forbidden', detail };
    case 'FieldValueRequired':
      return { type: 'required', detail };
    case 'FieldValueDuplicate':
      return { type: 'duplicate', value };
    default:
      return { type: 'invalid', value, detail };
  }
}

/** A refusal of a transition stands although the value is what it was: the rule has looked at both. */
function report({ below, ...error }: RuleRefusal, { usesOldSelf }: CompiledRule, run: Run): void {
  const field = run.field() + (below ? normalized(below, run.path.length > 0) : '');
  const finding = { error: { ...error, field }, steps: [...run.path] };
  run.findings.push(usesOldSelf ? { ...finding, transition: true } : finding);
}

/** `.a['b.c']` as the path of a field: `.a.b.c` reads wrong, so what is not a plain name stays in brackets. */
function normalized(path: string, nested: boolean): string {
  const text = path.replaceAll(/\['([^']*)'\]/g, '[$1]');
  return nested ? text : text.replace(/^\./, '');
}
