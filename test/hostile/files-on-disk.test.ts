import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ApiClient, contextOf, HttpsTransport, readKubeconfig, resourcesOf } from '../../src/client/index.ts';

const run = promisify(execFile);
const bin = path.join(import.meta.dirname, '../../bin/sluice.js');
let folder = '';
let dataDir = '';

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'files-'));
  // The test's own folder is open, so that only the data directory protects anything.
  chmodSync(folder, 0o755);
  dataDir = path.join(folder, 'data');
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Every file and folder of a tree with its rights, as `0600 store.db`. */
function rightsIn(root: string): readonly string[] {
  const names = readdirSync(root, { recursive: true }) as string[];
  return ['.', ...names].map((name) => {
    const { mode } = lstatSync(path.join(root, name));
    return `0${(mode & 0o777).toString(8)} ${name}`;
  });
}

const openOnes = (root: string): readonly string[] =>
  rightsIn(root).filter((line) => !line.startsWith('0600 ') && !line.startsWith('0700 '));

/** Starts the program with a umask that takes nothing away, and tells what it printed until it was ready. */
async function up(use: () => Promise<void>): Promise<string> {
  const args = ['up', '--data-dir', dataDir, '--listen', '127.0.0.1:0', '--members', 'a,b', '--dashboard', 'off'];
  const child = spawn('sh', ['-c', 'umask 000 && exec "$@"', 'sh', process.execPath, bin, ...args]);
  const exited = once(child, 'exit');
  let said = '';
  const ready = new Promise<void>((resolve) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      if (said.includes('sluice is ready')) resolve();
    });
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  await Promise.race([ready, exited]);
  try {
    await use();
  } finally {
    child.kill('SIGTERM');
    await exited;
  }
  return said;
}

const secret = 'c3dvcmRmaXNo';

async function putSecret(): Promise<void> {
  const { connection } = contextOf(await readKubeconfig([path.join(dataDir, 'kubeconfig')]));
  const client = new ApiClient({ transport: new HttpsTransport(connection), resources: () => resourcesOf([]) });
  const body = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'password' }, data: { p: secret } };
  const headers = { 'content-type': 'application/json' };
  await client.raw({ method: 'POST', path: '/api/v1/namespaces/default/secrets', body, headers });
  await client.close();
}

describe('a data directory that was prepared with mode 0755', () => {
  beforeEach(() => {
    mkdirSync(dataDir);
    chmodSync(dataDir, 0o755);
  });

  test('is closed to other users with all that is written to it, whatever the umask', async () => {
    await up(async () => {
      await putSecret();
      expect(rightsIn(dataDir)).toContain('0600 store.db-wal');
      expect(openOnes(dataDir)).toEqual([]);
      await expectUnreadable(secret);
    });
    expect(openOnes(dataDir)).toEqual([]);
  });

  test('is repaired with all that is in it, and the log says so', async () => {
    await up(putSecret);
    for (const name of readdirSync(dataDir, { recursive: true }) as string[]) {
      const whole = path.join(dataDir, name);
      chmodSync(whole, lstatSync(whole).isDirectory() ? 0o755 : 0o644);
    }
    chmodSync(dataDir, 0o755);
    const own = path.join(dataDir, 'notes.txt');
    writeFileSync(own, 'not ours');
    chmodSync(own, 0o644);
    const said = await up(async () => {
      expect(openOnes(dataDir)).toEqual(['0644 notes.txt']);
      await expectUnreadable(secret);
    });
    expect(said).toContain('other users could read or write files of the data directory');
    expect(said).toContain('store.db');
  });
});

test('a directory that all users may write to is refused', async () => {
  mkdirSync(dataDir);
  chmodSync(dataDir, 0o1777);
  const said = await up(() => Promise.resolve());
  expect(said).toContain(`all users may write to ${dataDir}: choose a directory of its own`);
  expect(readdirSync(dataDir)).toEqual([]);
});

/** Another user finds the text in none of the files. */
async function expectUnreadable(text: string): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const found = run('grep', ['-r', '-l', text, dataDir], { uid: 65_534, gid: 65_534 });
  await expect(found).rejects.toMatchObject({ stdout: '' });
}
