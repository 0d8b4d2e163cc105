import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { crds } from '../../src/api/index.ts';
import type { Figures } from './fuzz/here.ts';
import { startedOn } from './kit.ts';

/** Requests of one run; the run is the same every time unless SLUICE_SEED says otherwise. */
const requests = 150_000;
const seed = process.env['SLUICE_SEED'] === 'random' ? Date.now() % 1_000_000_000 : 20_261_118;
const hangMilliseconds = 120_000;

let folder: string;
let figures: Figures;
let said = '';

/** The run is a process of its own: a hang or a crash there is a failure here, with the number of the request. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fuzz-'));
  const report = join(folder, 'report.json');
  const words = ['--requests', String(requests), '--seed', String(seed), '--data', join(folder, 'data')];
  const child = fork(new URL('./fuzz/main.ts', import.meta.url), [...words, '--report', report], {
    execArgv: ['--expose-gc'],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let sent = 0;
  const hung = (): void => {
    said += `no request was answered for ${hangMilliseconds / 1000} s after request ${sent}; see --seed ${seed} --from ${sent}`;
    child.kill('SIGKILL');
  };
  let watchdog = setTimeout(hung, hangMilliseconds);
  child.on('message', (message: { readonly sent: number }) => {
    sent = message.sent;
    clearTimeout(watchdog);
    watchdog = setTimeout(hung, hangMilliseconds);
  });
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (said += text));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (said += text));
  await once(child, 'exit');
  clearTimeout(watchdog);
  console.log(said);
  figures = JSON.parse(await readFile(report, 'utf8').catch(() => '{}')) as Figures;
}, 900_000);

afterAll(() => rm(folder, { recursive: true, force: true }));

test('every request gets an answer that is no unexplained 5xx', () => {
  expect(said).not.toContain('no request was answered');
  expect(figures.sent).toBe(requests);
  expect(figures.failures).toEqual([]);
});

test('the requests reach every kind of ours with every kind of write', () => {
  const accepted = (label: string): number => figures.accepted[label] ?? 0;
  for (const { spec } of crds()) {
    const kind = `${spec.group}/${spec.names.plural}`;
    for (const verb of ['create', 'update', 'patch', 'get', 'list', 'watch', 'delete', 'deletecollection'])
      expect(accepted(`${verb} ${kind}`), `${verb} ${kind}`).toBeGreaterThan(0);
  }
});

test('everything can be deleted afterwards, and the memory comes back', () => {
  expect(figures.left).toEqual([]);
  expect(figures.heapEnd - figures.heapStart).toBeLessThan(64 * 1024 * 1024);
  expect(figures.rssEnd - figures.rssStart).toBeLessThan(300 * 1024 * 1024);
});

test('the whole system starts on all that the run left, and a new template reaches its member', async () => {
  const running = await startedOn(join(folder, 'data-as-left'));
  try {
    await running.placesTemplate('after-the-fuzzer');
  } finally {
    await running.stop();
  }
});
