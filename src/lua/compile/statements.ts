import type { Block, Local, Statement, Target } from '../ast.ts';
import { Table } from '../table.ts';
import { isTrue, LuaError, typeOf } from '../value.ts';
import type { Value } from '../value.ts';
import { closure, compile, compileAll, compileList, put } from './expressions.ts';
import { broken, call, jumping, onward, returned } from './frame.ts';
import type { Box, Execute, Flow, Frame } from './frame.ts';
import { nameOf, operand } from './operators.ts';

/** Compiles a block to a function that runs it and says how it ended. */
export function compileBlock({ statements, costs }: Block): Execute {
  const steps = statements.map(compileStatement);
  const labels = new Map<string, number>();
  for (const [index, statement] of statements.entries())
    if (statement.type === 'label') labels.set(statement.label, index);
  return (frame) => {
    const { budget } = frame.run;
    for (let index = 0; index < steps.length; index++) {
      budget.spend(costs[index] ?? 1);
      const flow = (steps[index] as Execute)(frame);
      if (flow === onward) continue;
      const label = flow === jumping ? labels.get(frame.label) : undefined;
      if (label === undefined) return flow;
      index = label;
    }
    return onward;
  };
}

type Of<Type extends Statement['type']> = Extract<Statement, { readonly type: Type }>;

function compileStatement(statement: Statement): Execute {
  switch (statement.type) {
    case 'local':
      return declare(statement);
    case 'localFunction':
      return declareFunction(statement);
    case 'assign':
      return assign(statement);
    case 'call': {
      const run = compileAll(statement.call);
      return (frame) => {
        run(frame);
        return onward;
      };
    }
    case 'if':
      return branch(statement);
    case 'return':
      return leave(statement);
    default:
      return compileFlow(statement);
  }
}

function compileFlow(
  statement: Of<'do' | 'while' | 'repeat' | 'count' | 'each' | 'break' | 'goto' | 'label'>,
): Execute {
  switch (statement.type) {
    case 'do':
      return compileBlock(statement.block);
    case 'while':
      return loop(statement);
    case 'repeat':
      return loopUntil(statement);
    case 'count':
      return count(statement);
    case 'each':
      return each(statement);
    case 'break':
      return () => broken;
    case 'goto': {
      const { label } = statement;
      return (frame) => {
        frame.label = label;
        return jumping;
      };
    }
    default:
      return () => onward;
  }
}

/** Gives a variable its first value: each run of a block has variables of its own. */
function begin({ slots }: Frame, { slot, isCaptured }: Local, value: Value): void {
  slots[slot] = isCaptured ? { value } : value;
}

function declare({ locals, values }: Of<'local'>): Execute {
  const [local] = locals;
  const [value] = values;
  if (local && value && locals.length === 1 && values.length === 1) {
    const one = compile(value);
    return (frame) => {
      begin(frame, local, one(frame));
      return onward;
    };
  }
  const all = compileList(values);
  return (frame) => {
    const found = all(frame);
    for (let index = 0; index < locals.length; index++) begin(frame, locals[index] as Local, found[index]);
    return onward;
  };
}

function declareFunction({ local, body }: Of<'localFunction'>): Execute {
  const make = closure(body);
  return (frame) => {
    begin(frame, local, undefined);
    const made = make(frame);
    if (local.isCaptured) (frame.slots[local.slot] as Box).value = made;
    else frame.slots[local.slot] = made;
    return onward;
  };
}

type Store = (frame: Frame, value: Value) => void;

/** Finds the place to store to, before the values are computed. */
function compileTarget(target: Target): (frame: Frame) => Store {
  if (target.type === 'index') return indexTarget(target);
  const { variable } = target;
  if (variable.type === 'global') {
    const { name } = variable;
    return () => (frame, value) => frame.run.globals.set(name, value);
  }
  if (variable.type === 'outer') {
    const { index } = variable;
    return () => (frame, value) => {
      (frame.outer[index] as Box).value = value;
    };
  }
  const { local } = variable;
  const { slot } = local;
  return () =>
    local.isCaptured
      ? ({ slots }, value) => {
          (slots[slot] as Box).value = value;
        }
      : ({ slots }, value) => {
          slots[slot] = value;
        };
}

function indexTarget({ object, key, line }: Extract<Target, { readonly type: 'index' }>): (frame: Frame) => Store {
  const [base, which] = [compile(object), compile(key)];
  const name = nameOf(object);
  return (frame) => {
    const found = base(frame);
    const at = which(frame);
    return (_, value) => {
      if (!(found instanceof Table)) {
        const what = typeof at === 'string' ? ` (setting '${at}')` : '';
        throw new LuaError(`attempt to index a ${typeOf(found)} value${name}${what}`, line);
      }
      put(found, [at, value], line);
    };
  };
}

function assign({ targets, values }: Of<'assign'>): Execute {
  const [target] = targets;
  const [value] = values;
  if (target && value && targets.length === 1 && values.length === 1) {
    const [store, one] = [compileTarget(target), compile(value)];
    return (frame) => {
      store(frame)(frame, one(frame));
      return onward;
    };
  }
  const stores = targets.map(compileTarget);
  const all = compileList(values);
  return (frame) => {
    const found = stores.map((store) => store(frame));
    const results = all(frame);
    for (let index = found.length - 1; index >= 0; index--) found[index]?.(frame, results[index]);
    return onward;
  };
}

function branch({ branches, otherwise }: Of<'if'>): Execute {
  const compiled = branches.map(({ condition, block }) => [compile(condition), compileBlock(block)] as const);
  const last: Execute = otherwise ? compileBlock(otherwise) : () => onward;
  return (frame) => {
    for (const [condition, run] of compiled) if (isTrue(condition(frame))) return run(frame);
    return last(frame);
  };
}

function leave({ values }: Of<'return'>): Execute {
  const all = compileList(values);
  return (frame) => {
    frame.results = all(frame);
    return returned;
  };
}

/** The steps that one turn of a loop costs, besides its block. */
const turn = 3;

/** Tells whether the loop ends with this. A `break` ends it and nothing else. */
const ends = (flow: Flow): boolean => flow !== onward;
const after = (flow: Flow): Flow => (flow === broken ? onward : flow);

function loop({ condition, block }: Of<'while'>): Execute {
  const [goesOn, run] = [compile(condition), compileBlock(block)];
  return (frame) => {
    while (isTrue(goesOn(frame))) {
      frame.run.budget.spend(turn);
      const flow = run(frame);
      if (ends(flow)) return after(flow);
    }
    return onward;
  };
}

function loopUntil({ condition, block }: Of<'repeat'>): Execute {
  const [isDone, run] = [compile(condition), compileBlock(block)];
  return (frame) => {
    do {
      frame.run.budget.spend(turn);
      const flow = run(frame);
      if (ends(flow)) return after(flow);
    } while (!isTrue(isDone(frame)));
    return onward;
  };
}

function count({ local, range, block, line }: Of<'count'>): Execute {
  const bounds = range.map(compile);
  const run = compileBlock(block);
  return (frame) => {
    const place = { line, run: frame.run };
    const [first = 0, last = 0, step = 1] = bounds.map((bound) => operand(bound(frame), place));
    if (step === 0) throw new LuaError("'for' step is zero", line);
    for (let value = first; step > 0 ? value <= last : value >= last; value += step) {
      frame.run.budget.spend(turn);
      begin(frame, local, value);
      const flow = run(frame);
      if (ends(flow)) return after(flow);
    }
    return onward;
  };
}

function each({ locals, values, block, line }: Of<'each'>): Execute {
  const all = compileList(values);
  const run = compileBlock(block);
  return (frame) => {
    const [next, state, start] = all(frame);
    let control = start;
    for (;;) {
      frame.run.budget.spend(turn);
      frame.run.line = line;
      const found = call(frame.run, next, [state, control]);
      control = found[0];
      if (control === undefined) return onward;
      for (let index = 0; index < locals.length; index++) begin(frame, locals[index] as Local, found[index]);
      const flow = run(frame);
      if (ends(flow)) return after(flow);
    }
  };
}
