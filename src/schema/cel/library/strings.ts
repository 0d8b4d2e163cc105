import type { Environment } from '@marcbachmann/cel-js';
import { goRegExp } from '../../structural/regexp.ts';
import type { GoRegExp } from '../../structural/regexp.ts';
import { fail } from '../failure.ts';
import { formatText } from './format-text.ts';
import { registerNamespace } from './namespace.ts';

const sync = { async: false } as const;

/** The name under which `matches` is called: the parser's own would use a regular expression that backtracks. */
export const safeMatches = 'matchesRE2';

/** Strings: charAt, replace, format, strings.quote; and regular expressions: matches, find, findAll. */
export function registerStrings(env: Environment): void {
  env.registerFunction('string.charAt(int): string', charAt, sync);
  env.registerFunction(
    'string.replace(string, string): string',
    (s: string, a: string, b: string) => s.replaceAll(a, () => b),
    sync,
  );
  env.registerFunction('string.replace(string, string, int): string', replaceSome, sync);
  env.registerFunction('string.format(list): string', formatText, sync);
  registerQuote(env);
  env.registerFunction(
    `string.${safeMatches}(string): bool`,
    (s: string, re: string) => expressionOf(re).test(s),
    sync,
  );
  env.registerFunction(
    'string.find(string): string',
    (s: string, re: string) => expressionOf(re).exec(s)?.[0] ?? '',
    sync,
  );
  env.registerFunction('string.findAll(string): list<string>', (s: string, re: string) => findAll(s, re, -1n), sync);
  env.registerFunction('string.findAll(string, int): list<string>', findAll, sync);
}

function registerQuote(env: Environment): void {
  const strings = registerNamespace(env, 'strings');
  env.registerFunction(`${strings}.quote(string): string`, (_: unknown, s: string) => JSON.stringify(s), sync);
}

function charAt(text: string, index: bigint): string {
  const characters = Array.from(text);
  const at = Number(index);
  if (at < 0 || at > characters.length) throw fail(`index out of range: ${index}`);
  return characters[at] ?? '';
}

function replaceSome(...[text, from, to, limit]: [text: string, from: string, to: string, limit: bigint]): string {
  let left = limit < 0n ? Infinity : Number(limit);
  return text.replaceAll(from, (found) => (left-- > 0 ? to : found));
}

function expressionOf(pattern: string): GoRegExp {
  try {
    return goRegExp(pattern);
  } catch (error) {
    throw fail(`Illegal regex: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function findAll(text: string, pattern: string, limit: bigint): string[] {
  const all = Array.from(expressionOf(pattern).matchAll(text), ([found = '']) => found);
  return limit < 0n ? all : all.slice(0, Number(limit));
}
