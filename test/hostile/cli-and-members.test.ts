/** The command line reads members itself: one that lies costs the command a message and no more memory than it costs the hub. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { register } from '../../src/app/index.ts';
import { openSystem } from '../cli/kit.ts';
import type { Printed, System } from '../cli/kit.ts';
import { emptyList, json, startLyingMember } from './lying-member.ts';
import type { Lie, LyingMember } from './lying-member.ts';

let system: System;
let liar: LyingMember;
beforeAll(async () => {
  system = await openSystem({ members: [] });
  liar = await startLyingMember();
  await register(system.user, { name: 'liar', url: liar.url, caBundle: liar.caBundle, token: 't' });
});
afterAll(async () => {
  await system.close();
  await liar.close();
});
beforeEach(() => {
  liar.lie = () => false;
});

async function read(lie: Lie): Promise<Printed> {
  liar.lie = (request, response) =>
    request.url.startsWith('/api/v1/configmaps?') && !request.url.includes('watch=') ? lie(request, response) : false;
  return system.run(['get', 'configmaps', '-A', '-C', 'liar']);
}

/** An answer of 40 MB. */
const large: Lie = (_, response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.write('{"metadata":{"resourceVersion":"5"},"items":[');
  let sent = 0;
  const more = (): void => {
    while (sent++ < 40)
      if (response.destroyed || !response.write('[],'.repeat(350_000))) return void response.once('drain', more);
    response.end('{}]}');
  };
  more();
};

const saying =
  (value: unknown): Lie =>
  (_, response) =>
    json(response, value);

test.each<[string, Lie, string]>([
  ['a list without end', large, 'the answer is larger than 16 MiB'],
  ['a list that is nested deeply', (_, response) => json(response, '['.repeat(5000)), 'JSON of more than 1000 levels'],
  ['HTML', (_, response) => void response.end('<html>'), 'where a table was expected'],
  ['a redirect', (_, response) => void response.writeHead(302, { location: 'https://x/' }).end(), 'a redirect to'],
  ['items that are no list', saying({ ...emptyList, items: 5 }), 'where a list was expected'],
  ['items without metadata', saying({ ...emptyList, items: [{}] }), 'an object without metadata'],
  ['a table without columns', saying({ kind: 'Table', columnDefinitions: 5 }), 'a table with named columns'],
  ['a table without rows', saying({ kind: 'Table', rows: {} }), 'a table with rows'],
  ['a row without cells', saying({ kind: 'Table', rows: [{ object: {} }] }), 'a table whose rows have cells'],
  ['a row about nothing', saying({ kind: 'Table', rows: [{ cells: [1] }] }), 'where an object was expected'],
])('%s is reported as what it is', async (_, lie, message) => {
  const { code, err } = await read(lie);
  expect([code, err]).toEqual([1, expect.stringContaining(message)]);
  expect(err).not.toMatch(/TypeError|undefined|Cannot read|not a function/);
});
