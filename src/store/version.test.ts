import { expect, test } from 'vitest';
import { memoryStore } from './memory.ts';
import { Version } from './version.ts';

const parts = { key: 'a', revision: 1, created: 1, bytes: Buffer.from('{"a":{"b":1}}') };

test('a value is the parsed text; it is frozen once somebody asks for it', () => {
  const version = new Version(parts);
  expect(version.plain).toEqual({ a: { b: 1 } });
  expect(Object.isFrozen(version.plain)).toBe(false);
  expect(version.value).toBe(version.plain);
  expect(Object.isFrozen((version.plain as { a: object }).a)).toBe(true);
});

test('a recipe knows another way from the text to the value', () => {
  const version = new Version({ ...parts, recipe: { read: (text) => ({ length: text.length }) } });
  expect(version.value).toEqual({ length: 13 });
});

test('a writer may make the text of its value, and the recipe for the way back', async () => {
  const store = memoryStore();
  const recipe = { read: (text: string): object => JSON.parse(text) as object };
  const text = (value: object): { text: string; recipe: typeof recipe } => ({
    text: JSON.stringify(value, null, 1),
    recipe,
  });
  const put = await store.write({ verb: 'put', key: 'a', value: { b: 1 }, text });
  expect(put.bytes.toString()).toBe('{\n "b": 1\n}');
  const gone = await store.write({ verb: 'delete', key: 'a' });
  expect([put.recipe, gone.recipe]).toEqual([recipe, recipe]);
  await store.close();
});
