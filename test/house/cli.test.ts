import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { commandsPage } from '../../tools/cli.ts';

test('docs/cli.md says what the commands say; `node tools/cli.ts` writes it', async () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/cli.md'), 'utf8');
  expect(page).toBe(await commandsPage());
});
