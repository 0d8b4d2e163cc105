import { badRequest } from '../../api/index.ts';

/** Does a label set pass? */
export type LabelMatch = (labels: Readonly<Record<string, string>> | undefined) => boolean;

type Labels = Readonly<Record<string, string>>;

const none: Labels = Object.freeze({});
const keyPattern =
  /^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*\/)?[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$/;
const valuePattern = /^([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)?$/;

/** Parses `a=b,c in (d,e),!f,g>1`; undefined when everything passes. */
export function parseLabelSelector(text: string): LabelMatch | undefined {
  if (text.trim() === '') return undefined;
  const matches = split(text).map(requirement);
  return (labels) => {
    const set = labels ?? none;
    for (const match of matches) if (!match(set)) return false;
    return true;
  };
}

/** Commas separate requirements, except between the parentheses of a set. */
function split(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (let i = 0; i < text.length; i++) {
    const char = text[i];
    if (char === '(') depth++;
    else if (char === ')') depth--;
    else if (char === ',' && depth === 0) {
      parts.push(text.slice(from, i));
      from = i + 1;
    }
  }
  parts.push(text.slice(from));
  return parts;
}

const setForm = /^\s*(\S+?)\s+(in|notin)\s*\(([^()]*)\)\s*$/;
const equalityForm = /^\s*([^\s=!<>()]+)\s*(==|=|!=|>|<)\s*([^\s=!<>()]*)\s*$/;
const existsForm = /^\s*(!?)\s*([^\s=!<>()]+)\s*$/;

function requirement(text: string): (labels: Labels) => boolean {
  const set = setForm.exec(text);
  if (set) return inSet(checkedKey(set[1] ?? ''), set[2] === 'in', valuesOf(set[3] ?? ''));
  const equality = equalityForm.exec(text);
  if (equality) return compare(checkedKey(equality[1] ?? ''), equality[2] ?? '', equality[3] ?? '');
  return existence(text);
}

function existence(text: string): (labels: Labels) => boolean {
  const exists = existsForm.exec(text);
  if (!exists) throw badRequest(`unable to parse requirement: found '${text.trim()}', expected: identifier`);
  const key = checkedKey(exists[2] ?? '');
  return exists[1] === '!' ? (labels) => labels[key] === undefined : (labels) => labels[key] !== undefined;
}

function valuesOf(text: string): ReadonlySet<string> {
  return new Set(text.split(',').map((value) => checkedValue(value.trim())));
}

function inSet(key: string, wanted: boolean, values: ReadonlySet<string>): (labels: Labels) => boolean {
  if (wanted) {
    return (labels) => {
      const value = labels[key];
      return value !== undefined && values.has(value);
    };
  }
  return (labels) => {
    const value = labels[key];
    return value === undefined || !values.has(value);
  };
}

function compare(key: string, operator: string, value: string): (labels: Labels) => boolean {
  if (operator === '>' || operator === '<') return compareNumbers(key, operator, value);
  checkedValue(value);
  return operator === '!=' ? (labels) => labels[key] !== value : (labels) => labels[key] === value;
}

function compareNumbers(key: string, operator: string, value: string): (labels: Labels) => boolean {
  if (!/^-?\d+$/.test(value)) throw badRequest(`for 'Gt', 'Lt' operators, the value must be an integer`);
  const bound = Number(value);
  return (labels) => {
    const own = labels[key];
    if (own === undefined || !/^-?\d+$/.test(own)) return false;
    return operator === '>' ? Number(own) > bound : Number(own) < bound;
  };
}

function checkedKey(key: string): string {
  if (keyPattern.test(key)) return key;
  throw badRequest(
    `unable to parse requirement: <nil>: Invalid value: ${JSON.stringify(key)}: name part must consist of alphanumeric characters, '-', '_' or '.', ` +
      `and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`,
  );
}

function checkedValue(value: string): string {
  if (value.length <= 63 && valuePattern.test(value)) return value;
  throw badRequest(
    `unable to parse requirement: values[0][]: Invalid value: ${JSON.stringify(value)}: a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', ` +
      `and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')`,
  );
}
