import type { Call, Expression, FunctionBody, Index, Variable } from '../ast.ts';
import { Table } from '../table.ts';
import { isTrue, LuaError, typeOf } from '../value.ts';
import type { LuaFunction, Value } from '../value.ts';
import { binaryOf, lengthOf, nameOf, operand } from './operators.ts';
import { call } from './frame.ts';
import type { Box, Evaluate, EvaluateAll, Execute, Frame, Run } from './frame.ts';

/** Compiles an expression to a function that computes its (first) value. */
export function compile(expression: Expression): Evaluate {
  switch (expression.type) {
    case 'constant': {
      const { value } = expression;
      return () => value;
    }
    case 'variable':
      return readVariable(expression.variable);
    case 'index':
      return index(expression);
    case 'single':
      return compile(expression.of);
    case 'call':
    case 'varargs': {
      const all = compileAll(expression);
      return (frame) => all(frame)[0];
    }
    case 'function':
      return closure(expression.body);
    default:
      return operation(expression);
  }
}

type Operation = Extract<Expression, { readonly type: 'logic' | 'binary' | 'unary' | 'table' }>;

function operation(expression: Operation): Evaluate {
  switch (expression.type) {
    case 'logic':
      return logic(expression);
    case 'binary':
      return binary(expression);
    case 'unary':
      return unary(expression);
    default:
      return table(expression);
  }
}

/** Compiles an expression to a function that computes all its values: calls and `...` may have several. */
export function compileAll(expression: Expression): EvaluateAll {
  if (expression.type === 'call') return calling(expression);
  if (expression.type === 'varargs') return ({ varargs }) => varargs;
  const one = compile(expression);
  return (frame) => [one(frame)];
}

/** Compiles a list of expressions; the last one gives all its values. */
export function compileList(expressions: readonly Expression[]): EvaluateAll {
  const last = expressions.at(-1);
  if (!last) return () => [];
  if (expressions.length === 1) return compileAll(last);
  const first = expressions.slice(0, -1).map(compile);
  const isOpen = last.type === 'call' || last.type === 'varargs';
  const rest = compileAll(last);
  return (frame) => {
    const values: Value[] = first.map((one) => one(frame));
    if (!isOpen) values.push(rest(frame)[0]);
    else for (const value of rest(frame)) values.push(value);
    return values;
  };
}

function readVariable(variable: Variable): Evaluate {
  if (variable.type === 'local') {
    const { local } = variable;
    const { slot } = local;
    if (local.isCaptured) return ({ slots }) => (slots[slot] as Box).value;
    return ({ slots }) => slots[slot] as Value;
  }
  if (variable.type === 'outer') {
    const { index } = variable;
    return ({ outer }) => (outer[index] as Box).value;
  }
  const { name } = variable;
  return ({ run }) => run.globals.get(name);
}

function index({ object, key, line }: Index): Evaluate {
  const base = compile(object);
  const name = nameOf(object);
  if (key.type === 'constant') {
    const { value } = key;
    return (frame) => {
      const found = base(frame);
      return found instanceof Table ? found.get(value) : member(frame.run, found, { key: value, name, line });
    };
  }
  const which = compile(key);
  return (frame) => {
    const found = base(frame);
    const value = which(frame);
    return found instanceof Table ? found.get(value) : member(frame.run, found, { key: value, name, line });
  };
}

interface Access {
  readonly key: Value;
  readonly name: string;
  readonly line: number;
}

/** A method of a string; nothing else but tables has members. */
function member(run: Run, object: Value, { key, name, line }: Access): Value {
  if (typeof object === 'string') return run.strings.get(key);
  const what = typeof key === 'string' ? ` (reading '${key}')` : '';
  throw new LuaError(`attempt to index a ${typeOf(object)} value${name}${what}`, line);
}

function calling(expression: Call): EvaluateAll {
  const { callee, method, args, line } = expression;
  const all = compileList(args);
  if (method === undefined) {
    const target = compile(callee);
    const name = nameOf(callee);
    return (frame) => {
      const called = target(frame);
      const values = all(frame);
      return invoke(frame.run, called, { args: values, name, line });
    };
  }
  const base = compile(callee);
  const name = nameOf(callee);
  return (frame) => {
    const object = base(frame);
    const access = { key: method, name, line };
    const called = object instanceof Table ? object.get(method) : member(frame.run, object, access);
    return invoke(frame.run, called, { args: [object, ...all(frame)], name: ` '${method}'`, line });
  };
}

interface Invocation {
  readonly args: readonly Value[];
  readonly name: string;
  readonly line: number;
}

function invoke(run: Run, called: Value, { args, name, line }: Invocation): readonly Value[] {
  if (typeof called !== 'function') throw new LuaError(`attempt to call a ${typeOf(called)} value${name}`, line);
  run.line = line;
  return call(run, called, args);
}

/** Compiles a function; a run of it makes one that knows the variables around it. */
export function closure(body: FunctionBody): (frame: Frame) => LuaFunction {
  const { captures, slots: size, parameters, hasVarargs } = body;
  const count = parameters.length;
  let compiled: Execute | undefined;
  const captured = parameters.map((parameter) => parameter.isCaptured);
  return ({ run, slots: around, outer: further }) => {
    const outer = captures.map(({ local, index }) => (local ? around[index] : further[index]) as Box);
    run.budget.take(64);
    return (args) => {
      compiled ??= run.compile(body.block);
      const slots: (Value | Box)[] = [];
      for (let index = 0; index < size; index++) slots.push(undefined);
      for (let index = 0; index < count; index++) slots[index] = captured[index] ? { value: args[index] } : args[index];
      const varargs = hasVarargs ? args.slice(count) : nothing;
      const frame: Frame = { run, slots, outer, varargs, results: nothing, label: '' };
      compiled(frame);
      return frame.results;
    };
  };
}

const nothing: readonly Value[] = [];

function logic({ operator, left, right }: Extract<Expression, { readonly type: 'logic' }>): Evaluate {
  const [first, second] = [compile(left), compile(right)];
  if (operator === 'and') {
    return (frame) => {
      const value = first(frame);
      return isTrue(value) ? second(frame) : value;
    };
  }
  return (frame) => {
    const value = first(frame);
    return isTrue(value) ? value : second(frame);
  };
}

function binary({ operator, left, right, line }: Extract<Expression, { readonly type: 'binary' }>): Evaluate {
  const [first, second] = [compile(left), compile(right)];
  if (operator === '==') return (frame) => first(frame) === second(frame);
  if (operator === '~=') return (frame) => first(frame) !== second(frame);
  const compute = binaryOf(operator);
  return (frame) => {
    const value = first(frame);
    return compute(value, second(frame), { line, run: frame.run });
  };
}

function unary({ operator, of, line }: Extract<Expression, { readonly type: 'unary' }>): Evaluate {
  const value = compile(of);
  if (operator === 'not') return (frame) => !isTrue(value(frame));
  if (operator === '-') return (frame) => -operand(value(frame), { line, run: frame.run });
  return (frame) => lengthOf(value(frame), { line, run: frame.run });
}

function table({ items, entries, line }: Extract<Expression, { readonly type: 'table' }>): Evaluate {
  const list = compileList(items);
  const pairs = entries.map(([key, value]) => [compile(key), compile(value)] as const);
  return (frame) => {
    const made = new Table(frame.run.budget);
    for (const [key, value] of pairs) put(made, [key(frame), value(frame)], line);
    if (items.length > 0) made.setList(list(frame));
    return made;
  };
}

/** Sets an entry of a table, if the key can be one. */
export function put(object: Table, [key, value]: readonly [Value, Value], line: number): void {
  if (key === undefined) throw new LuaError('index is nil', line);
  if (typeof key === 'number' && Number.isNaN(key)) throw new LuaError('index is NaN', line);
  object.set(key, value);
}
