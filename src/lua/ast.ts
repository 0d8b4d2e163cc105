/** Where a local variable lives: captured ones in a box, since a function inside may outlive the block. */
export interface Local {
  readonly name: string;
  readonly slot: number;
  isCaptured: boolean;
}

/** A variable as an expression names it. */
export type Variable =
  | { readonly type: 'local'; readonly local: Local }
  | { readonly type: 'outer'; readonly name: string; readonly index: number }
  | { readonly type: 'global'; readonly name: string; readonly line: number };

/** The operators between two values. */
export type BinaryOperator = '+' | '-' | '*' | '/' | '%' | '^' | '..' | '==' | '~=' | '<' | '<=' | '>' | '>=';

/** A call of a function or method. */
export interface Call {
  readonly type: 'call';
  readonly callee: Expression;
  /** `object:method(…)`; the object goes before the arguments. */
  readonly method?: string;
  readonly args: readonly Expression[];
  readonly line: number;
}

/** A field of a table. */
export interface Index {
  readonly type: 'index';
  readonly object: Expression;
  readonly key: Expression;
  readonly line: number;
}

/** An expression, as the parser makes it. */
export type Expression =
  | { readonly type: 'constant'; readonly value: undefined | boolean | number | string }
  | { readonly type: 'varargs' }
  | { readonly type: 'function'; readonly body: FunctionBody }
  | { readonly type: 'variable'; readonly variable: Variable }
  | Index
  | Call
  /** Parentheses: one value of a call. */
  | { readonly type: 'single'; readonly of: Expression }
  | { readonly type: 'logic'; readonly operator: 'and' | 'or'; readonly left: Expression; readonly right: Expression }
  | {
      readonly type: 'binary';
      readonly operator: BinaryOperator;
      readonly left: Expression;
      readonly right: Expression;
      readonly line: number;
    }
  | { readonly type: 'unary'; readonly operator: 'not' | '-' | '#'; readonly of: Expression; readonly line: number }
  | {
      readonly type: 'table';
      readonly items: readonly Expression[];
      readonly entries: readonly (readonly [Expression, Expression])[];
      readonly line: number;
    };

/** A function: its parameters and its statements. */
export interface FunctionBody {
  readonly name: string;
  readonly parameters: readonly Local[];
  readonly hasVarargs: boolean;
  readonly block: Block;
  /** How many slots a run needs. */
  slots: number;
  /** Where the boxes of outer variables are when the function is made: in the maker's slots, or among its own. */
  readonly captures: readonly { readonly local?: Local; readonly index: number }[];
  readonly line: number;
}

/** The left side of an assignment. */
export type Target = Index | { readonly type: 'variable'; readonly variable: Variable };

/** A statement, as the parser makes it. */
export type Statement =
  | { readonly type: 'local'; readonly locals: readonly Local[]; readonly values: readonly Expression[] }
  | { readonly type: 'localFunction'; readonly local: Local; readonly body: FunctionBody }
  | { readonly type: 'assign'; readonly targets: readonly Target[]; readonly values: readonly Expression[] }
  | { readonly type: 'call'; readonly call: Call }
  | { readonly type: 'do'; readonly block: Block }
  | { readonly type: 'while'; readonly condition: Expression; readonly block: Block }
  | { readonly type: 'repeat'; readonly condition: Expression; readonly block: Block }
  | {
      readonly type: 'if';
      readonly branches: readonly { readonly condition: Expression; readonly block: Block }[];
      readonly otherwise?: Block;
    }
  | {
      readonly type: 'count';
      readonly local: Local;
      readonly range: readonly [Expression, Expression, Expression];
      readonly block: Block;
      readonly line: number;
    }
  | {
      readonly type: 'each';
      readonly locals: readonly Local[];
      readonly values: readonly Expression[];
      readonly block: Block;
      readonly line: number;
    }
  | { readonly type: 'return'; readonly values: readonly Expression[] }
  | { readonly type: 'break' }
  | { readonly type: 'goto'; readonly label: string; readonly line: number }
  | { readonly type: 'label'; readonly label: string };

/** Statements, and what one run of each costs. */
export interface Block {
  readonly statements: readonly Statement[];
  readonly costs: readonly number[];
}
