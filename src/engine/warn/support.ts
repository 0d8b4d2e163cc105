import { supportFor } from '../../api/index.ts';
import type { KindSupport, KubeObject } from '../../api/index.ts';
import { isObject } from '../../base/index.ts';
import { warnedName } from './warning.ts';
import type { Warning } from './warning.ts';

/** Warns of a kind, or of fields that an object sets, on which nothing acts yet. */
export function unsupported(object: KubeObject): readonly Warning[] {
  const support = supportFor(object);
  return support ? unsupportedBy(support, object) : [];
}

/** Warns of the rows of this table that an object concerns. */
export function unsupportedBy(support: KindSupport, object: KubeObject): readonly Warning[] {
  const messages = support.support === 'notYet' ? [message(object.kind, support.note)] : fieldMessages(object, support);
  return messages.map((text) => ({ object: warnedName(object), because: 'NotSupportedYet', message: text }));
}

function message(what: string, note: string): string {
  return `not supported yet: ${what}${note && `: ${note}`}`;
}

function fieldMessages(object: KubeObject, { fields }: KindSupport): readonly string[] {
  return Object.entries(fields).flatMap(([path, { support, note, isFilledIn }]) =>
    support === 'notYet' && !isFilledIn && isSet(object, path.split('.')) ? [message(path, note)] : [],
  );
}

/** Is anything at this path? A part that ends in [] goes through every item of a list, one with = asks for a value. */
function isSet(value: unknown, [part, ...rest]: readonly string[]): boolean {
  if (part === undefined) return value !== undefined && value !== null;
  if (!isObject(value)) return false;
  const [name = '', wanted] = part.replace(/\[\]$/, '').split('=');
  const next = value[name];
  if (wanted !== undefined) return next === wanted;
  if (!part.endsWith('[]')) return isSet(next, rest);
  return Array.isArray(next) && next.some((item) => isSet(item, rest));
}
