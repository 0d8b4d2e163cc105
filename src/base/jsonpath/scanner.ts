/** The text is not a template or path, or it does not fit the value. */
export class TemplateError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'TemplateError';
  }
}

/** A text, and the position up to which it has been read. */
export class Scanner {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#text.length;
  }

  get rest(): string {
    return this.#text.slice(this.#at);
  }

  isAt(text: string): boolean {
    return this.#text.startsWith(text, this.#at);
  }

  skip(count: number): void {
    this.#at += count;
  }

  skipBlanks(): void {
    this.matched(/ +/y);
  }

  /** Everything before the next `mark`, or the whole rest; the mark itself stays. */
  until(mark: string): string {
    const found = this.#text.indexOf(mark, this.#at);
    const end = found < 0 ? this.#text.length : found;
    const text = this.#text.slice(this.#at, end);
    this.#at = end;
    return text;
  }

  /** Reads the text that a sticky pattern matches here; undefined when it does not match. */
  matched(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    if (found !== undefined) this.#at += found.length;
    return found;
  }

  /** Everything before the next `mark` that is not within quotes; the mark is read too. */
  untilOutsideQuotes(mark: string): string {
    const from = this.#at;
    for (let end = this.#text.indexOf(mark, from); end >= 0; end = this.#text.indexOf(mark, end + 1)) {
      const text = this.#text.slice(from, end);
      if (!isClosed(text)) continue;
      this.#at = end + mark.length;
      return text;
    }
    throw new TemplateError(`${mark} is missing after ${this.rest}`);
  }
}

/** Tells whether all quotes of the text are closed. */
export function isClosed(text: string): boolean {
  return /^(?:[^"'\\]|\\.|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')*$/s.test(text);
}
