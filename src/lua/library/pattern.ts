/** A part of the text that a pattern matched; `position` captures where it is instead. */
interface Capture {
  readonly start: number;
  length: number | 'open' | 'position';
}

/** Where a pattern matched, and its captures: texts, and places from 1 on. */
export interface Match {
  readonly start: number;
  readonly end: number;
  readonly captures: readonly (string | number)[];
}

/** A pattern that cannot be read. */
export class PatternError extends Error {
  override readonly name = 'PatternError';
}

const mostCaptures = 32;

type ClassTest = (code: number) => boolean;

const between =
  (low: string, high: string): ClassTest =>
  (code) =>
    code >= low.charCodeAt(0) && code <= high.charCodeAt(0);

const isLower = between('a', 'z');
const isUpper = between('A', 'Z');
const isDigit = between('0', '9');
const isLetter: ClassTest = (code) => isLower(code) || isUpper(code);
const isAlphanumeric: ClassTest = (code) => isLetter(code) || isDigit(code);

const classes: Readonly<Record<string, ClassTest>> = {
  a: isLetter,
  c: (code) => code < 32 || code === 127,
  d: isDigit,
  l: isLower,
  p: (code) => code > 32 && code < 127 && !isAlphanumeric(code),
  s: (code) => code === 32 || (code >= 9 && code <= 13),
  u: isUpper,
  w: isAlphanumeric,
  x: (code) => isDigit(code) || between('a', 'f')(code) || between('A', 'F')(code),
  z: (code) => code === 0,
};

/** Finds the first match of a pattern at or after a place; each step of the search is counted by `spend`. */
export function matchPattern(
  text: string,
  pattern: string,
  { from, spend }: { readonly from: number; readonly spend: (steps: number) => void },
): Match | undefined {
  const isAnchored = pattern.startsWith('^');
  for (let start = from; start <= text.length; start++) {
    const matcher = new Matcher(text, pattern, spend);
    const end = matcher.match(start, isAnchored ? 1 : 0);
    if (end !== -1) return { start, end, captures: matcher.captures() };
    if (isAnchored) return undefined;
  }
  return undefined;
}

/** Matches by trying: each item of the pattern, then the rest of it. Ends are places in the text, -1 for no match. */
class Matcher {
  readonly #text: string;
  readonly #pattern: string;
  readonly #spend: (steps: number) => void;
  readonly #captures: Capture[] = [];

  constructor(text: string, pattern: string, spend: (steps: number) => void) {
    this.#text = text;
    this.#pattern = pattern;
    this.#spend = spend;
  }

  captures(): readonly (string | number)[] {
    return this.#captures.map(({ start, length }) => {
      if (length === 'open') throw new PatternError('unfinished capture');
      return length === 'position' ? start + 1 : this.#text.slice(start, start + length);
    });
  }

  match(start: number, item: number): number {
    let [at, place] = [start, item];
    while (place < this.#pattern.length) {
      this.#spend(1);
      const special = this.#special(at, place);
      if (special !== undefined) return special;
      const end = this.#itemEnd(place);
      const suffix = this.#pattern[end];
      if (suffix === '*' || suffix === '+' || suffix === '-' || suffix === '?')
        return this.#repeated({ at, place, end }, suffix);
      if (!this.#single(at, place, end)) return -1;
      at++;
      place = end;
    }
    return at;
  }

  /** Captures, the end of the text, `%b`, `%f` and back references; undefined for items that match one character. */
  #special(at: number, place: number): number | undefined {
    const sign = this.#pattern[place];
    const next = this.#pattern[place + 1];
    if (sign === '(') return next === ')' ? this.#open(at, place + 2, 'position') : this.#open(at, place + 1, 'open');
    if (sign === ')') return this.#close(at, place + 1);
    if (sign === '$' && next === undefined) return at === this.#text.length ? at : -1;
    return sign === '%' && next !== undefined ? this.#escaped(at, place, next) : undefined;
  }

  #escaped(at: number, place: number, next: string): number | undefined {
    if (next === 'b') return this.#then(this.#balanced(at, place + 2), place + 4);
    if (next === 'f') return this.#frontier(at, place + 2);
    return isDigit(next.charCodeAt(0)) ? this.#then(this.#back(at, Number(next)), place + 2) : undefined;
  }

  #then(at: number, place: number): number {
    return at === -1 ? -1 : this.match(at, place);
  }

  #open(at: number, place: number, length: 'open' | 'position'): number {
    if (this.#captures.length >= mostCaptures) throw new PatternError('too many captures');
    this.#captures.push({ start: at, length });
    const end = this.match(at, place);
    if (end === -1) this.#captures.pop();
    return end;
  }

  #close(at: number, place: number): number {
    const capture = this.#captures.findLast(({ length }) => length === 'open');
    if (!capture) throw new PatternError('invalid pattern capture');
    capture.length = at - capture.start;
    const end = this.match(at, place);
    if (end === -1) capture.length = 'open';
    return end;
  }

  #back(at: number, index: number): number {
    const capture = this.#captures[index - 1];
    if (!capture || typeof capture.length !== 'number') throw new PatternError('invalid capture index');
    const wanted = this.#text.slice(capture.start, capture.start + capture.length);
    return this.#text.startsWith(wanted, at) ? at + wanted.length : -1;
  }

  #balanced(at: number, place: number): number {
    const [open, close] = [this.#pattern[place], this.#pattern[place + 1]];
    if (open === undefined || close === undefined) throw new PatternError('unbalanced pattern');
    if (this.#text[at] !== open) return -1;
    let depth = 1;
    for (let index = at + 1; index < this.#text.length; index++) {
      this.#spend(1);
      const character = this.#text[index];
      if (character === close && --depth === 0) return index + 1;
      if (character === open && character !== close) depth++;
    }
    return -1;
  }

  #frontier(at: number, place: number): number {
    if (this.#pattern[place] !== '[') throw new PatternError("missing '[' after '%f' in pattern");
    const end = this.#itemEnd(place);
    const before = at === 0 ? 0 : this.#text.charCodeAt(at - 1);
    const after = at < this.#text.length ? this.#text.charCodeAt(at) : 0;
    const isFrontier = !this.#inSet(before, place, end) && this.#inSet(after, place, end);
    return isFrontier ? this.match(at, end) : -1;
  }

  /** Where the item that begins here ends. */
  #itemEnd(place: number): number {
    const sign = this.#pattern[place];
    if (sign === '%') {
      if (place + 1 >= this.#pattern.length) throw new PatternError("malformed pattern (ends with '%')");
      return place + 2;
    }
    return sign === '[' ? this.#setEnd(place + 1) : place + 1;
  }

  #setEnd(start: number): number {
    let place = this.#pattern[start] === '^' ? start + 1 : start;
    do {
      if (place >= this.#pattern.length) throw new PatternError("malformed pattern (missing ']')");
      place += this.#pattern[place] === '%' ? 2 : 1;
    } while (this.#pattern[place] !== ']');
    return place + 1;
  }

  #repeated({ at, place, end }: { at: number; place: number; end: number }, suffix: '*' | '+' | '-' | '?'): number {
    if (suffix === '-') return this.#fewest(at, place, end);
    if (suffix !== '?') return this.#most({ at, place, end }, suffix === '+' ? 1 : 0);
    if (!this.#single(at, place, end)) return this.match(at, end + 1);
    const with1 = this.match(at + 1, end + 1);
    return with1 === -1 ? this.match(at, end + 1) : with1;
  }

  #most({ at, place, end }: { at: number; place: number; end: number }, least: number): number {
    let count = 0;
    while (this.#single(at + count, place, end)) {
      this.#spend(1);
      count++;
    }
    for (; count >= least; count--) {
      const found = this.match(at + count, end + 1);
      if (found !== -1) return found;
    }
    return -1;
  }

  #fewest(start: number, place: number, end: number): number {
    for (let at = start; ; at++) {
      this.#spend(1);
      const found = this.match(at, end + 1);
      if (found !== -1) return found;
      if (!this.#single(at, place, end)) return -1;
    }
  }

  /** Tells whether the item matches the one character here. */
  #single(at: number, place: number, end: number): boolean {
    if (at >= this.#text.length) return false;
    const code = this.#text.charCodeAt(at);
    const sign = this.#pattern[place];
    if (sign === '.') return true;
    if (sign === '%') return inClass(code, this.#pattern[place + 1] ?? '');
    if (sign === '[') return this.#inSet(code, place, end);
    return this.#pattern.charCodeAt(place) === code;
  }

  #inSet(code: number, start: number, end: number): boolean {
    let place = start + 1;
    const isNegated = this.#pattern[place] === '^';
    if (isNegated) place++;
    while (place < end - 1) {
      const length = this.#lengthInSet(place, end);
      if (this.#isMember(code, place, length)) return !isNegated;
      place += length;
    }
    return isNegated;
  }

  /** A member of a set is one sign, a class (`%a`) or a range (`a-z`). */
  #lengthInSet(place: number, end: number): number {
    if (this.#pattern[place] === '%') return 2;
    return this.#pattern[place + 1] === '-' && place + 2 < end - 1 ? 3 : 1;
  }

  #isMember(code: number, place: number, length: number): boolean {
    const first = this.#pattern.charCodeAt(place);
    if (length === 1) return first === code;
    if (length === 2) return inClass(code, this.#pattern[place + 1] ?? '');
    return code >= first && code <= this.#pattern.charCodeAt(place + 2);
  }
}

/** A class by its letter, in capitals all but it; any other sign stands for itself. */
function inClass(code: number, letter: string): boolean {
  const test = classes[letter.toLowerCase()];
  if (!test) return letter.charCodeAt(0) === code;
  return letter === letter.toLowerCase() ? test(code) : !test(code);
}
