import { toBytes } from './bytes.ts';
import { numberIn } from './value.ts';

/** A script that does not compile, and the line of the first error. */
export class SyntaxError extends Error {
  override readonly name = 'LuaSyntaxError';
  readonly line: number;

  constructor(message: string, line: number) {
    super(message);
    this.line = line;
  }
}

const keywords: ReadonlySet<string> = new Set(
  (
    'and break do else elseif end false for function goto if in local nil not or repeat return then true until ' +
    'while'
  ).split(' '),
);

/** One word of a script. `type` is the keyword or sign itself, or the class of the word. */
export interface Token {
  readonly type: string;
  /** The name, the bytes of the string, or the text of the sign. */
  readonly text: string;
  readonly number: number;
  readonly line: number;
}

const signs = /\.\.\.|\.\.|==|~=|<=|>=|::|[-+*/%^#<>=(){}[\];:,.]/y;
const name = /[A-Za-z_]\w*/y;
const numberStart = /(?=\.?\d)/y;
const number = /0[xX][0-9a-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/y;
const space = /[ \t\r\f\v]+/y;
const longOpen = /\[(=*)\[/y;

const escapes: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

/** The words of a script, the end (`<eof>`) last. Throws a SyntaxError. */
export function tokensOf(script: string): readonly Token[] {
  const lexer = new Lexer(toBytes(script));
  const tokens: Token[] = [];
  do tokens.push(lexer.next());
  while (tokens.at(-1)?.type !== '<eof>');
  return tokens;
}

class Lexer {
  readonly #text: string;
  #at = 0;
  #line = 1;

  constructor(text: string) {
    this.#text = text.startsWith('#') ? text.replace(/^#[^\n]*/, '') : text;
  }

  next(): Token {
    this.#skip();
    if (this.#at >= this.#text.length) return this.#token('<eof>', 'end of the script');
    const first = this.#text[this.#at] as string;
    const word = this.#match(name);
    if (word !== undefined) return this.#token(keywords.has(word) ? word : 'name', word);
    if (this.#match(numberStart) !== undefined) return this.#number();
    if (first === '"' || first === "'") return this.#string(first);
    const long = this.#long();
    if (long !== undefined) return this.#token('string', long);
    const sign = this.#match(signs);
    if (sign === undefined) throw this.#error(`unexpected symbol near '${first}'`);
    return this.#token(sign, sign);
  }

  #token(type: string, text: string, value = 0): Token {
    return { type, text, number: value, line: this.#line };
  }

  #error(message: string, line = this.#line): SyntaxError {
    return new SyntaxError(message, line);
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    if (found !== undefined) this.#at += found.length;
    return found;
  }

  #skip(): void {
    for (;;) {
      this.#match(space);
      if (this.#text[this.#at] === '\n') {
        this.#line++;
        this.#at++;
      } else if (this.#text.startsWith('--', this.#at)) this.#comment();
      else return;
    }
  }

  #comment(): void {
    this.#at += 2;
    if (this.#long() !== undefined) return;
    const end = this.#text.indexOf('\n', this.#at);
    this.#at = end === -1 ? this.#text.length : end;
  }

  /** `[[ … ]]` or `[==[ … ]==]`; undefined when none begins here. */
  #long(): string | undefined {
    const start = this.#line;
    const open = this.#match(longOpen);
    if (open === undefined) return undefined;
    const close = `]${'='.repeat(open.length - 2)}]`;
    const end = this.#text.indexOf(close, this.#at);
    if (end === -1) throw this.#error(`'${open}' is not closed`, start);
    const body = this.#text.slice(this.#at, end);
    this.#at = end + close.length;
    this.#line += body.split('\n').length - 1;
    return body.replace(/^\r?\n/, '');
  }

  #number(): Token {
    const text = this.#match(number) ?? '';
    const rest = this.#match(name);
    if (rest !== undefined) throw this.#error(`malformed number near '${text}${rest}'`);
    return this.#token('number', text, numberIn(text) ?? 0);
  }

  #string(quote: string): Token {
    const start = this.#line;
    let body = '';
    this.#at++;
    for (;;) {
      const character = this.#text[this.#at];
      if (character === undefined || character === '\n') throw this.#error('unfinished string', start);
      this.#at++;
      if (character === quote) return this.#token('string', body);
      body += character === '\\' ? this.#escape() : character;
    }
  }

  #escape(): string {
    const digits = this.#match(/\d{1,3}/y);
    if (digits !== undefined) {
      if (Number(digits) > 255) throw this.#error(`escape sequence '\\${digits}' is too large`);
      return String.fromCharCode(Number(digits));
    }
    const character = this.#text[this.#at++] ?? '';
    if (character === '\n') this.#line++;
    return escapes[character] ?? character;
  }
}
