import { createContext, Script } from 'node:vm';

/** A text could not be matched in the time that a pattern has. */
export class RegExpTimeout extends Error {
  constructor(source: string) {
    super(`matching /${source}/ takes too long`);
    this.name = 'RegExpTimeout';
  }
}

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
    try {
      return attempt.runInContext(context, { timeout: patience }) as RegExpExecArray | null;
    } catch (error) {
      const { code } = error as { code?: unknown };
      throw code === 'ERR_SCRIPT_EXECUTION_TIMEOUT' ? new RegExpTimeout(this.source) : error;
    }
  }
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
