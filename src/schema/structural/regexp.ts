import { RE2JS } from 're2js';

/** A compiled pattern; it matches in linear time, whatever the text. */
export type GoRegExp = Pick<RE2JS, 'test' | 'exec' | 'matchAll'>;

const cache = new Map<string, GoRegExp>();
const cacheSize = 4096;

/** Compiles a pattern in Go's syntax (RE2); throws a SyntaxError in Go's words when the pattern is invalid. */
export function goRegExp(pattern: string): GoRegExp {
  const known = cache.get(pattern);
  if (known) return known;
  const compiled = compile(pattern);
  if (cache.size >= cacheSize) cache.clear();
  cache.set(pattern, compiled);
  return compiled;
}

function compile(pattern: string): GoRegExp {
  try {
    return RE2JS.compile(pattern);
  } catch (error) {
    throw new SyntaxError(error instanceof Error ? error.message : String(error));
  }
}
