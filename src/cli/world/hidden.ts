import type { Io } from '../io.ts';
import { counted } from '../print/output.ts';
import type { Snapshot } from './state.ts';

/** Without these nobody can tell what a change does; in the order in which they are missed. */
const decisive = [
  'clusters',
  'clusterpropagationpolicies',
  'propagationpolicies',
  'clusterresourcebindings',
  'resourcebindings',
  'works',
];
/** So many are named; a caller who may see next to nothing would be told of every kind there is. */
const named = 6;

/** What a snapshot does not know, in a few lines. */
export function hiddenNotes({ hidden }: Pick<Snapshot, 'hidden'>): readonly string[] {
  const kinds = hidden.filter(isKind);
  const others = hidden.filter((what) => !isKind(what));
  const first = [
    ...decisive.filter((kind) => kinds.includes(kind)),
    ...kinds.filter((kind) => !decisive.includes(kind)),
  ];
  return [
    ...(first.length > 0 ? [`you may not see ${listed(first)}`] : []),
    ...others.slice(0, named).map((what) => `hidden: ${what}`),
    ...(others.length > named
      ? [`hidden: ${others.length - named} more of this; \`sluice snapshot\` names them all`]
      : []),
  ];
}

/** What is hidden of that without which nobody can tell what a change does. */
export function decisiveHidden({ hidden }: Pick<Snapshot, 'hidden'>): readonly string[] {
  return decisive.filter((kind) => hidden.includes(kind));
}

/** Tells the caller what they were not shown. */
export function tellHidden(io: Pick<Io, 'err'>, snapshot: Pick<Snapshot, 'hidden'>): void {
  for (const note of hiddenNotes(snapshot)) io.err(`note: ${note}\n`);
}

/** A whole kind is named by its plural; everything else needs more than a word. */
export const isKind = (what: string): boolean => !what.includes(' ');

function listed(kinds: readonly string[]): string {
  const more = kinds.length - named;
  if (more <= 0) return kinds.join(', ');
  return `${kinds.slice(0, named).join(', ')} and ${counted(more, 'more kind')}; \`sluice snapshot\` names them all`;
}
