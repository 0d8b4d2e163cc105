import { compileScript } from '../../../lua/index.ts';

/** Why a script does not compile, with the line; undefined when it does. */
export function whyNotScript(script: string): string | undefined {
  const compiled = compileScript(script);
  return 'line' in compiled ? `line ${compiled.line}: ${compiled.message}` : undefined;
}
