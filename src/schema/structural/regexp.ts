import { lookup } from '../../base/index.ts';
import { setFlagsFromString } from 'node:v8';
import { GuardedRegExp, isRisky } from './guarded-regexp.ts';

/*
 * Kubernetes promises patterns in linear time (RE2). V8 backtracks, unless it is told to change to its
 * linear engine when a match goes astray; the `l` flag tells which patterns that engine takes.
 */
setFlagsFromString('--enable-experimental-regexp-engine');
setFlagsFromString('--enable-experimental-regexp-engine-on-excessive-backtracks');

const classes: Readonly<Record<string, string>> = lookup({
  alnum: '0-9A-Za-z',
  alpha: 'A-Za-z',
  ascii: '\\x00-\\x7F',
  blank: '\\t ',
  cntrl: '\\x00-\\x1F\\x7F',
  digit: '0-9',
  graph: '!-~',
  lower: 'a-z',
  print: ' -~',
  punct: '!-/:-@\\[-`{-~',
  space: '\\t\\n\\v\\f\\r ',
  upper: 'A-Z',
  word: '0-9A-Za-z_',
  xdigit: '0-9A-Fa-f',
});

const cache = new Map<string, RegExp>();
const cacheSize = 4096;

/**
 * Compiles a pattern in Go's syntax (RE2), with more flags of JavaScript if any; throws a SyntaxError when it is none.
 * Matching ends in time that is bounded, if need be by giving up with a RegExpTimeout.
 */
export function goRegExp(pattern: string, more = ''): RegExp {
  const key = `${more}/${pattern}`;
  const known = cache.get(key);
  if (known) return known;
  const compiled = compile(pattern, more);
  if (cache.size >= cacheSize) cache.clear();
  cache.set(key, compiled);
  return compiled;
}

function compile(pattern: string, more: string): RegExp {
  if (/\(\?<?[=!]/.test(pattern)) throw new SyntaxError('invalid or unsupported Perl syntax: lookaround');
  if (/(?:^|[^\\])(?:\\\\)*\\[1-9]/.test(pattern)) throw new SyntaxError('invalid escape sequence: backreference');
  const { source, flags } = leadingFlags(pattern);
  const translated = translate(source);
  // The linear engine knows nothing of the u flag: it is set only where the pattern cannot do without.
  const unicode = /\\[pP]|\\u\{|[^\0-\x7f]/.test(translated) ? 'u' : '';
  const plain = new RegExp(translated, flags + unicode + more);
  return isLinear(plain) || !isRisky(translated) ? plain : new GuardedRegExp(plain.source, plain.flags);
}

function isLinear({ source, flags }: RegExp): boolean {
  try {
    return new RegExp(source, `${flags}l`).source === source;
  } catch {
    return false;
  }
}

function leadingFlags(pattern: string): { source: string; flags: string } {
  const match = /^(\^?)\(\?([imsU]+)\)/.exec(pattern);
  if (!match) return { source: pattern, flags: '' };
  const flags = [...new Set(match[2])].filter((flag) => 'ims'.includes(flag)).join('');
  return { source: (match[1] ?? '') + pattern.slice(match[0].length), flags };
}

function translate(pattern: string): string {
  return quoted(pattern)
    .replaceAll('(?P<', '(?<')
    .replaceAll(/\[:(\^?)(\w+):\]/g, (whole, not: string, name: string) => (not ? whole : (classes[name] ?? whole)))
    .replaceAll(/\\([Az])/g, (_, end: string) => (end === 'A' ? '^' : '$'))
    .replaceAll(/\\x\{([0-9A-Fa-f]+)\}/g, '\\u{$1}')
    .replaceAll(/\\([pP])([A-Z])(?![{])/g, '\\$1{$2}')
    .replaceAll('\\a', '\\x07');
}

/** `\Q…\E` holds text that stands for itself. */
function quoted(pattern: string): string {
  return pattern.replaceAll(/\\Q([\s\S]*?)(?:\\E|$)/g, (_, text: string) =>
    text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`),
  );
}
