import { freeze } from '../../base/index.ts';
import type { FieldSet } from '../../base/index.ts';

/** Texts kept, in characters: objects that are made alike have the very same sets, and a few thousand serve them all. */
const most = 4 << 20;

const sets = new Map<string, FieldSet>();
const texts = new WeakMap<FieldSet, string>();
let kept = 0;

/** The text of a set of fields; made once for sets that `sharedSet` or `setOfText` gave. */
export function textOfSet(set: FieldSet): string {
  return texts.get(set) ?? JSON.stringify(set);
}

/** The one set that all who own the same fields share. */
export function sharedSet(set: FieldSet): FieldSet {
  if (texts.has(set)) return set;
  const text = JSON.stringify(set);
  return sets.get(text) ?? remember(text, set);
}

/** The set that a text of `textOfSet` stands for. */
export function setOfText(text: string): FieldSet {
  return sets.get(text) ?? remember(text, JSON.parse(text) as FieldSet);
}

/** When there are too many, all are forgotten: those in use come back with the next write. */
function remember(text: string, set: FieldSet): FieldSet {
  kept += text.length;
  if (kept > most) {
    sets.clear();
    kept = text.length;
  }
  sets.set(text, freeze(set));
  texts.set(set, text);
  return set;
}
