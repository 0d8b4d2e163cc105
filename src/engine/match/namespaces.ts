/** A namespace field as written, read once: exact names and prefixes (proposal 1). */
export interface NamespacePattern {
  readonly names: readonly string[];
  readonly prefixes: readonly string[];
}

const label = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const start = /^[a-z0-9][-a-z0-9]*$/;
const parsed = new Map<string, NamespacePattern>();
const remembered = 10_000;

/** Reads `a`, `a,b`, `user1-*` or a mixed list. Items that admission would refuse cover nothing. */
export function namespacePattern(text: string): NamespacePattern {
  const known = parsed.get(text);
  if (known) return known;
  const names: string[] = [];
  const prefixes: string[] = [];
  for (const item of text.split(',')) {
    if (whyNotNamespaceItem(item) !== undefined) continue;
    if (item.endsWith('*')) prefixes.push(item.slice(0, -1));
    else names.push(item);
  }
  const pattern = { names, prefixes };
  if (parsed.size >= remembered) parsed.clear();
  parsed.set(text, pattern);
  return pattern;
}

/** Why an item of a namespace list cannot be accepted; undefined when it can. */
export function whyNotNamespaceItem(item: string): string | undefined {
  if (item === '') return 'an item is empty: write names or prefix* separated by single commas';
  if (item !== item.trim() || /\s/.test(item)) return 'blanks are not allowed: write a,b without spaces';
  const star = item.indexOf('*');
  if (star < 0) return label.test(item) ? undefined : 'must be a namespace name (a DNS-1123 label) or prefix*';
  if (item === '*') return 'the prefix is empty: name the namespaces, or write prefix*';
  if (star !== item.length - 1) return 'only one * is allowed, at the end: write prefix*';
  return start.test(item.slice(0, -1)) ? undefined : 'the prefix must be the start of a namespace name';
}

/** Tells whether the pattern covers this namespace. */
export function coversNamespace(pattern: NamespacePattern, namespace: string): boolean {
  return pattern.names.includes(namespace) || pattern.prefixes.some((prefix) => namespace.startsWith(prefix));
}
