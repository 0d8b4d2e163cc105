import type { FunctionBody, Local, Variable } from '../ast.ts';
import { SyntaxError } from '../lexer.ts';

type Capture = FunctionBody['captures'][number];

/** The function that the parser is in: its variables, and those that it takes from outside. */
export class FunctionScope {
  readonly outer: FunctionScope | undefined;
  readonly hasVarargs: boolean;
  readonly captures: Capture[] = [];
  readonly #captured = new Map<Local, number>();
  readonly #blocks: Map<string, Local>[] = [new Map()];
  readonly #labels: { readonly known: Set<string>; readonly wanted: Map<string, number> }[] = [];
  #slots = 0;
  #loops: number[] = [0];

  constructor(outer: FunctionScope | undefined, hasVarargs: boolean) {
    this.outer = outer;
    this.hasVarargs = hasVarargs;
  }

  get slots(): number {
    return this.#slots;
  }

  open(isLoop = false): void {
    this.#blocks.push(new Map());
    this.#labels.push({ known: new Set(), wanted: new Map() });
    this.#loops.push((this.#loops.at(-1) ?? 0) + (isLoop ? 1 : 0));
  }

  /** Leaves a block: a `goto` to a label that is not in it looks for it further out. */
  close(): void {
    this.#blocks.pop();
    this.#loops.pop();
    const left = this.#labels.pop();
    for (const [label, line] of left?.wanted ?? []) {
      if (left?.known.has(label)) continue;
      const around = this.#labels.at(-1);
      if (!around) throw new SyntaxError(`no visible label '${label}' for goto`, line);
      around.wanted.set(label, line);
    }
  }

  get isInLoop(): boolean {
    return (this.#loops.at(-1) ?? 0) > 0;
  }

  goto(label: string, line: number): void {
    this.#labels.at(-1)?.wanted.set(label, line);
  }

  label(label: string, line: number): void {
    const { known } = this.#labels.at(-1) ?? { known: new Set<string>() };
    if (known.has(label)) throw new SyntaxError(`label '${label}' is already defined`, line);
    known.add(label);
  }

  /** A slot is not used twice: a box that a function keeps must not be another variable's. */
  declare(name: string): Local {
    const local = { name, slot: this.#slots++, isCaptured: false };
    this.#blocks.at(-1)?.set(name, local);
    return local;
  }

  /** The variable that a name means here. */
  resolve(name: string, line: number): Variable {
    const local = this.#find(name);
    if (local) return { type: 'local', local };
    const index = this.#capture(name);
    return index === undefined ? { type: 'global', name, line } : { type: 'outer', name, index };
  }

  #find(name: string): Local | undefined {
    for (let depth = this.#blocks.length - 1; depth >= 0; depth--) {
      const found = this.#blocks[depth]?.get(name);
      if (found) return found;
    }
    return undefined;
  }

  /** Takes a variable from outside, through all functions between. */
  #capture(name: string): number | undefined {
    const owner = this.outer;
    if (!owner) return undefined;
    const local = owner.#find(name);
    if (local) {
      local.isCaptured = true;
      return this.#keep(local, { local, index: local.slot });
    }
    const index = owner.#capture(name);
    if (index === undefined) return undefined;
    const source = [...owner.#captured].find(([, at]) => at === index)?.[0] as Local;
    return this.#keep(source, { index });
  }

  #keep(local: Local, capture: Capture): number {
    const known = this.#captured.get(local);
    if (known !== undefined) return known;
    this.#captured.set(local, this.captures.length);
    this.captures.push(capture);
    return this.captures.length - 1;
  }
}
