/** How values are told apart. */
export interface Spelling<Value> {
  /** Values with equal texts are alike. */
  readonly spell: (value: Value) => string;
  /** Whether two values are alike, without writing them down. */
  readonly isSame: (a: Value, b: Value) => boolean;
}

/** Neighbours are mostly alike: this many different ones are compared before a text is made. */
const remembered = 4;

/** Gives values that are alike the same small number, so that a text with many of them stays short. */
export class Numbering<Value> {
  readonly #spelling: Spelling<Value>;
  readonly #numbers = new Map<string, number>();
  readonly #recent: { readonly value: Value; readonly number: number }[] = [];
  #turn = 0;

  constructor(spelling: Spelling<Value>) {
    this.#spelling = spelling;
  }

  of(value: Value): number {
    for (let i = 0; i < this.#recent.length; i++) {
      const recent = this.#recent[i];
      if (recent && this.#spelling.isSame(value, recent.value)) return recent.number;
    }
    const text = this.#spelling.spell(value);
    let number = this.#numbers.get(text);
    if (number === undefined) this.#numbers.set(text, (number = this.#numbers.size));
    this.#recent[this.#turn++ % remembered] = { value, number };
    return number;
  }
}
