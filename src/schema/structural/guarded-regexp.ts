import { createContext, Script } from 'node:vm';

/** A text could not be matched in the time that a pattern has. */
export class RegExpTimeout extends Error {
  constructor(source: string) {
    super(`matching /${source}/ takes too long`);
    this.name = 'RegExpTimeout';
  }
}

/** Milliseconds of processor time that one match may take. */
const patience = 100;
const room: { match?: () => RegExpExecArray | null } = {};
const context = createContext(room);
const attempt = new Script('match()');

/**
 * A regular expression that gives up: for patterns that might backtrack for ages and that no linear engine takes.
 * A match costs a tenth of a millisecond more than a plain one.
 */
export class GuardedRegExp extends RegExp {
  override exec(text: string): RegExpExecArray | null {
    room.match = () => super.exec(text);
    const found = withPatience(
      (timeout) => attempt.runInContext(context, { timeout }) as RegExpExecArray | null,
      spent,
    );
    if (found === 'astray') throw new RegExpTimeout(this.source);
    return found;
  }
}

/**
 * Runs a match that ends itself after so many milliseconds by the clock. It has gone astray when it has worked for half of
 * that; on a busy machine it may only have waited for its turn, and then it gets another with more time.
 */
export function withPatience<T>(match: (timeout: number) => T, workedSoFar: () => number): T | 'astray' {
  for (let timeout = patience; ; timeout *= 2) {
    const before = workedSoFar();
    try {
      return match(timeout);
    } catch (error) {
      if ((error as { code?: unknown }).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
      if (workedSoFar() - before >= patience / 2) return 'astray';
    }
  }
}

/** Milliseconds of processor time of this thread. */
function spent(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** Can matching this pattern take more than linear time in a way that hurts? True also where it only might. */
export function isRisky(source: string): boolean {
  const bare = source.replaceAll(/\\./g, 'x').replaceAll(/\[\^?\]?[^\]]*\]/g, 'x');
  const unbounded = bare.match(/[*+]|\{\d+,\}/g)?.length ?? 0;
  return unbounded >= 2 || hasNestedRepetition(bare);
}

/** Is a group repeated that repeats or chooses inside? */
function hasNestedRepetition(bare: string): boolean {
  const groups: boolean[] = [];
  for (let i = 0; i < bare.length; i++) {
    const character = bare.charAt(i);
    if (character === '(') groups.push(false);
    else if (character === ')') {
      const inner = groups.pop() ?? false;
      if (inner && /^(?:[*+]|\{\d+,)/.test(bare.slice(i + 1))) return true;
      if (inner) mark(groups);
    } else if ('*+{|'.includes(character)) mark(groups);
  }
  return false;
}

function mark(groups: boolean[]): void {
  if (groups.length > 0) groups[groups.length - 1] = true;
}
