/** A policy somewhere in the text of the editor, and the list of its clusters, by lines. */
interface Found {
  readonly lines: readonly string[];
  /** The line of `clusterNames:`; undefined where the policy has none. */
  readonly head: number | undefined;
  /** The lines of the list, without the head. */
  readonly items: readonly { readonly line: number; readonly name: string }[];
  /** The lines of `clusterAffinity:`, `placement:` and `spec:`, where there are any. */
  readonly affinity: number | undefined;
  readonly placement: number | undefined;
  readonly spec: number | undefined;
}

const policyKind = /^kind:\s*(Cluster)?PropagationPolicy\s*$/m;

function find(text: string): Found | undefined {
  if (!policyKind.test(text)) return undefined;
  const lines = text.split('\n');
  const start = startOf(lines);
  const at = (pattern: RegExp): number | undefined => {
    const found = lines.findIndex((line, i) => i >= start.first && i < start.last && pattern.test(line));
    return found < 0 ? undefined : found;
  };
  const head = at(/^\s+clusterNames:/);
  return {
    lines,
    head,
    items: head === undefined ? [] : itemsOf(lines, head),
    affinity: at(/^ {4}clusterAffinity:\s*(\{\s*\})?\s*$/),
    placement: at(/^ {2}placement:\s*(\{\s*\})?\s*$/),
    spec: at(/^spec:\s*$/),
  };
}

/** The first document that is a policy. */
function startOf(lines: readonly string[]): { readonly first: number; readonly last: number } {
  const ends = [...lines.flatMap((line, i) => (line.startsWith('---') ? [i] : [])), lines.length];
  let first = 0;
  for (const last of ends) {
    if (policyKind.test(lines.slice(first, last).join('\n'))) return { first, last };
    first = last + 1;
  }
  return { first: 0, last: lines.length };
}

const plain = (text: string): string => text.trim().replace(/^(['"])(.*)\1$/, '$2');

function itemsOf(lines: readonly string[], head: number): Found['items'] {
  const flow = /\[([^\]]*)\]/.exec(lines[head] ?? '')?.[1];
  if (flow !== undefined)
    return flow
      .split(',')
      .map(plain)
      .filter((name) => name !== '')
      .map((name) => ({ line: head, name }));
  const items: { line: number; name: string }[] = [];
  for (let line = head + 1; line < lines.length; line++) {
    const name = /^\s*-\s+([^#]+?)\s*(#.*)?$/.exec(lines[line] ?? '')?.[1];
    if (name === undefined) break;
    items.push({ line, name: plain(name) });
  }
  return items;
}

/** The members that the policy in the editor names, all of them where it names none; undefined where there is no policy. */
export function membersIn(text: string, all: readonly string[]): ReadonlySet<string> | undefined {
  const found = find(text);
  if (!found || (found.spec === undefined && found.head === undefined)) return undefined;
  return new Set(chosenIn(found, all));
}

/** An empty list chooses every member, as no list does. */
const chosenIn = ({ items }: Found, all: readonly string[]): readonly string[] =>
  items.length === 0 ? all : items.map(({ name }) => name);

/**
 * The text with this member taken out of the policy, or put in; comments and everything else stay as they are. The last
 * member stays: an empty list would choose all.
 */
export function toggled(text: string, member: string, all: readonly string[]): string {
  const found = find(text);
  if (!found) return text;
  const chosen = chosenIn(found, all);
  const next = chosen.includes(member) ? chosen.filter((name) => name !== member) : [...chosen, member];
  if (next.length === 0) return text;
  return (found.head === undefined ? inserted(found, next) : replaced(found, found.head, next)).join('\n');
}

/** The lines with another list; those of members that stay are kept as they are. */
function replaced({ lines, items }: Found, head: number, names: readonly string[]): readonly string[] {
  const own = new Map(items.filter(({ line }) => line !== head).map(({ line, name }) => [name, lines[line] ?? '']));
  const indent = /^\s*/.exec(lines[head] ?? '')?.[0] ?? '';
  const dash = /^\s*-\s+/.exec([...own.values()][0] ?? '')?.[0] ?? `${indent}  - `;
  const after = Math.max(head, ...items.map(({ line }) => line)) + 1;
  return [
    ...lines.slice(0, head),
    `${indent}clusterNames:`,
    ...names.map((name) => own.get(name) ?? dash + name),
    ...lines.slice(after),
  ];
}

/** A policy that named no clusters, and now names these. */
function inserted({ lines, affinity, placement, spec }: Found, names: readonly string[]): readonly string[] {
  const list = ['      clusterNames:', ...names.map((name) => `        - ${name}`)];
  const into = (line: number, ...more: readonly string[]): readonly string[] => [
    ...lines.slice(0, line + 1).map((text, i) => (i === line ? text.replace(/\{\s*\}\s*$/, '').trimEnd() : text)),
    ...more,
    ...list,
    ...lines.slice(line + 1),
  ];
  if (affinity !== undefined) return into(affinity);
  if (placement !== undefined) return into(placement, '    clusterAffinity:');
  return into(spec ?? lines.length - 1, '  placement:', '    clusterAffinity:');
}
