import { evaluate, parseTemplate, TemplateError } from '../../base/index.ts';
import type { Template } from '../../base/index.ts';

/** How `-o custom-columns=NAME:.metadata.name` begins. */
export const customColumns = 'custom-columns=';

/** A column that a user made. */
export interface CustomColumn {
  readonly head: string;
  readonly template: Template;
}

/** Reads `custom-columns=NAME:.metadata.name,IMAGE:.spec.containers[0].image`; throws TemplateError. */
export function columnsOf(text: string): readonly CustomColumn[] {
  return text
    .slice(customColumns.length)
    .split(',')
    .map((part) => {
      const colon = part.indexOf(':');
      if (colon <= 0 || colon === part.length - 1)
        throw new TemplateError(`custom-columns: ${JSON.stringify(part)} must be HEAD:.path (NAME:.metadata.name)`);
      return { head: part.slice(0, colon), template: pathTemplate(part.slice(colon + 1)) };
    });
}

/** A path as kubectl takes it: `.metadata.name`, `metadata.name` or `{.metadata.name}`. */
export function pathTemplate(path: string): Template {
  if (path.startsWith('{')) return parseTemplate(path);
  return parseTemplate(`{${/^[.[]/.test(path) ? '' : '.'}${path}}`);
}

/** The text of a column for an object. */
export function cellOf({ template }: CustomColumn, object: unknown): string {
  return evaluate(template, object) || '<none>';
}

/** Sorts by what a path finds: numbers by value, everything else as text. Equal ones keep their order. */
export function sortedBy<T>(items: readonly T[], template: Template, objectOf: (item: T) => unknown): readonly T[] {
  const keyed = items.map((item) => ({ item, key: evaluate(template, objectOf(item)) }));
  return keyed.sort((a, b) => compared(a.key, b.key)).map(({ item }) => item);
}

function compared(a: string, b: string): number {
  const [x, y] = [Number(a), Number(b)];
  if (a !== '' && b !== '' && Number.isFinite(x) && Number.isFinite(y)) return x - y;
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
