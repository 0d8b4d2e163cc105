import { supportFor } from '../../api/index.ts';
import type { Gates, KindSupport, KubeObject } from '../../api/index.ts';
import { isObject } from '../../base/index.ts';
import { warnedName } from './warning.ts';
import type { Warning } from './warning.ts';

/** Warns of a kind, or of fields that an object sets, on which nothing acts: yet, or while a gate is off. */
export function unsupported(object: KubeObject, gates: Gates): readonly Warning[] {
  const support = supportFor(object);
  return support ? unsupportedBy(support, object, gates) : [];
}

/** Warns of the rows of this table that an object concerns. */
export function unsupportedBy(support: KindSupport, object: KubeObject, gates: Gates): readonly Warning[] {
  const concerned = [
    { what: object.kind, row: support },
    ...setFields(object, support).map(([path, row]) => ({ what: path, row })),
  ];
  if (support.support === 'notYet') concerned.splice(1);
  return concerned.flatMap(({ what, row }): Warning[] => {
    const { support: state, note, gate } = row;
    if (state === 'notYet')
      return [warning(object, 'NotSupportedYet', `not supported yet: ${what}${note && `: ${note}`}`)];
    if (!gate || gates[gate]) return [];
    return [warning(object, 'GateOff', `the feature gate ${gate} is off, so nothing acts on ${what}`)];
  });
}

function warning(object: KubeObject, because: Warning['because'], message: string): Warning {
  return { object: warnedName(object), because, message };
}

/** The fields of the table that the object sets. */
function setFields(
  object: KubeObject,
  { fields }: KindSupport,
): readonly (readonly [string, KindSupport['fields'][string]])[] {
  return Object.entries(fields).filter(([path, { isFilledIn }]) => !isFilledIn && isSet(object, path.split('.')));
}

/**
 * Tells whether there is a value at this path. A part that ends in [] goes through every item of a list, one with =
 * asks for a value.
 */
function isSet(value: unknown, [part, ...rest]: readonly string[]): boolean {
  if (part === undefined) return value !== undefined && value !== null;
  if (!isObject(value)) return false;
  const [name = '', wanted] = part.replace(/\[\]$/, '').split('=');
  const next = value[name];
  if (wanted !== undefined) return next === wanted;
  if (!part.endsWith('[]')) return isSet(next, rest);
  return Array.isArray(next) && next.some((item) => isSet(item, rest));
}
