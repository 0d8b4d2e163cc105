import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { eventsPage } from '../../tools/events.ts';

test('docs/events.md is what the code says (`node tools/events.ts` writes it)', () => {
  expect(readFileSync(new URL('../../docs/events.md', import.meta.url), 'utf8')).toBe(eventsPage());
});
