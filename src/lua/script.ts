import { parse } from './parse/parser.ts';
import { closure } from './compile/expressions.ts';
import { call } from './compile/frame.ts';
import type { Frame, Run } from './compile/frame.ts';
import { compileBlock } from './compile/statements.ts';
import { toJson } from './json.ts';
import { SyntaxError } from './lexer.ts';
import { libraryOf } from './library/arguments.ts';
import { baseFunctions } from './library/base.ts';
import { mathLibrary } from './library/math.ts';
import { stringFunctions } from './library/strings.ts';
import { tableFunctions } from './library/tables.ts';
import { timeFunctions } from './library/time.ts';
import { Table, toValue } from './table.ts';
import { Budget, LimitError, LuaError } from './value.ts';
import type { LuaFunction, Value } from './value.ts';

/** A module that a script gets by `require`: functions from JSON to JSON. A `LuaError` is an error of the script. */
export type Module = Readonly<Record<string, (...args: readonly unknown[]) => unknown>>;

/** The modules, time and limits of a call. */
export interface CallOptions {
  readonly modules?: Readonly<Record<string, Module>>;
  /** The time that `os` tells, in seconds since 1970. */
  readonly now?: () => number;
  readonly limits?: { readonly steps: number; readonly bytes: number };
}

/** The answer of a script, or why it has none. */
export type ScriptResult = { readonly values: readonly unknown[] } | { readonly error: string };

/** A script that compiles. */
export interface Script {
  /**
   * Runs the script from its beginning, then the function of this name with these values of JSON. It sees nothing of
   * earlier calls, and ends, whatever it does: equal arguments give equal answers.
   */
  call(name: string, args: readonly unknown[], options?: CallOptions): ScriptResult;
}

/** Why a script does not compile. */
export interface CompileError {
  readonly line: number;
  readonly message: string;
}

/** Enough for statuses of hundreds of members; a fraction of a second of work, and 64 MiB. */
export const defaultLimits = { steps: 3_000_000, bytes: 64 * 1024 * 1024 } as const;

/** Compiles a script; an error says its line. */
export function compileScript(source: string): Script | CompileError {
  try {
    const make = closure(parse(source));
    return { call: (name, args, options = {}) => answer(make, { name, args, options }) };
  } catch (error) {
    if (error instanceof SyntaxError) return { line: error.line, message: error.message };
    if (error instanceof RangeError) return { line: 1, message: 'the script is nested too deeply' };
    throw error;
  }
}

interface Request {
  readonly name: string;
  readonly args: readonly unknown[];
  readonly options: CallOptions;
}

function answer(make: (frame: Frame) => LuaFunction, { name, args, options }: Request): ScriptResult {
  try {
    const run = runOf(options);
    const script = make({ run, slots: [], outer: [], varargs: [], results: [], label: '' });
    call(run, script, []);
    const called = run.globals.get(name);
    if (typeof called !== 'function') return { error: `the script has no function ${name}` };
    const values = call(
      run,
      called,
      args.map((one) => toValue(one, run.budget)),
    );
    return { values: values.map((value) => toJson(value, args)) };
  } catch (error) {
    return { error: messageOf(error) };
  }
}

function messageOf(error: unknown): string {
  if (error instanceof LuaError || error instanceof LimitError) return error.message;
  if (error instanceof RangeError) return 'the script is nested too deeply: it was ended';
  throw error;
}

function runOf({ modules = {}, now = () => 0, limits = defaultLimits }: CallOptions): Run {
  const budget = new Budget(limits);
  const globals = new Table(budget);
  const run: Run = { budget, globals, strings: new Table(budget), line: 0, now, compile: compileBlock };
  libraryOf(run, stringFunctions, run.strings);
  libraryOf(run, baseFunctions, globals);
  globals.set('string', run.strings);
  globals.set('table', libraryOf(run, tableFunctions));
  globals.set('math', mathLibrary(run));
  globals.set('os', libraryOf(run, timeFunctions));
  globals.set('_G', globals);
  globals.set('_VERSION', 'Lua 5.1');
  libraryOf(run, { require: (args) => [required(run, args.text(0), modules)] }, globals);
  return run;
}

/** An empty table is an argument, too. */
const argumentOf = (value: Value): unknown => toJson(value) ?? (value instanceof Table ? {} : undefined);

function required(run: Run, name: string, modules: Readonly<Record<string, Module>>): Value {
  const module = Object.hasOwn(modules, name) ? modules[name] : undefined;
  if (!module) throw new LuaError(`module '${name}' not found`, run.line);
  const table = new Table(run.budget);
  for (const [key, native] of Object.entries(module)) {
    table.set(key, (values) => {
      run.budget.spend(100);
      const { line } = run;
      try {
        return [toValue(native(...values.map(argumentOf)), run.budget)];
      } catch (error) {
        if (error instanceof LuaError && error.line === undefined) throw new LuaError(error.message, line);
        throw error;
      }
    });
  }
  return table;
}
