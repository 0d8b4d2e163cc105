import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const top = join(import.meta.dirname, '../..');
const scenarios = join(top, 'test/scenarios');
const sources = readdirSync(scenarios).map((file) => readFileSync(join(scenarios, file), 'utf8'));

const rows = readFileSync(join(top, 'docs/karmada-specs.md'), 'utf8')
  .split('\n')
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .filter(([, file]) => file?.endsWith('_test.go'))
  .map(([, file = '', spec = '', scenario = '']) => [`${file}: ${spec}`, scenario] as const);

test('docs/karmada-specs.md names specs', () => {
  expect(rows.length).toBeGreaterThan(10);
});

test.each(rows)('%s is answered by a scenario that exists', (_, scenario) => {
  expect(sources.some((text) => text.includes(`'${scenario}'`))).toBe(true);
});
