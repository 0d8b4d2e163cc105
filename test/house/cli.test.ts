import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { commandsPage, manual, shapesFile } from '../../tools/cli.ts';

test('docs/cli.md says what the commands say; `node tools/cli.ts` writes it', async () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/cli.md'), 'utf8');
  expect(page).toBe(await commandsPage());
});

test('the shapes for help match the commands; `node tools/cli.ts` writes them', async () => {
  const shapes = readFileSync(join(import.meta.dirname, '../../src/cli/gen/shapes.json'), 'utf8');
  expect(shapes).toBe(await shapesFile());
});

test('the manual page says what the commands say; `node tools/cli.ts` writes it', async () => {
  const page = readFileSync(join(import.meta.dirname, '../../man/sluice.1'), 'utf8');
  expect(page).toBe(await manual());
});
