import { SyntaxError } from '../lexer.ts';
import type { Token } from '../lexer.ts';
import type { BinaryOperator, Block, Call, Expression, FunctionBody } from '../ast.ts';
import { FunctionScope } from './scope.ts';

/** The deepest nesting of a script; it bounds the stack that a run needs. */
const deepest = 100;

/** How strongly an operator binds to its left and to its right. */
const binding: Readonly<Record<string, readonly [number, number]>> = {
  or: [1, 1],
  and: [2, 2],
  '<': [3, 3],
  '>': [3, 3],
  '<=': [3, 3],
  '>=': [3, 3],
  '~=': [3, 3],
  '==': [3, 3],
  '..': [5, 4],
  '+': [6, 6],
  '-': [6, 6],
  '*': [7, 7],
  '/': [7, 7],
  '%': [7, 7],
  '^': [10, 9],
};
const unaryBinding = 8;

/** Reads expressions, by the strength with which operators bind. */
export abstract class ExpressionParser {
  private readonly tokens: readonly Token[];
  protected at = 0;
  private depth = 0;
  /** The words of expressions that were read so far: what a statement costs. */
  protected words = 0;
  protected scope = new FunctionScope(undefined, true);

  constructor(tokens: readonly Token[]) {
    this.tokens = tokens;
  }

  protected get token(): Token {
    return this.tokens[this.at] as Token;
  }

  protected is(type: string): boolean {
    return this.token.type === type;
  }

  protected accept(type: string): boolean {
    if (!this.is(type)) return false;
    this.at++;
    this.words++;
    return true;
  }

  protected expect(type: string): Token {
    const token = this.token;
    if (!this.accept(type)) throw this.error(`'${type}' expected near '${token.text}'`);
    return token;
  }

  protected error(message: string): SyntaxError {
    return new SyntaxError(message, this.token.line);
  }

  /** Reads what may contain itself. */
  protected nested<T>(read: () => T): T {
    if (++this.depth > deepest) throw this.error('the script is nested too deeply');
    const result = read();
    this.depth--;
    return result;
  }

  /** The statements up to `end`, with these declared before. */
  protected abstract closed(isLoop: boolean, before?: () => void): Block;

  protected expressions(): readonly Expression[] {
    const list = [this.expression()];
    while (this.accept(',')) list.push(this.expression());
    return list;
  }

  protected expression(limit = 0): Expression {
    return this.nested(() => {
      let left = this.unary();
      for (;;) {
        const { type, line } = this.token;
        const [toLeft, toRight] = binding[type] ?? [0, 0];
        if (toLeft <= limit) return left;
        this.at++;
        this.words++;
        const right = this.expression(toRight);
        left =
          type === 'and' || type === 'or'
            ? { type: 'logic', operator: type, left, right }
            : { type: 'binary', operator: type as BinaryOperator, left, right, line };
      }
    });
  }

  protected unary(): Expression {
    const { type, line } = this.token;
    if (type !== 'not' && type !== '-' && type !== '#') return this.simple();
    this.at++;
    const of = this.expression(unaryBinding);
    if (type === '-' && of.type === 'constant' && typeof of.value === 'number')
      return { type: 'constant', value: -of.value };
    return { type: 'unary', operator: type, of, line };
  }

  protected simple(): Expression {
    const { type, text, number, line } = this.token;
    const value = constants.get(type);
    if (value || type === 'number' || type === 'string') {
      this.accept(type);
      if (value) return value;
      return { type: 'constant', value: type === 'number' ? number : text };
    }
    if (type === '{') return this.nested(() => this.table());
    if (this.accept('function')) return { type: 'function', body: this.body('anonymous', line) };
    if (!this.accept('...')) return this.suffixed();
    if (!this.scope.hasVarargs) throw this.error("cannot use '...' outside a vararg function");
    return { type: 'varargs' };
  }

  protected suffixed(): Expression {
    let expression = this.primary();
    for (;;) {
      const next = this.suffix(expression);
      if (!next) return expression;
      expression = next;
    }
  }

  protected primary(): Expression {
    const { text, line } = this.token;
    if (this.accept('name')) return { type: 'variable', variable: this.scope.resolve(text, line) };
    if (!this.accept('(')) throw this.error(`unexpected symbol near '${text}'`);
    const of = this.expression();
    this.expect(')');
    return { type: 'single', of };
  }

  protected suffix(object: Expression): Expression | undefined {
    const { line } = this.token;
    if (this.accept('.'))
      return { type: 'index', object, key: { type: 'constant', value: this.expect('name').text }, line };
    if (this.accept('[')) {
      const key = this.expression();
      this.expect(']');
      return { type: 'index', object, key, line };
    }
    if (this.accept(':')) {
      const method = this.expect('name').text;
      const args = this.args();
      if (!args) throw this.error(`'(' expected near '${this.token.text}'`);
      return { type: 'call', callee: object, method, args, line };
    }
    const args = this.args();
    return args && ({ type: 'call', callee: object, args, line } satisfies Call);
  }

  protected args(): readonly Expression[] | undefined {
    const { type, text } = this.token;
    if (type === '{') return [this.nested(() => this.table())];
    if (this.accept('string')) return [{ type: 'constant', value: text }];
    if (!this.accept('(')) return undefined;
    if (this.accept(')')) return [];
    const args = this.expressions();
    this.expect(')');
    return args;
  }

  protected table(): Expression {
    const { line } = this.expect('{');
    const items: Expression[] = [];
    const entries: (readonly [Expression, Expression])[] = [];
    while (!this.is('}')) {
      const key = this.key();
      if (key) entries.push([key, this.expression()]);
      else items.push(this.expression());
      if (!this.accept(',') && !this.accept(';')) break;
    }
    this.expect('}');
    return { type: 'table', items, entries, line };
  }

  /** `name =` or `[expression] =`; undefined for an item of the list. */
  protected key(): Expression | undefined {
    if (this.is('name') && this.tokens[this.at + 1]?.type === '=') {
      const value = this.expect('name').text;
      this.expect('=');
      return { type: 'constant', value };
    }
    if (!this.accept('[')) return undefined;
    const key = this.expression();
    this.expect(']');
    this.expect('=');
    return key;
  }

  protected body(name: string, line: number, isMethod = false): FunctionBody {
    const outer = this.scope;
    const names = isMethod ? ['self'] : [];
    const hasVarargs = this.parameters(names);
    const scope = new FunctionScope(outer, hasVarargs);
    this.scope = scope;
    const parameters = names.map((one) => scope.declare(one));
    const block = this.closed(false);
    this.scope = outer;
    return { name, parameters, hasVarargs, block, slots: scope.slots, captures: scope.captures, line };
  }

  protected parameters(names: string[]): boolean {
    this.expect('(');
    if (this.accept(')')) return false;
    do {
      if (this.accept('...')) {
        this.expect(')');
        return true;
      }
      names.push(this.expect('name').text);
    } while (this.accept(','));
    this.expect(')');
    return false;
  }
}

const constants: ReadonlyMap<string, Expression> = new Map([
  ['nil', { type: 'constant', value: undefined }],
  ['true', { type: 'constant', value: true }],
  ['false', { type: 'constant', value: false }],
]);
