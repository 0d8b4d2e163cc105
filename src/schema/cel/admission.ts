/**
 * Expressions of admission policies and of match conditions of webhooks: CEL over a request, its object before and after, its
 * namespace, parameters and the rights of its user. Start with `compileAdmission`.
 */
import type { Environment, ParseResult } from '@marcbachmann/cel-js';
import { anything } from './declare.ts';
import { kubernetesEnvironment } from './environment.ts';
import { registerAuthorizer } from './library/authorizer.ts';
import { refill } from './meter.ts';
import { compile } from './rule.ts';
import { summaryOf } from './rules.ts';

/** The variables that expressions of a policy may use beside those of the request. */
export interface AdmissionNames {
  readonly params: boolean;
  readonly authorizer: boolean;
}

/** An expression ready to run, or why it is none. */
export interface AdmissionExpression {
  readonly text: string;
  readonly program?: ParseResult;
  /** In the words of Kubernetes. */
  readonly error?: string;
}

/** The values of the variables. */
export type AdmissionContext = Readonly<Record<string, unknown>>;

const environments = new Map<string, Environment>();

function environmentOf({ params, authorizer }: AdmissionNames): Environment {
  const key = `${params} ${authorizer}`;
  const known = environments.get(key);
  if (known) return known;
  const env = kubernetesEnvironment();
  for (const name of ['object', 'oldObject', 'request', 'namespaceObject', 'variables'])
    env.registerVariable(name, 'dyn');
  if (params) env.registerVariable('params', 'dyn');
  if (authorizer) registerAuthorizer(env);
  environments.set(key, env);
  return env;
}

/** Compiles an expression of a type; `dyn` is any. */
export function compileAdmission(text: string, wanted: string, names: AdmissionNames): AdmissionExpression {
  const { program, error } = compile(text, environmentOf(names), wanted);
  if (program) return { text, program };
  return { text, error: error ?? `must evaluate to ${wanted}` };
}

/** The answer of an expression. Throws an error with Kubernetes' words when it has none. */
export function evaluateAdmission({ text, program, error }: AdmissionExpression, context: AdmissionContext): unknown {
  if (!program) throw new Error(error);
  refill();
  try {
    return program({ ...context }) as unknown;
  } catch (failure) {
    throw new Error(`expression '${text}' resulted in error: ${summaryOf(failure)}`, { cause: failure });
  }
}

/** JSON as CEL sees it: whole numbers are integers. */
export const celValue = anything;
