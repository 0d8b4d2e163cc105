import { Optional } from '@marcbachmann/cel-js';
import type { ASTNode, Environment, ParseError, ParseResult } from '@marcbachmann/cel-js';
import type { Schema, ValidationRule } from '../../api/index.ts';
import { declare } from './declare.ts';
import type { Declared } from './declare.ts';
import { kubernetesEnvironment } from './environment.ts';
import { safeMatches } from './library/strings.ts';
import { meter, nodesOf } from './meter.ts';

/** A rule ready to ask, or why it cannot be. */
export interface CompiledRule {
  readonly rule: ValidationRule;
  readonly usesOldSelf: boolean;
  /** Absent when the rule does not compile. */
  readonly program?: ParseResult;
  readonly error?: string;
  readonly message?: ParseResult;
  readonly messageError?: string;
}

/** The rules of one schema with what turns JSON into the values they speak of. */
export interface CompiledRules {
  readonly rules: readonly CompiledRule[];
  readonly declared: Declared;
}

/** Compiles the rules of a schema, not of those inside it. */
export function compileRules(schema: Schema, root: boolean): CompiledRules {
  const env = kubernetesEnvironment();
  const declared = declare(schema, { env, name: 'Object', root });
  env.registerVariable('self', declared.type);
  const plain = env.clone().registerVariable('oldSelf', declared.type);
  const optional = env.clone().registerVariable('oldSelf', `optional<${declared.type}>`);
  const rules = (schema['x-kubernetes-validations'] ?? []).map((rule) =>
    compileRule(rule, rule.optionalOldSelf ? optional : plain),
  );
  return { rules, declared };
}

function compileRule(rule: ValidationRule, env: Environment): CompiledRule {
  const compiled = compile(rule.rule, env, 'bool');
  if (!compiled.program) {
    return { rule, usesOldSelf: false, error: compiled.error ?? 'cel expression must evaluate to a bool' };
  }
  const usesOldSelf = nodesOf(compiled.program.ast).some((node) => node.op === 'id' && node.args === 'oldSelf');
  if (!rule.messageExpression) return { rule, usesOldSelf, program: compiled.program };
  const message = compile(rule.messageExpression, env, 'string');
  if (message.program) return { rule, usesOldSelf, program: compiled.program, message: message.program };
  const messageError = message.error
    ? `messageExpression ${message.error}`
    : 'messageExpression must evaluate to a string';
  return { rule, usesOldSelf, program: compiled.program, messageError };
}

interface Compiled {
  readonly program?: ParseResult;
  readonly error?: string;
}

/** Parses, checks and meters an expression; neither a program nor an error means a type that is not the wanted one. */
export function compile(text: string, env: Environment, wanted: string): Compiled {
  try {
    const program = env.parse(text);
    useSafeMatches(program.ast);
    const { valid, type, error } = program.check();
    if (!valid) return { error: compileError(text, error) };
    if (wanted !== 'dyn' && type !== wanted && type !== 'dyn') return {};
    meter(program.ast);
    return { program };
  } catch (error) {
    // The parser throws, the checker of types answers.
    return { error: compileError(text, error as ParseError, 'Syntax error: ') };
  }
}

function useSafeMatches(ast: ASTNode): void {
  for (const node of nodesOf(ast)) {
    if (node.op === 'rcall' && Array.isArray(node.args) && node.args[0] === 'matches') node.args[0] = safeMatches;
  }
}

type CelFault = Pick<ParseError, 'code' | 'summary' | 'message' | 'node' | 'range'>;

/** As Kubernetes words it: the place, what is wrong, and the line with a mark below. */
function compileError(text: string, error: CelFault | undefined, kind = ''): string {
  const start = startOf(error);
  const before = text.slice(0, start).split('\n');
  const line = text.split('\n')[before.length - 1] ?? '';
  const column = before.at(-1)?.length ?? 0;
  const place = `<input>:${before.length}:${column + 1}`;
  return `compilation failed: ERROR: ${place}: ${kind}${wordsOf(error)}\n | ${line}\n | ${'.'.repeat(column)}^`;
}

/** A field that is not there is blamed at its dot. */
function startOf(error: CelFault | undefined): number {
  const start = error?.node?.pos ?? error?.range?.start ?? 0;
  return error?.code === 'no_such_key' ? Math.max(start - 1, 0) : start;
}

function wordsOf(error: CelFault | undefined): string {
  const words = error?.summary ?? error?.message ?? 'syntax error';
  if (error?.code === 'no_such_key') return words.replace(/^No such key: (.*)$/, "undefined field '$1'");
  if (error?.code === 'unknown_variable') {
    return words.replace(/^Unknown variable: (.*)$/, "undeclared reference to '$1' (in container '')");
  }
  return words.replace(safeMatches, 'matches');
}

/** The value of `oldSelf` in a rule that also runs when there was no old value. */
export function optionalOf(value: unknown): unknown {
  return value === undefined ? Optional.none() : Optional.of(value);
}
