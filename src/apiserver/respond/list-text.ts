import { apiVersionOf, fieldSets, withoutHeader } from '../../api/index.ts';
import type { HubResponse } from '../http.ts';
import { withoutFieldSets, withoutStatusList } from './trimmed-text.ts';
import type { Call, ListOutcome } from '../call.ts';
import { itemParts } from '../storage/stored-form.ts';
import { listMeta } from './transform.ts';

const comma = Buffer.from(',');
const brace = Buffer.from('{');
const commaAndBrace = Buffer.from(',{');
const end = Buffer.from(']}');

/** `status.conditions` asks to leave this list of the status out; of several such names the first counts. */
const statusField = /^status\.([A-Za-z]{1,64})$/;

/**
 * From this size on a list is not copied into one piece: the memory of many such copies counts as garbage, and to
 * collect it the hub has to look at everything in its memory.
 */
const longBytes = 256 * 1024;

/** The fields of a list before its items. */
export function listOpening({ kind }: Call, list: ListOutcome): object {
  return { kind: kind.listKind, apiVersion: apiVersionOf(kind), metadata: listMeta(list) };
}

/** The text of a list; the items come from where they are stored. */
export function listText(call: Call, list: ListOutcome): Pick<HubResponse, 'body' | 'parts'> {
  const parts = listParts(call, list);
  const length = lengthOf(parts);
  return length < longBytes ? { body: Buffer.concat(parts, length) } : { parts };
}

function listParts(call: Call, list: ListOutcome): readonly Buffer[] {
  const trimmed = trimmerOf(call);
  const partsOf = itemParts(call.kind);
  const parts: Buffer[] = [Buffer.from(`${JSON.stringify(listOpening(call, list)).slice(0, -1)},"items":[`)];
  list.entries.forEach((entry, i) => {
    const [head, tail] = partsOf(entry);
    if (i > 0) parts.push(head === '' ? comma : commaAndBrace);
    else if (head !== '') parts.push(brace);
    for (const part of trimmed(tail)) parts.push(part);
  });
  parts.push(end);
  return parts;
}

/** Cuts the parts from the text of an object that the caller asks to leave out. */
function trimmerOf({ request }: Call): (text: Buffer) => readonly Buffer[] {
  const without = new Set(request.headers[withoutHeader]?.split(/, */));
  const bare = without.has(fieldSets) ? withoutFieldSets : (text: Buffer): Buffer => text;
  const field = [...without].map((name) => statusField.exec(name)?.[1]).find((name) => name !== undefined);
  return field === undefined ? (text) => [bare(text)] : (text) => withoutStatusList(bare(text), field);
}

/** How long the pieces are together. */
export function lengthOf(parts: readonly Buffer[]): number {
  let length = 0;
  for (const part of parts) length += part.length;
  return length;
}
