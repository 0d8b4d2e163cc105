import { expect, test } from 'vitest';
import { memoryStore } from '../../store/index.ts';
import type { Store } from '../../store/index.ts';
import { followAll } from './follow.ts';

const object = (name: string, marked: boolean): object => ({ metadata: { name, ...(marked && { flag: true }) } });

/** The changes that a follower of marked objects sees while `work` goes on. */
async function told(store: Store, work: () => Promise<unknown>): Promise<string[]> {
  const words: string[] = [];
  const stop = followAll(store, {
    reset: () => words.push('reset'),
    change: ({ key, before, after }) =>
      words.push(`${key.split('/').at(-1)}: ${before ? 'was' : 'was not'}, ${after ? 'is' : 'is not'}`),
    concerns: ({ bytes }) => bytes.includes('"flag"'),
  });
  await work();
  stop();
  return words;
}

test('tells what concerns, what no longer does, and every deletion; nothing else', async () => {
  const store = memoryStore();
  const put = (name: string, marked = false): Promise<unknown> =>
    store.write({ verb: 'put', key: `/registry/core/things/${name}`, value: object(name, marked) });
  await put('plain');
  await put('marked', true);
  const words = await told(store, async () => {
    await put('plain');
    await put('marked', true);
    await put('marked');
    await put('marked');
    await put('plain', true);
    await store.write({ verb: 'delete', key: '/registry/core/things/marked' });
  });
  expect(words).toEqual([
    'reset',
    'marked: was not, is',
    'marked: was, is',
    'marked: was, is',
    'plain: was, is',
    'marked: was, is not',
  ]);
  await store.close();
});
