import { expect, test } from 'vitest';
import { fnv32a } from './hash.ts';

// The published test vectors of FNV-1a, and UTF-8 of every length against a count over Node's own bytes.
test.each([
  ['', 0x811c9dc5],
  ['a', 0xe40c292c],
  ['b', 0xe70c2de5],
  ['foobar', 0xbf9cf968],
])('fnv32a(%j)', (text, hash) => expect(fnv32a(text)).toBe(hash));

test.each(['é', '€', '😀', 'aé€😀z'])('fnv32a(%j) goes over UTF-8 bytes', (text) => {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01000193);
  expect(fnv32a(text)).toBe(hash >>> 0);
});
