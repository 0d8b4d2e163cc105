import { isObject } from '../../base/index.ts';
import { at, list, strings, text } from './read.ts';

/** `a=b,c=d` in the order of keys, `<none>` for none. */
export function formatLabels(labels: unknown): string {
  return equalities(labels).join(',') || '<none>';
}

/** A label selector as `-l` would take it, its requirements in the order of their keys. */
export function formatSelector(selector: unknown, fallback = '<none>'): string {
  const expressions = list(selector, 'matchExpressions').map((one) => ({
    key: text(one, 'key'),
    text: expression(text(one, 'key'), text(one, 'operator'), strings(one, 'values')),
  }));
  const labels = equalities(at(selector, 'matchLabels')).map((one) => ({ key: one.split('=')[0] ?? '', text: one }));
  const all = [...labels, ...expressions].toSorted((a, b) => (a.key < b.key ? -1 : Number(a.key > b.key)));
  return all.map((one) => one.text).join(',') || fallback;
}

function equalities(labels: unknown): readonly string[] {
  return isObject(labels)
    ? Object.keys(labels)
        .sort()
        .map((key) => `${key}=${String(labels[key])}`)
    : [];
}

function expression(key: string, operator: string, values: readonly string[]): string {
  const among = `(${values.toSorted().join(',')})`;
  if (operator === 'In') return `${key} in ${among}`;
  if (operator === 'NotIn') return `${key} notin ${among}`;
  return operator === 'DoesNotExist' ? `!${key}` : key;
}
