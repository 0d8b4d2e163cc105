import { badRequest } from './errors.ts';
import { fieldErrorText, invalidValue } from './field.ts';
import type { FieldError } from './field.ts';
import { labelKeyFaults, labelValueFaults } from './object-names.ts';

/** Tells whether a set of labels matches. */
export type LabelMatch = (labels: Readonly<Record<string, string>> | undefined) => boolean;

type Labels = Readonly<Record<string, string>>;
type Requirement = (labels: Labels) => boolean;

const none: Labels = Object.freeze({});

/** Parses `a=b,c in (d,e),!f,g>1`; undefined when everything passes. Refuses in the words of Kubernetes. */
export function parseLabelSelector(text: string): LabelMatch | undefined {
  const matches = requirementsOf(new TokenReader(text));
  if (matches.length === 0) return undefined;
  return (labels) => {
    const set = labels ?? none;
    for (const match of matches) if (!match(set)) return false;
    return true;
  };
}

function requirementsOf(reader: TokenReader): Requirement[] {
  const found: Requirement[] = [];
  if (reader.peek().kind === 'end') return found;
  if (!startsRequirement(reader)) throw unexpected(reader.peek().text, "!, identifier, or 'end of string'");
  for (;;) {
    found.push(requirementOf(reader));
    const { kind, text } = reader.value();
    if (kind === 'end') return found;
    if (kind !== ',') throw unexpected(text, "',' or 'end of string'");
    if (!startsRequirement(reader)) throw unexpected(reader.peek().text, "identifier after ','");
  }
}

function startsRequirement(reader: TokenReader): boolean {
  const { kind } = reader.peek();
  return kind === 'identifier' || kind === '!';
}

const unexpected = (found: string, expected: string): Error => badRequest(`found '${found}', expected: ${expected}`);

const unparsable = (words: string): Error => badRequest(`unable to parse requirement: ${words}`);

const misplaced = (found: string, expected: string): Error => unparsable(`found '${found}', expected: ${expected}`);

function requirementOf(reader: TokenReader): Requirement {
  const negated = reader.peek().kind === '!';
  if (negated) reader.value();
  const { kind, text: key } = reader.value();
  if (kind !== 'identifier') throw misplaced(key, 'identifier');
  const faults = labelKeyFaults(key);
  if (faults.length > 0) refuse([invalidValue('<nil>', key, faults.join('; '))]);
  const ends = reader.peek().kind === 'end' || reader.peek().kind === ',';
  if (negated) return (labels) => labels[key] === undefined;
  return ends ? (labels) => labels[key] !== undefined : comparisonOf(reader, key);
}

function refuse(errors: readonly FieldError[]): void {
  const texts = errors.map(fieldErrorText);
  if (texts.length > 0) throw unparsable(texts.length === 1 ? (texts[0] ?? '') : `[${texts.join(', ')}]`);
}

function comparisonOf(reader: TokenReader, key: string): Requirement {
  const { kind, text } = reader.operator();
  switch (kind) {
    case 'in':
    case 'notin':
      return inSet(key, kind === 'in', checked(key, valuesOf(reader)));
    case '=':
    case '==':
    case '!=': {
      const [value] = checked(key, [valueOf(reader)]);
      return kind === '!=' ? (labels) => labels[key] !== value : (labels) => labels[key] === value;
    }
    case '>':
    case '<':
      return compareNumbers(key, kind, valueOf(reader));
    default:
      throw misplaced(text, 'in, notin, =, ==, !=, gt, lt');
  }
}

/** The value after an operator; an absent one is the empty value. */
function valueOf(reader: TokenReader): string {
  const next = reader.peek().kind;
  if (next === 'end' || next === ',') return '';
  const { kind, text } = reader.value();
  if (kind !== 'identifier') throw misplaced(text, 'identifier');
  return text;
}

/** The values between parentheses; a missing one is the empty value. */
function valuesOf(reader: TokenReader): string[] {
  const open = reader.value();
  if (open.kind !== '(') throw unparsable(`found '${open.text}' expected: '('`);
  const values: string[] = [];
  for (;;) {
    const next = reader.peek();
    const value = next.kind === 'identifier' ? reader.value().text : '';
    values.push(value);
    const { kind, text } = reader.value();
    if (kind === ')') return values;
    if (kind !== ',')
      throw misplaced(text, values.length === 1 && value === '' ? "',', ')' or identifier" : "',' or ')'");
  }
}

function checked(key: string, values: readonly string[]): readonly string[] {
  const sorted = [...new Set(values)].sort();
  refuse(
    sorted.flatMap((value, i) =>
      labelValueFaults(value).map((fault) => invalidValue(`values[${i}][${key}]`, value, fault)),
    ),
  );
  return sorted;
}

function inSet(key: string, wanted: boolean, values: readonly string[]): Requirement {
  const set = new Set(values);
  if (wanted) {
    return (labels) => {
      const value = labels[key];
      return value !== undefined && set.has(value);
    };
  }
  return (labels) => {
    const value = labels[key];
    return value === undefined || !set.has(value);
  };
}

function compareNumbers(key: string, operator: '>' | '<', value: string): Requirement {
  if (!/^-?\d+$/.test(value)) {
    refuse([invalidValue('values[0]', value, "for 'Gt', 'Lt' operators, the value must be an integer")]);
  }
  const bound = Number(value);
  return (labels) => {
    const own = labels[key];
    if (own === undefined || !/^-?\d+$/.test(own)) return false;
    return operator === '>' ? Number(own) > bound : Number(own) < bound;
  };
}

/** A word of a label selector: one of the symbols and keywords, a name or value, or the end. */
interface Token {
  readonly kind: Symbol | 'identifier' | 'end';
  /** As it was written; empty for the end. */
  readonly text: string;
}

const symbols = ['(', ')', ',', '!=', '!', '==', '=', '>', '<', 'in', 'notin'] as const;
type Symbol = (typeof symbols)[number];
const known: ReadonlySet<string> = new Set(symbols);

const word = /\s*(?:(!=|==|[()!,=<>])|([^\s()!,=<>]+))/y;

/** Takes a selector apart, as Kubernetes does: any run of other characters is a name or a value. */
function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  word.lastIndex = 0;
  for (let match = word.exec(text); match; match = word.exec(text)) {
    const found = match[1] ?? match[2] ?? '';
    tokens.push({ kind: known.has(found) ? (found as Symbol) : 'identifier', text: found });
  }
  return tokens;
}

/** Reads tokens one after the other; beyond the last there is only the end. */
class TokenReader {
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
