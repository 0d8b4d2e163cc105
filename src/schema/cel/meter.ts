import type { ASTNode } from '@marcbachmann/cel-js';

/** The steps that all rules of one write may take together: well under a second of work. */
const mostSteps = 1_000_000;

/** Thrown when rules take more steps than they may. */
export class BudgetError extends Error {
  constructor() {
    super('call cost exceeds limit');
    this.name = 'BudgetError';
  }
}

/** Made once: rules that run away would otherwise spend their time on stack traces. */
const exceeded = new BudgetError();

// Evaluation never waits, so that the steps of one run cannot mix with those of another.
let left = mostSteps;

/** Begins a run with a full budget. */
export function refill(): void {
  left = mostSteps;
}

/** Tells whether the present run has used up its budget. */
export function isSpent(): boolean {
  return left < 0;
}

function spend(steps: number): void {
  left -= steps;
  if (left < 0) throw exceeded;
}

type Handle = (...operands: unknown[]) => unknown;

/** The fields of the evaluator at a node that its types do not declare. */
interface Inner {
  readonly op: string;
  args: unknown;
  handle?: Handle;
  evaluate: (this: unknown, ...rest: unknown[]) => unknown;
}

const weighed: ReadonlySet<string> = new Set(['in', '==', '!=', '+', 'call', 'rcall']);

/** The expansion of a macro call. */
interface Expansion {
  readonly macro?: unknown;
  readonly alternate?: unknown;
}

/** Every node of an expression, macros expanded. */
export function nodesOf(root: ASTNode): readonly Inner[] {
  const found: Inner[] = [];
  const seen = new Set<object>();
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null || seen.has(value)) return;
    seen.add(value);
    if (Array.isArray(value)) return value.forEach(visit);
    const node = value as Inner & { readonly meta?: Expansion };
    if (typeof node.op === 'string' && 'args' in node) {
      found.push(node);
      visit(node.args);
      visit(node.meta?.macro);
      visit(node.meta?.alternate);
    } else if (Object.getPrototypeOf(value) === Object.prototype) Object.values(value).forEach(visit);
  };
  visit(root);
  return found;
}

/** Makes an expression count its steps: one for each turn of a loop, and the size of what is compared or called with. */
export function meter(root: ASTNode): void {
  for (const node of nodesOf(root)) {
    if (node.op === 'comprehension') countTurns((node.args as { step: Inner }).step);
    const { handle } = node;
    if (!handle || !weighed.has(node.op)) continue;
    const isCall = node.op === 'call' || node.op === 'rcall';
    node.handle = (...operands) => {
      const weighty = isCall ? (operands[0] as unknown[]) : operands.slice(0, 2);
      spend(weighty.reduce<number>((sum, one) => sum + sizeOf(one), 1));
      return handle(...operands);
    };
  }
}

/** The evaluator replaces `evaluate` of a node by a faster one on first use; the count stays in front of both. */
function countTurns(step: Inner): void {
  let inner = step.evaluate;
  const counted = function (this: unknown, ...rest: unknown[]): unknown {
    spend(1);
    return Reflect.apply(inner, step, rest);
  };
  Object.defineProperty(step, 'evaluate', {
    get: () => counted,
    set: (faster: Inner['evaluate']) => {
      inner = faster;
    },
    configurable: true,
  });
}

/** Ten characters weigh as much as one item. */
function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length / 10;
  return Array.isArray(value) ? value.length : 0;
}
