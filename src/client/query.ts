/** Parameters of a request; those that are undefined, false or empty are left out. */
export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/** The query as it stands in a URL, without the question mark. */
export function queryText(query: Query): string {
  let text = '';
  for (const name in query) {
    const value = query[name];
    if (value === undefined || value === '' || value === false) continue;
    text += `${text && '&'}${name}=${encodeURIComponent(value)}`;
  }
  return text;
}
