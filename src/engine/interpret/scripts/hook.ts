import type { Customizations } from '../../../api/index.ts';
import { compileScript } from '../../../lua/index.ts';
import type { CompileError, Script } from '../../../lua/index.ts';
import type { Interpreted } from '../interpreter.ts';
import { kube } from './kube.ts';

/** A script that answers for one hook. */
export interface Hook {
  readonly field: keyof Customizations;
  /** The function of the script. */
  readonly name: string;
  readonly script: string;
}

/** A result that does not have the shape that the hook needs. */
export class ScriptFailure extends Error {
  override readonly name = 'ScriptFailure';
}

interface Asking<T> {
  readonly args: readonly unknown[];
  readonly read: (results: readonly unknown[]) => T;
}

/** Most scripts that are kept compiled; beyond that all are compiled again. */
const mostScripts = 500;
const compiled = new Map<string, Script | CompileError>();

function scriptOf(source: string): Script | CompileError {
  const known = compiled.get(source);
  if (known) return known;
  const script = compileScript(source);
  if (compiled.size >= mostScripts) compiled.clear();
  compiled.set(source, script);
  return script;
}

/** Asks a script: its answer, or the value to go on with and why it failed. */
export function answerOf<T>(otherwise: T, { field, name, script }: Hook, { args, read }: Asking<T>): Interpreted<T> {
  const failed = (words: string): Interpreted<T> => ({ value: otherwise, error: `${field}: ${words}` });
  const code = scriptOf(script);
  if ('line' in code) return failed(`line ${code.line}: ${code.message}`);
  const answer = code.call(name, args, { modules: { kube }, now: () => newestTimeIn(args) });
  if ('error' in answer) return failed(answer.error);
  try {
    return { value: read(answer.values) };
  } catch (error) {
    if (error instanceof ScriptFailure) return failed(`${name} ${error.message}`);
    throw error;
  }
}

const time = /"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)"/g;

/**
 * The time that scripts see: the newest that their arguments tell. A clock would give another answer each time, and a
 * status with the time in it would be written for ever.
 */
function newestTimeIn(args: readonly unknown[]): number {
  const times = [...JSON.stringify(args).matchAll(time)].map(([, text = '']) => text).sort();
  return Date.parse(times.at(-1) ?? '1970-01-01T00:00:00Z') / 1000;
}
