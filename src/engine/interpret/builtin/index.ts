import type { Ref } from '../../../api/index.ts';
import type { Interpreter } from '../interpreter.ts';
import { nativeInterpreter } from '../native.ts';
import { customized } from '../scripts/customized.ts';
import { builtin } from './kinds.ts';

const interpreters = new Map(
  Object.entries(builtin).map(([kind, one]): [string, Interpreter] => [kind, customized([one], nativeInterpreter)]),
);

/** The interpreter of a kind of a third party that is known without a customization on the hub. */
export function builtinInterpreter({ apiVersion, kind }: Pick<Ref, 'apiVersion' | 'kind'>): Interpreter | undefined {
  return interpreters.get(`${apiVersion}|${kind}`);
}
