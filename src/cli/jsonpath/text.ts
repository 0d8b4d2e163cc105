import { goJson } from '../gojson.ts';

/** A value as kubectl prints it within text: what is simple as it is, the rest as JSON. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : goJson(value);
}
