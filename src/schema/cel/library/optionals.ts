import { Optional } from '@marcbachmann/cel-js';
import type { Environment } from '@marcbachmann/cel-js';
import { fail } from '../failure.ts';

const sync = { async: false } as const;

/** The parts of the checker, the evaluator and their context that macros need; the package declares none of them. */
interface Machine {
  check(node: unknown, context: CelContext): CelType;
  run(node: unknown, context: CelContext): unknown;
  getType(name: string): CelType;
}
interface CelType {
  readonly name: string;
  readonly kind: string;
  readonly valueType?: CelType;
}
interface CelContext {
  forkWithVariable(name: string, type: CelType): CelContext;
  reuse(context: CelContext): CelContext;
  setIterValue(value: unknown, machine: Machine): CelContext;
}

interface MacroCall {
  readonly args: readonly [{ readonly op: string; readonly args: unknown }, unknown];
  readonly receiver: unknown;
}

interface Macro {
  readonly name: string;
  readonly flat: boolean;
  readonly receiver: unknown;
  readonly body: unknown;
  inner?: CelContext;
  readonly typeCheck: (checker: Machine, macro: Macro, context: CelContext) => CelType;
  readonly evaluate: (machine: Machine, macro: Macro, context: CelContext) => unknown;
  readonly async: false;
}

/** Optionals: optMap and optFlatMap, which look inside, and optional.ofNonZeroValue. */
export function registerOptionals(env: Environment): void {
  env.registerFunction('optional.optMap(ast, ast): optional<dyn>', macroOf(false) as never, sync);
  env.registerFunction('optional.optFlatMap(ast, ast): optional<dyn>', macroOf(true) as never, sync);
  env.registerFunction('OptionalNamespace.ofNonZeroValue(dyn): optional<dyn>', ofNonZeroValue, sync);
}

function ofNonZeroValue(_: unknown, value: unknown): unknown {
  return isZero(value) ? Optional.none() : Optional.of(value);
}

const macroOf =
  (flat: boolean) =>
  ({ args: [variable, body], receiver }: MacroCall): Macro => {
    if (variable.op !== 'id') throw fail('the variable of optMap and optFlatMap must be a simple identifier');
    return { name: String(variable.args), flat, receiver, body, typeCheck, evaluate, async: false };
  };

function typeCheck(checker: Machine, macro: Macro, context: CelContext): CelType {
  const outer = checker.check(macro.receiver, context);
  macro.inner = context.forkWithVariable(macro.name, outer.valueType ?? checker.getType('dyn'));
  const type = checker.check(macro.body, macro.inner);
  return macro.flat ? type : checker.getType(`optional<${type.name}>`);
}

function evaluate(machine: Machine, macro: Macro, context: CelContext): unknown {
  const outer = machine.run(macro.receiver, context);
  if (!(outer instanceof Optional)) throw fail('no such overload: optMap needs an optional');
  if (!outer.hasValue() || !macro.inner) return Optional.none();
  const value = machine.run(macro.body, macro.inner.reuse(context).setIterValue(outer.value(), machine));
  return macro.flat ? value : Optional.of(value);
}

function isZero(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0;
  return value === null || value === '' || value === false || value === 0 || value === 0n;
}
