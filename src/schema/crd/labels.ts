import { invalidValue } from '../../api/index.ts';
import type { CrdNames, FieldError } from '../../api/index.ts';

const label = /^[a-z]([-a-z0-9]*[a-z0-9])?$/;

/** Kubernetes' message about a name that is not a DNS-1035 label. */
export const labelWords =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";

/** True for a DNS-1035 label. */
export function isDnsLabel(text = ''): boolean {
  return text.length <= 63 && label.test(text);
}

/** The errors of the names of a resource; a name that is absent is not looked at. */
export function namesErrors(names: CrdNames, path: string): FieldError[] {
  const { kind, listKind } = names;
  const mixed = `may have mixed case, but should otherwise match: ${labelWords}`;
  const wrong = (key: string, name: string | undefined, words = labelWords): FieldError[] =>
    !name || isDnsLabel(words === labelWords ? name : name.toLowerCase())
      ? []
      : [invalidValue(`${path}.${key}`, name, words)];
  const ambiguous = kind && kind === listKind;
  return [
    ...wrong('plural', names.plural),
    ...wrong('singular', names.singular),
    ...wrong('kind', kind, mixed),
    ...wrong('listKind', listKind, mixed),
    ...(names.shortNames ?? []).flatMap((name, i) => wrong(`shortNames[${i}]`, name)),
    ...(ambiguous ? [invalidValue(`${path}.listKind`, listKind, 'kind and listKind may not be the same')] : []),
    ...(names.categories ?? []).flatMap((name, i) => wrong(`categories[${i}]`, name)),
  ];
}
