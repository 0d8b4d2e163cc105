import { describe, expect, test } from 'vitest';
import type { KubeObject } from '../../api/index.ts';
import { readEntries, writeEntries } from './entries.ts';
import type { ManagedFieldsEntry } from './entries.ts';
import { managedText, readManagedText } from './managed-text.ts';
import { setOfText, sharedSet, textOfSet } from './set-texts.ts';

const entry = (manager: string, fieldsV1: ManagedFieldsEntry['fieldsV1'], more = {}): ManagedFieldsEntry => ({
  manager,
  operation: 'Update',
  apiVersion: 'v1',
  time: '2026-01-01T00:00:00Z',
  fieldsType: 'FieldsV1',
  fieldsV1,
  ...more,
});

const object = (
  managedFields: readonly unknown[] | undefined,
  more: object = { data: { é: '"fieldsV1":0' } },
): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: {
    name: 'a',
    annotations: { x: ',"managedFields":[{"fieldsV1":0}]' },
    ...(managedFields && { managedFields }),
  },
  ...more,
});

const twoOwners = (): readonly ManagedFieldsEntry[] =>
  writeEntries([
    entry('grüße', { 'f:data': { '.': {}, 'f:é': {} } }),
    entry('b', { 'f:status': { 'k:{"type":"A"}': {} } }, { subresource: 'status' }),
  ]);

describe('the text of an object with managedFields', () => {
  test.each([
    ['two owners', object(twoOwners())],
    ['nothing but metadata', object(twoOwners(), {})],
  ])('is its JSON, and the way back gives the same object: %s', (_, whole) => {
    const { text, spans } = managedText(whole);
    expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(whole)));
    expect(spans).toHaveLength(4);
    expect(readManagedText(text, spans)).toEqual(JSON.parse(text));
  });

  test('marks no spans where the owners were not recorded here', () => {
    const foreign = object([{ ...entry('a', { 'f:data': {} }) }]);
    expect(managedText(foreign)).toEqual({ text: JSON.stringify(foreign), spans: [] });
    expect(managedText(object(undefined))).toEqual({ text: JSON.stringify(object(undefined)), spans: [] });
  });

  test('an object that is read back shares its sets with the written one', () => {
    const entries = twoOwners();
    const { text, spans } = managedText(object(entries));
    const read = readManagedText(text, spans).metadata.managedFields as readonly ManagedFieldsEntry[];
    expect(readEntries(read)).toBe(read);
    expect(read.map(({ fieldsV1 }) => fieldsV1)).toEqual(entries.map(({ fieldsV1 }) => fieldsV1));
    for (const [i, { fieldsV1 }] of read.entries()) expect(fieldsV1).toBe(entries[i]?.fieldsV1);
  });
});

describe('sets of fields', () => {
  test('become one frozen set when they are equal', () => {
    const one = sharedSet({ 'f:spec': { 'f:shared': {} } });
    expect(sharedSet({ 'f:spec': { 'f:shared': {} } })).toBe(one);
    expect(setOfText(textOfSet(one))).toBe(one);
    expect(Object.isFrozen(one['f:spec'])).toBe(true);
  });

  test('are forgotten when there are too many, and still right', () => {
    const one = sharedSet({ 'f:first': {} });
    const long = 'x'.repeat(1 << 20);
    for (let i = 0; i < 5; i++) sharedSet({ [`f:${long}${i}`]: {} });
    expect(sharedSet({ 'f:first': {} })).not.toBe(one);
    expect(textOfSet(one)).toBe('{"f:first":{}}');
    expect(setOfText('{"f:first":{}}')).toEqual(one);
  });
});
