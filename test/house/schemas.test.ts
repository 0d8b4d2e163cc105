import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { schemas } from '../../tools/schemas.ts';
import { faultsOf } from '../kit/jsonschema.ts';

const folder = join(import.meta.dirname, '../../docs/schemas');

test('docs/schemas holds what the tool writes; `node tools/schemas.ts`', () => {
  expect(readdirSync(folder).sort()).toEqual(
    Object.keys(schemas)
      .map((name) => `${name}.json`)
      .sort(),
  );
  for (const [name, schema] of Object.entries(schemas))
    expect(JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'))).toEqual(schema);
});

test.each([
  ['what is missing', { kind: 'Plan' }, '$.apiVersion is missing'],
  ['what is too much', { extra: 1 }, '$.extra is not in the schema'],
  ['what is of another type', { effects: {} }, '$.effects is no array'],
  ['a word that is none', { effects: [{ effect: 'explode' }] }, '$.effects[0].effect is none of'],
])('the judge finds %s', (_, value, fault) =>
  expect(faultsOf(value, schemas['plan'] ?? {}).some((found) => found.startsWith(fault))).toBe(true),
);
