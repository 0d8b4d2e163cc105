import { apiVersionOf, fieldSets, memberReports, withoutHeader } from '../../api/index.ts';
import type { HubResponse } from '../http.ts';
import { withoutFieldSets, withoutReports } from './trimmed-text.ts';
import type { Call, ListOutcome } from '../call.ts';
import { itemParts } from '../storage/stored-form.ts';
import { listMeta } from './transform.ts';

const comma = Buffer.from(',');
const brace = Buffer.from('{');
const commaAndBrace = Buffer.from(',{');
const end = Buffer.from(']}');

/**
 * From this size on a list is not copied into one piece: the memory of many such copies counts as garbage, and to collect it
 * the hub has to look at everything that it holds.
 */
const longBytes = 256 * 1024;

/** What a list begins with. */
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
  const lean = leanerOf(call);
  const partsOf = itemParts(call.kind);
  const parts: Buffer[] = [Buffer.from(`${JSON.stringify(listOpening(call, list)).slice(0, -1)},"items":[`)];
  list.entries.forEach((entry, i) => {
    const [head, tail] = partsOf(entry);
    if (i > 0) parts.push(head === '' ? comma : commaAndBrace);
    else if (head !== '') parts.push(brace);
    for (const part of lean(tail)) parts.push(part);
  });
  parts.push(end);
  return parts;
}

/** What is sent of the text of an object, by what the caller has no use for. */
function leanerOf({ request }: Call): (text: Buffer) => readonly Buffer[] {
  const without = new Set(request.headers[withoutHeader]?.split(/, */));
  const bare = without.has(fieldSets) ? withoutFieldSets : (text: Buffer): Buffer => text;
  return without.has(memberReports) ? (text) => withoutReports(bare(text)) : (text) => [bare(text)];
}

/** How long the pieces are together. */
export function lengthOf(parts: readonly Buffer[]): number {
  let length = 0;
  for (const part of parts) length += part.length;
  return length;
}
