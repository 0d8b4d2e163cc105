import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { crds, defaultGates, kindSupport, settingSupport, supportFor } from '../../src/api/index.ts';
import type { KindSupport, SupportRow } from '../../src/api/index.ts';
import { karmadaPage } from '../../tools/karmada.ts';

const top = join(import.meta.dirname, '../..');

test('docs/karmada.md is what the table says; `node tools/karmada.ts`', () => {
  const page = readFileSync(join(top, 'docs/karmada.md'), 'utf8');
  expect(page).toBe(karmadaPage(kindSupport, settingSupport));
});

interface Property {
  readonly properties?: Readonly<Record<string, Property>>;
  readonly items?: Property;
}

const kinds = crds().flatMap(({ spec }) =>
  spec.versions.map(({ name, schema }) => ({
    apiVersion: `${spec.group}/${name}`,
    kind: spec.names.kind,
    schema: (schema?.openAPIV3Schema ?? {}) as Property,
  })),
);

test.each(kinds)('$apiVersion $kind and every field of its spec have a row', ({ apiVersion, kind, schema }) => {
  const support = supportFor({ apiVersion, kind });
  expect(support).toBeDefined();
  const fields = Object.keys(schema.properties?.['spec']?.properties ?? {}).map((field) => `spec.${field}`);
  expect(fields.filter((field) => !support?.fields[field])).toEqual([]);
});

const rows = kindSupport.flatMap((one) =>
  Object.entries(one.fields).map(([path, row]) => ({ kind: one.kinds[0] ?? '', path, row, one })),
);

test.each(rows)('$kind has the field $path', ({ kind, path, one }) => {
  let schema: Property | undefined = kinds.find(
    (known) => known.kind === kind && known.apiVersion === one.group,
  )?.schema;
  for (const part of path.replace(/=.*/, '').split('.')) {
    schema = schema?.properties?.[part.replace('[]', '')];
    if (part.endsWith('[]')) schema = schema?.items;
  }
  expect(schema).toBeDefined();
});

test('every gate that the hub knows has a row, and no other is said to act', () => {
  const known = settingSupport.find(({ title }) => title === 'Feature gates')?.rows ?? {};
  const acting = Object.entries(known).filter(([, { support }]) => support !== 'notYet');
  expect(acting.map(([name]) => name).sort()).toEqual(Object.keys(defaultGates).sort());
});

/** Folders in which a field is only described, checked, filled in or warned of. */
const passive = ['api', 'engine/validate', 'engine/mutate', 'engine/warn'];

/** The source text that may act on a field. */
const acting = readdirSync(join(top, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.includes('gen/'))
  .filter((file) => !passive.some((folder) => file.startsWith(`${folder}/`)))
  .map((file) => readFileSync(join(top, 'src', file), 'utf8'));

/**
 * Tells whether the last part of the path is read somewhere. Other fields may have the same name, so this finds one
 * kind of error only.
 */
function isRead(path: string): boolean {
  const name = path.split('.').at(-1)?.replace('[]', '') ?? '';
  return acting.some((text) => new RegExp(String.raw`\b${name}\b`).test(text));
}

/** Fields that are read although nothing acts on them, or whose names other fields share. */
const shared: ReadonlySet<string> = new Set(['spec.failover.application', 'spec.components', 'spec.resourceModels']);

const isOfActingKind = ({ one }: { readonly one: KindSupport }): boolean => one.support !== 'notYet';
const isIdle = ({ row }: { readonly row: SupportRow }): boolean => row.support === 'notYet';

test.each(rows.filter((row) => isOfActingKind(row) && isIdle(row) && !row.path.includes('=') && !shared.has(row.path)))(
  'nothing reads $path of $kind while its row says not yet',
  ({ path }) => expect(isRead(path)).toBe(false),
);

/** Fields that Karmada ignores too, or that the schema refuses. */
const ignored: ReadonlySet<string> = new Set(['spec.association', 'spec.excludeResourceSelectors']);

test.each(rows.filter((row) => isOfActingKind(row) && !isIdle(row) && !ignored.has(row.path)))(
  'something reads $path of $kind, since its row says that it acts',
  ({ path }) => expect(isRead(path)).toBe(true),
);

const keys = settingSupport.find(({ title }) => title === 'Labels and annotations')?.rows ?? {};
const api = readdirSync(join(top, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.startsWith('api/support/'))
  .map((file) => readFileSync(join(top, 'src', file), 'utf8'))
  .join('\n');

test.each(Object.entries(keys).filter(([, { support }]) => support !== 'notYet'))('the key %s is in the code', (key) =>
  expect(api).toContain(`'${key}`),
);
