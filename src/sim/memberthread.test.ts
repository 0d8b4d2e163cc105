import { expect, test } from 'vitest';
import { noFaults } from './faults/faults.ts';
import { MemberThread } from './memberthread.ts';
import type { WorkerData } from './messages.ts';

const data = {} as WorkerData;
const facts = { url: 'https://a', caBundle: '', token: '', context: {} };

/** A thread that says it is ready and then does this with every question. */
const entry = (obey: string): URL =>
  new URL(
    `data:text/javascript,${encodeURIComponent(`
      import { parentPort } from 'node:worker_threads';
      parentPort.on('message', (question) => { ${obey} });
      parentPort.postMessage({ say: 'ready', facts: ${JSON.stringify(facts)} });
    `)}`,
  );

const answer = `parentPort.postMessage({ say: 'answer', id: question.id, faults: ${JSON.stringify(noFaults)} })`;

test('a crash is told once, fails what is asked, and harms nobody else', async () => {
  const crashes: string[] = [];
  const onCrash = (error: Error): void => void crashes.push(error.message);
  const thread = new MemberThread({ name: 'm', data, onCrash, entry: entry(`throw new Error('broken')`) });
  expect((await thread.ready).url).toBe('https://a');
  await expect(thread.ask({ ask: 'faults' })).rejects.toThrow('broken');
  await thread.close();
  await expect(thread.ask({ ask: 'faults' })).rejects.toThrow('broken');
  expect(crashes).toEqual(['broken']);
});

test('a thread that is asked to close does not count as a crash', async () => {
  const crashes: Error[] = [];
  const close = `${answer}; if (question.ask === 'close') parentPort.close()`;
  const thread = new MemberThread({ name: 'm', data, onCrash: (error) => crashes.push(error), entry: entry(close) });
  await thread.ready;
  expect(await thread.ask({ ask: 'faults' })).toEqual(noFaults);
  await thread.close();
  await thread.close();
  expect(crashes).toEqual([]);
});

test('one that cannot start says why and is gone', async () => {
  const failing = new URL(
    `data:text/javascript,${encodeURIComponent(`
      import { parentPort } from 'node:worker_threads';
      parentPort.on('message', () => {});
      parentPort.postMessage({ say: 'failed', message: 'the port is taken' });
    `)}`,
  );
  const thread = new MemberThread({ name: 'm', data, entry: failing });
  await expect(thread.ready).rejects.toThrow('the port is taken');
  await thread.close();
});
