import type { Customizations, Ref } from '../../../api/index.ts';
import { nativeInterpreter } from '../native.ts';
import type { Interpreter } from '../interpreter.ts';
import { customized } from '../scripts/customized.ts';

/** Customizations that come with the program, by kind. */
const builtin: Readonly<Record<string, Customizations>> = {};

const interpreters = new Map(
  Object.entries(builtin).map(([kind, one]): [string, Interpreter] => [kind, customized([one], nativeInterpreter)]),
);

/** The interpreter of a kind of a third party that is known without a customization on the hub. */
export function builtinInterpreter({ apiVersion, kind }: Pick<Ref, 'apiVersion' | 'kind'>): Interpreter | undefined {
  return interpreters.get(`${apiVersion}|${kind}`);
}
