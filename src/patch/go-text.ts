import { isObject } from '../base/index.ts';

/** How Go prints a JSON value with `%v`: Kubernetes' messages quote patches this way. */
export function goText(value: unknown): string {
  if (value === null || value === undefined) return '<nil>';
  if (Array.isArray(value)) return `[${value.map(goText).join(' ')}]`;
  if (isObject(value)) {
    const members = Object.keys(value)
      .sort()
      .map((key) => `${key}:${goText(value[key])}`);
    return `map[${members.join(' ')}]`;
  }
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The Go type that a JSON value is decoded into. */
export function goType(value: unknown): string {
  if (Array.isArray(value)) return '[]interface {}';
  if (isObject(value)) return 'map[string]interface {}';
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int64' : 'float64';
  return '%!s(<nil>)';
}

/** The name that Go's JSON decoder gives to the kind of a JSON value. */
export function jsonKind(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  if (value === null || value === undefined) return 'null';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}
