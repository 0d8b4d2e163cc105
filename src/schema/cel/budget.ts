import { forbiddenField } from '../../api/index.ts';
import type { FieldError } from '../../api/index.ts';

/** The most that one rule may cost for all values of an object together; kube-apiserver's number. */
const mostOfRule = 10_000_000;
/** The most that all rules of a schema may cost together; kube-apiserver's number. */
const mostOfAll = 100_000_000;
/** How many of the most expensive rules are named when all together are too expensive. */
const named = 4;

interface Expense {
  readonly field: string;
  readonly cost: number;
}

/** The estimated cost of the rules of one schema, added up as they are found. */
export class CostBudget {
  readonly #expenses: Expense[] = [];

  /** Adds an expression; what is wrong when it alone is too expensive. */
  add(field: string, what: 'rule' | 'messageExpression', cost: number): FieldError[] {
    this.#expenses.push({ field: `${field}.${what}`, cost });
    if (cost <= mostOfRule) return [];
    return [forbiddenField(`${field}.${what}`, `estimated ${what} cost ${words(cost / mostOfRule)}`)];
  }

  /** The errors of all of them together. */
  errors(path: string): FieldError[] {
    const total = this.#expenses.reduce((sum, { cost }) => sum + cost, 0);
    if (total <= mostOfAll) return [];
    const large = this.#expenses.filter(({ cost }) => cost >= mostOfAll / 100).sort((a, b) => b.cost - a.cost);
    const part = 'contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema';
    const whole = `x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema ${words(total / mostOfAll)}`;
    return [...large.slice(0, named).map(({ field }) => forbiddenField(field, part)), forbiddenField(path, whole)];
  }
}

/** Says this error that rules are too expensive, and nothing else? */
export function isCostError({ type, detail = '' }: FieldError): boolean {
  return (
    type === 'forbidden' &&
    /^(contributed to |x-kubernetes-validations )?estimated (rule|messageExpression) cost/.test(detail)
  );
}

function words(factor: number): string {
  const advice =
    '(try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)';
  return `exceeds budget by factor of ${factorText(factor)} ${advice}`;
}

function factorText(factor: number): string {
  if (factor > 100) return 'more than 100x';
  return factor < 1.5 ? `${factor.toFixed(6)}x` : `${factor.toFixed(1)}x`;
}
