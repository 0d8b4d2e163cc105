import { tokensOf } from '../lexer.ts';
import type { Block, Expression, FunctionBody, Local, Statement, Target } from '../ast.ts';
import { ExpressionParser } from './expressions.ts';

/** The function that a script is. Throws a SyntaxError with the line. */
export function parse(script: string): FunctionBody {
  return new Parser(tokensOf(script)).script();
}

const blockEnds: ReadonlySet<string> = new Set(['end', 'else', 'elseif', 'until', '<eof>']);

class Parser extends ExpressionParser {
  script(): FunctionBody {
    const block = this.block(false);
    this.expect('<eof>');
    return {
      name: 'the script',
      parameters: [],
      hasVarargs: true,
      block,
      slots: this.scope.slots,
      captures: [],
      line: 1,
    };
  }

  /** The statements of a block; what ends it is read before its variables go out of sight. */
  private block(isLoop: boolean, begin?: () => void, finish?: () => void): Block {
    this.scope.open(isLoop);
    begin?.();
    const statements: Statement[] = [];
    const costs: number[] = [];
    while (!blockEnds.has(this.token.type)) {
      const words = this.words;
      const statement = this.nested(() => this.statement());
      statements.push(statement);
      costs.push(1 + this.words - words);
      while (this.accept(';'));
      if (statement.type === 'return' || statement.type === 'break') break;
    }
    finish?.();
    this.scope.close();
    return { statements, costs };
  }

  private statement(): Statement {
    const { type, line } = this.token;
    const read = this.statements[type];
    if (read) {
      this.at++;
      return read(line);
    }
    return this.expressionStatement();
  }

  private readonly statements: Readonly<Record<string, (line: number) => Statement>> = {
    if: () => this.if(),
    while: () => this.while(),
    do: () => ({ type: 'do', block: this.closed() }),
    for: (line) => this.for(line),
    repeat: () => this.repeat(),
    function: (line) => this.function(line),
    local: (line) => (this.accept('function') ? this.localFunction(line) : this.local()),
    return: () => ({ type: 'return', values: this.returned() }),
    break: () => {
      if (!this.scope.isInLoop) throw this.error('break is not in a loop');
      return { type: 'break' };
    },
    goto: (line) => {
      const label = this.expect('name').text;
      this.scope.goto(label, line);
      return { type: 'goto', label, line };
    },
    '::': (line) => {
      const label = this.expect('name').text;
      this.expect('::');
      this.scope.label(label, line);
      return { type: 'label', label };
    },
  };

  protected closed(isLoop = false, begin?: () => void): Block {
    return this.block(isLoop, begin, () => this.expect('end'));
  }

  private if(): Statement {
    const branches: { readonly condition: Expression; readonly block: Block }[] = [];
    do {
      const condition = this.expression();
      this.expect('then');
      branches.push({ condition, block: this.block(false) });
    } while (this.accept('elseif'));
    if (this.accept('else')) return { type: 'if', branches, otherwise: this.closed() };
    this.expect('end');
    return { type: 'if', branches };
  }

  private while(): Statement {
    const condition = this.expression();
    this.expect('do');
    return { type: 'while', condition, block: this.closed(true) };
  }

  /** The condition sees the variables of the block. */
  private repeat(): Statement {
    let condition: Expression | undefined;
    const block = this.block(true, undefined, () => {
      this.expect('until');
      condition = this.expression();
    });
    return { type: 'repeat', condition: condition as unknown as Expression, block };
  }

  private for(line: number): Statement {
    const names = [this.expect('name').text];
    if (this.accept('=')) return this.count(names[0] ?? '', line);
    while (this.accept(',')) names.push(this.expect('name').text);
    this.expect('in');
    const values = this.expressions();
    this.expect('do');
    let locals: readonly Local[] = [];
    const block = this.closed(true, () => {
      locals = names.map((name) => this.scope.declare(name));
    });
    return { type: 'each', locals, values, block, line };
  }

  private count(name: string, line: number): Statement {
    const first = this.expression();
    this.expect(',');
    const last = this.expression();
    const step: Expression = this.accept(',') ? this.expression() : { type: 'constant', value: 1 };
    this.expect('do');
    let local: Local | undefined;
    const block = this.closed(true, () => {
      local = this.scope.declare(name);
    });
    return { type: 'count', local: local as unknown as Local, range: [first, last, step], block, line };
  }

  private function(line: number): Statement {
    const first = this.expect('name');
    let target: Target = { type: 'variable', variable: this.scope.resolve(first.text, first.line) };
    let name = first.text;
    let isMethod = false;
    while (!isMethod && (this.is('.') || this.is(':'))) {
      isMethod = this.token.type === ':';
      this.at++;
      const key = this.expect('name').text;
      name += `.${key}`;
      target = { type: 'index', object: target, key: { type: 'constant', value: key }, line };
    }
    const value: Expression = { type: 'function', body: this.body(name, line, isMethod) };
    return { type: 'assign', targets: [target], values: [value] };
  }

  private localFunction(line: number): Statement {
    const name = this.expect('name').text;
    const local = this.scope.declare(name);
    return { type: 'localFunction', local, body: this.body(name, line) };
  }

  private local(): Statement {
    const names = [this.expect('name').text];
    while (this.accept(',')) names.push(this.expect('name').text);
    const values = this.accept('=') ? this.expressions() : [];
    return { type: 'local', locals: names.map((name) => this.scope.declare(name)), values };
  }

  private returned(): readonly Expression[] {
    return blockEnds.has(this.token.type) || this.is(';') ? [] : this.expressions();
  }

  private expressionStatement(): Statement {
    const first = this.suffixed();
    if (first.type === 'call') return { type: 'call', call: first };
    const targets = [this.target(first)];
    while (this.accept(',')) targets.push(this.target(this.suffixed()));
    this.expect('=');
    return { type: 'assign', targets, values: this.expressions() };
  }

  private target(expression: Expression): Target {
    if (expression.type === 'index' || expression.type === 'variable') return expression;
    throw this.error(`syntax error near '${this.token.text}'`);
  }
}
