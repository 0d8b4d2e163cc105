import { sortedGoJson } from '../go-json.ts';
import { isObject } from '../json.ts';
import type { Filter, Operator, Path, Slice, Step, Template } from './parse.ts';
import { TemplateError } from './scanner.ts';

/** Evaluates a template on a value and prints it as kubectl does. A path that finds nothing prints nothing. */
export function evaluate(template: Template, value: unknown): string {
  return template
    .map((part) => {
      if (part.is === 'text') return part.text;
      if (part.is === 'path') return found(part.path, [value]).map(textOf).join(' ');
      return found(part.over, [value])
        .map((item) => evaluate(part.body, item))
        .join('');
    })
    .join('');
}

/** A value as kubectl prints it within text: a text as it is, the rest as JSON. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : sortedGoJson(value);
}

/** The values that a path finds in a value; none where the path does not fit the value. */
export function valuesAt(path: Path, value: unknown): Values {
  try {
    return found(path, [value]);
  } catch (error) {
    if (error instanceof TemplateError) return [];
    throw error;
  }
}

type Values = readonly unknown[];

function found(path: Path, values: Values): Values {
  return path.reduce(after, values);
}

function after(values: Values, step: Step): Values {
  switch (step.is) {
    case 'field':
      return values.flatMap((value) => (isObject(value) && Object.hasOwn(value, step.name) ? [value[step.name]] : []));
    case 'wildcard':
      return values.flatMap(childrenOf);
    case 'recursive':
      return values.flatMap(descendantsOf);
    case 'index':
      return values.map((value) => itemAt(listOf(value), step.at));
    case 'slice':
      return values.flatMap((value) => sliced(listOf(value), step.slice));
    case 'union':
      return step.paths.flatMap((path) => found(path, values));
    case 'filter':
      return values.flatMap((value) => listOf(value).filter((item) => passes(item, step.filter)));
    case 'literal':
      return [step.value];
  }
  return step satisfies never;
}

function childrenOf(value: unknown): Values {
  if (Array.isArray(value)) return value as Values;
  return isObject(value)
    ? Object.keys(value)
        .sort()
        .map((key) => value[key])
    : [];
}

/** The value itself and everything below it that has something below. */
function descendantsOf(value: unknown): Values {
  const children = childrenOf(value);
  return children.length === 0 ? [] : [value, ...children.flatMap(descendantsOf)];
}

function listOf(value: unknown): Values {
  if (!Array.isArray(value)) throw new TemplateError(`${textOf(value)} is not a list`);
  return value as Values;
}

/** Less than 0 counts from the end. */
function fromStart(index: number, list: Values): number {
  return index < 0 ? index + list.length : index;
}

function itemAt(list: Values, index: number): unknown {
  const at = fromStart(index, list);
  if (!(at in list)) throw outOfBounds(at, list.length);
  return list[at];
}

function sliced(list: Values, { from = 0, to = list.length, step = 1 }: Slice): Values {
  const first = fromStart(from, list);
  const end = fromStart(to, list);
  if (first === end) return [];
  for (const at of [first, end - 1]) if (!(at in list)) throw outOfBounds(at, list.length);
  if (first > end) throw new TemplateError(`a slice begins at ${first} and ends before, at ${end}`);
  if (step <= 0) throw new TemplateError(`the step of a slice is ${step}, and must be more than 0`);
  return list.slice(first, end).filter((_, i) => i % step === 0);
}

function outOfBounds(index: number, length: number): TemplateError {
  return new TemplateError(`there is no item ${index} in a list of ${length}`);
}

function passes(item: unknown, { left, compare }: Filter): boolean {
  const lefts = found(left, [item]);
  if (!compare) return lefts.length > 0;
  const rights = found(compare.right, [item]);
  if (lefts.length > 1 || rights.length > 1) throw new TemplateError('only one value can be compared with one other');
  if (lefts.length === 0 || rights.length === 0) return false;
  return isMatch(lefts[0], compare.operator, rights[0]);
}

function isMatch(left: unknown, operator: Operator, right: unknown): boolean {
  if (typeof left !== typeof right || typeof left === 'object')
    throw new TemplateError(`${textOf(left)} and ${textOf(right)} cannot be compared`);
  const [a, b] = [left as string, right as string];
  switch (operator) {
    case '==':
      return a === b;
    case '!=':
      return a !== b;
    case '<':
      return a < b;
    case '<=':
      return a <= b;
    case '>':
      return a > b;
    case '>=':
      return a >= b;
  }
  return operator satisfies never;
}
