/** No engine builds the image here, so what can go wrong in it is read: its instructions are few, and each is checked. */
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const top = new URL('../../', import.meta.url);
const read = (file: string): string => readFileSync(new URL(file, top), 'utf8');
const instructions = read('deploy/Dockerfile')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => ({ name: line.split(' ')[0] ?? '', rest: line.slice(line.indexOf(' ') + 1) }));
const all = (wanted: string): readonly string[] =>
  instructions.filter(({ name }) => name === wanted).map(({ rest }) => rest);

test('the image has one base with a version, copies one file and runs nothing while it is built', () => {
  expect(instructions.map(({ name }) => name)).toEqual([
    'FROM',
    'COPY',
    'USER',
    'WORKDIR',
    'EXPOSE',
    'ENTRYPOINT',
    'CMD',
  ]);
  expect(all('FROM')[0]).toMatch(/^[a-z0-9./-]+:(?!latest)[a-z0-9.-]+$/);
  const [copied = '', place] = (all('COPY')[0] ?? '').replace(/^--chmod=0755 /, '').split(' ');
  expect(read('tools/release.ts')).toContain('`sluice-${process.platform}-${process.arch}`');
  expect([copied, place]).toEqual(['sluice-linux-x64', '/usr/local/bin/sluice']);
});

test('the image runs as a user without rights, by number, so that a cluster can check it', () => {
  const [user = ''] = all('USER');
  expect(user).toMatch(/^\d+:\d+$/);
  expect(
    user
      .split(':')
      .map(Number)
      .every((id) => id >= 1000),
  ).toBe(true);
});

test('the program is the first process, so that it gets the signals, with flags that it knows', () => {
  expect(JSON.parse(all('ENTRYPOINT')[0] ?? '')).toEqual(['/usr/local/bin/sluice']);
  const words = JSON.parse(all('CMD')[0] ?? '') as readonly string[];
  const shapes = JSON.parse(read('src/cli/gen/shapes.json')) as Record<string, { options: { flags: string }[] }>;
  const known = shapes[words[0] ?? '']?.options.map(({ flags }) => flags.split(' ')[0]) ?? [];
  for (const flag of words.filter((word) => word.startsWith('--'))) expect(known).toContain(flag);
  expect(words).toContain(`0.0.0.0:${all('EXPOSE')[0]}`);
  expect(existsSync(new URL('deploy/Dockerfile', top))).toBe(true);
});
