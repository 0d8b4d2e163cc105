import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { comparedFiles, specsPage, testsOf } from '../../tools/karmada-specs.ts';

const top = join(import.meta.dirname, '../..');
const files = comparedFiles();

test('docs/karmada-specs.md is what test/karmada says; `node tools/karmada-specs.ts`', () => {
  expect(readFileSync(join(top, 'docs/karmada-specs.md'), 'utf8')).toBe(specsPage(files));
});

const specs = files.flatMap((file) => file.specs.map((spec) => ({ file: file.name, ...spec })));

test('every spec stands once, and has a test or says what is open', () => {
  const names = specs.map(({ file, spec }) => `${file} ${spec}`);
  expect(new Set(names).size).toBe(names.length);
  expect(specs.filter(({ shown, open }) => (shown === undefined) === (open === undefined))).toEqual([]);
});

const named = [...new Set(specs.flatMap((spec) => testsOf(spec).map((one) => one.join(' > '))))];

test.each(named)('%s is a test that exists', (one) => {
  const [[file, title] = ['', '']] = testsOf({ spec: '', shown: one });
  expect(file).toMatch(/\.test\.ts$/);
  expect(existsSync(join(top, file)), file).toBe(true);
  expect(readFileSync(join(top, file), 'utf8')).toMatch(titleOf(title));
});

/** The title as a whole string of the file. */
function titleOf(title: string): RegExp {
  const text = title.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&').replaceAll("'", "\\\\?'");
  return new RegExp(`(['"\`])${text}\\1`);
}
