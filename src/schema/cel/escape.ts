const reserved: ReadonlySet<string> = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
);
const parts: readonly (readonly [RegExp, string])[] = [
  [/__/g, '__underscores__'],
  [/\./g, '__dot__'],
  [/-/g, '__dash__'],
  [/\//g, '__slash__'],
];

/** The name by which a rule reaches a field; undefined where no name can. */
export function escapedName(field: string): string | undefined {
  if (reserved.has(field)) return `__${field}__`;
  const name = parts.reduce((text, [from, to]) => text.replaceAll(from, to), field);
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) ? name : undefined;
}
