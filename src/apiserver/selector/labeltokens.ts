/** A word of a label selector: one of the symbols and keywords, a name or value, or the end. */
export interface Token {
  readonly kind: Symbol | 'identifier' | 'end';
  /** As it was written; empty for the end. */
  readonly text: string;
}

const symbols = ['(', ')', ',', '!=', '!', '==', '=', '>', '<', 'in', 'notin'] as const;
type Symbol = (typeof symbols)[number];
const known: ReadonlySet<string> = new Set(symbols);

const word = /\s*(?:(!=|==|[()!,=<>])|([^\s()!,=<>]+))/y;

/** Takes a selector apart, as Kubernetes does: any run of other characters is a name or a value. */
export function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  word.lastIndex = 0;
  for (let match = word.exec(text); match; match = word.exec(text)) {
    const found = match[1] ?? match[2] ?? '';
    tokens.push({ kind: known.has(found) ? (found as Symbol) : 'identifier', text: found });
  }
  return tokens;
}

/** Reads tokens one after the other; beyond the last there is only the end. */
export class TokenReader {
  readonly #tokens: readonly Token[];
  #next = 0;

  constructor(text: string) {
    this.#tokens = tokensOf(text);
  }

  /** The next token, which stays; where values stand, `in` and `notin` are names like any other. */
  peek(): Token {
    const token = this.#tokens[this.#next] ?? { kind: 'end', text: '' };
    return token.kind === 'in' || token.kind === 'notin' ? { kind: 'identifier', text: token.text } : token;
  }

  /** The next token, where a name or a value is due. */
  value(): Token {
    const token = this.peek();
    this.#next++;
    return token;
  }

  /** The next token, where an operator is due. */
  operator(): Token {
    return this.#tokens[this.#next++] ?? { kind: 'end', text: '' };
  }
}
