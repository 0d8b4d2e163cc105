import type { KubeObject } from '../../api/index.ts';
import { isKnownList, knownList } from './entries.ts';
import type { ManagedFieldsEntry } from './entries.ts';
import { setOfText, textOfSet } from './set-texts.ts';

/** The text of an object, and where in it the sets of fields stand: start and end of each. */
export interface ManagedText {
  readonly text: string;
  readonly spans: readonly number[];
}

/**
 * The JSON of an object whose metadata ends with its managedFields, as Go writes them. The sets in there are half of
 * many an object and the same for thousands of them: their texts are cached, so they are neither written nor parsed
 * again.
 */
export function managedText(object: KubeObject): ManagedText {
  const { apiVersion, kind, metadata, ...rest } = object;
  const { managedFields, ...others } = metadata;
  if (!isKnownList(managedFields)) return { text: JSON.stringify(object), spans: [] };
  const head = `{"apiVersion":${JSON.stringify(apiVersion)},"kind":${JSON.stringify(kind)},"metadata":`;
  const spans: number[] = [];
  let text = `${head}${JSON.stringify(others).slice(0, -1)},"managedFields":`;
  managedFields.forEach((entry, i) => {
    const { fieldsV1, ...owner } = entry;
    text += `${i === 0 ? '[' : ','}${JSON.stringify(owner).slice(0, -1)},"fieldsV1":`;
    const set = textOfSet(fieldsV1);
    spans.push(text.length, text.length + set.length);
    text += `${set}}`;
  });
  const tail = JSON.stringify(rest);
  return { text: `${text}]}${tail === '{}' ? '' : ','}${tail.slice(1)}`, spans };
}

/** The object of a text, by the spans that were noted when it was written. */
export function readManagedText(text: string, spans: readonly number[]): KubeObject {
  let bare = '';
  let end = 0;
  const sets: string[] = [];
  for (let i = 0; i + 1 < spans.length; i += 2) {
    const from = spans[i] ?? 0;
    bare += `${text.slice(end, from)}null`;
    end = spans[i + 1] ?? 0;
    sets.push(text.slice(from, end));
  }
  const object = JSON.parse(bare + text.slice(end)) as KubeObject;
  const entries = object.metadata.managedFields as {
    -readonly [K in keyof ManagedFieldsEntry]: ManagedFieldsEntry[K];
  }[];
  entries.forEach((entry, i) => {
    entry.fieldsV1 = setOfText(sets[i] ?? '{}');
  });
  knownList(entries);
  return object;
}
