/** `sluice backup`, `sluice restore` and `sluice resume removals`, as a user runs them. */
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openStore } from '../../src/store/index.ts';
import type { Store } from '../../src/store/index.ts';
import { sluice } from './kit.ts';
import type { Printed } from './kit.ts';

let directory = '';
let store: Store;

/** The data directory of a hub that runs, with one Secret and one key. */
beforeEach(async () => {
  directory = mkdtempSync(path.join(tmpdir(), 'sluice-backup-'));
  store = await openStore({ dataDir: at('hub') });
  await store.write({ verb: 'put', key: '/registry/core/secrets/default/a', value: { text: 'swordfish' } });
  mkdirSync(at('hub/pki'), { mode: 0o700 });
  writeFileSync(at('hub/pki/ca.key'), 'a key', { mode: 0o600 });
});
afterEach(async () => {
  await store.close();
  rmSync(directory, { recursive: true });
});

const at = (name: string): string => path.join(directory, name);
const run = (args: readonly string[], answer?: string): Promise<Printed> =>
  sluice(args, { directory, ...(answer !== undefined && { answer }) });
const backup = (...more: readonly string[]): Promise<Printed> =>
  run(['backup', 'hub.backup', '--data-dir', 'hub', ...more]);
const restore = (...more: readonly string[]): Promise<Printed> =>
  run(['restore', 'hub.backup', '--data-dir', 'new', ...more]);

/** The files that only their owner may read. */
const modes = (...names: readonly string[]): readonly string[] =>
  names.map((name) => (statSync(at(name)).mode & 0o777).toString(8));

describe('sluice backup', () => {
  test('copies the store of a running hub and its keys to one private file', async () => {
    const { code, out, err } = await backup();
    expect([code, out]).toEqual([0, 'Backed up 1 object at revision 1 and 1 key file to hub.backup.\n']);
    expect(err).toContain('hub.backup contains Secrets and the keys of the hub');
    expect(modes('hub.backup')).toEqual(['600']);
    expect(existsSync(at('hub.backup.unfinished'))).toBe(false);
  });

  test('overwrites no file', async () => {
    writeFileSync(at('hub.backup'), 'precious');
    const { code, err } = await backup();
    expect([code, err]).toEqual([1, expect.stringContaining('hub.backup exists already and is not overwritten')]);
    expect(readFileSync(at('hub.backup'), 'utf8')).toBe('precious');
  });

  test('refuses a directory without a store, and makes none', async () => {
    const { code, err } = await run(['backup', 'hub.backup', '--data-dir', 'elsewhere']);
    expect([code, err]).toEqual([1, expect.stringContaining('elsewhere has no store to back up')]);
    expect([existsSync(at('elsewhere')), existsSync(at('hub.backup'))]).toEqual([false, false]);
  });

  test('refuses to write a backup of a damaged store', async () => {
    await store.close();
    const file = at('hub/store.db');
    writeFileSync(file, readFileSync(file, 'latin1').replaceAll('swordfish', 'swordfisk'), 'latin1');
    const { code, err } = await backup();
    expect([code, err]).toEqual([1, expect.stringContaining('does not match its checksum')]);
    expect([existsSync(at('hub.backup')), existsSync(at('hub.backup.unfinished'))]).toEqual([false, false]);
  });
});

describe('sluice restore', () => {
  test('makes a data directory with the objects, the keys and the suspension of removals', async () => {
    await backup();
    await store.write({ verb: 'put', key: '/registry/core/secrets/default/later', value: {} });
    chmodSync(at('hub.backup'), 0o644);
    const { code, out } = await restore('--yes');
    expect([code, out]).toEqual([
      0,
      'Restored hub.backup into new. Removals are suspended until `sluice resume removals`.\n',
    ]);
    expect(readFileSync(at('new/pki/ca.key'), 'utf8')).toBe('a key');
    expect(modes('new', 'new/store.db', 'new/acknowledged', 'new/pki', 'new/pki/ca.key')).toEqual([
      '700',
      '600',
      '600',
      '700',
      '600',
    ]);
    const restored = await openStore({ dataDir: at('new') });
    const keys = restored.list('').entries.map(({ key }) => key);
    const suspension = restored.get('/registry/core/configmaps/karmada-system/sluice-removals');
    await restored.close();
    expect(keys).toEqual([
      '/registry/core/configmaps/karmada-system/sluice-removals',
      '/registry/core/secrets/default/a',
    ]);
    expect(suspension?.value).toMatchObject({
      metadata: { resourceVersion: String(suspension?.revision) },
      data: { reason: expect.stringMatching(/^the hub was restored from a backup of 20.*Z/) },
    });
    expect(readFileSync(at('new/store.db'), 'latin1')).not.toContain('a key');
  });

  test('says what it will do, asks on a terminal, and needs --yes elsewhere', async () => {
    await backup();
    const refused = await restore();
    expect([refused.code, refused.err]).toEqual([2, expect.stringContaining('agree with --yes')]);
    expect(refused.err).toContain('nothing is deleted in members until `sluice resume removals`');
    const declined = await run(['restore', 'hub.backup', '--data-dir', 'new'], 'n');
    expect([declined.code, declined.err]).toEqual([1, expect.stringContaining('Restore hub.backup into new? [y/N]')]);
    expect(existsSync(at('new'))).toBe(false);
    expect((await run(['restore', 'hub.backup', '--data-dir', 'new'], 'y')).code).toBe(0);
  });

  test('only prints what it would do in a dry run', async () => {
    await backup();
    const { code, out } = await restore('--dry-run');
    expect(code).toBe(0);
    expect(out).toMatch(/^hub.backup: 1 object at revision 1 and 1 key file, made at 20.*Z\.\n/);
    expect(existsSync(at('new'))).toBe(false);
  });

  test('refuses the directory of a running hub', async () => {
    await backup();
    for (const how of ['--dry-run', '--yes']) {
      const { code, err } = await run(['restore', 'hub.backup', '--data-dir', 'hub', how]);
      expect([code, err]).toEqual([1, expect.stringContaining('is in use by process')]);
    }
  });

  test('refuses a directory that has a store, or other keys', async () => {
    await backup();
    await store.close();
    const stored = await run(['restore', 'hub.backup', '--data-dir', 'hub', '--yes']);
    expect([stored.code, stored.err]).toEqual([1, expect.stringContaining('has a store already')]);
    for (const name of ['store.db', 'store.db-wal', 'store.db-shm', 'acknowledged'])
      rmSync(at(`hub/${name}`), { force: true });
    writeFileSync(at('hub/pki/ca.key'), 'another key');
    const keyed = await run(['restore', 'hub.backup', '--data-dir', 'hub', '--yes']);
    expect([keyed.code, keyed.err]).toEqual([1, expect.stringContaining('pki/ca.key exists already, differs')]);
    expect(readFileSync(at('hub/pki/ca.key'), 'utf8')).toBe('another key');
    writeFileSync(at('hub/pki/ca.key'), 'a key');
    expect((await run(['restore', 'hub.backup', '--data-dir', 'hub', '--yes'])).code).toBe(0);
  });

  test.each(['swordfish', 'a key'])('refuses a backup in which %j was changed', async (text) => {
    await backup();
    const changed = `${text.slice(0, -1)}!`;
    writeFileSync(at('hub.backup'), readFileSync(at('hub.backup'), 'latin1').replaceAll(text, changed), 'latin1');
    const { code, err } = await restore('--yes');
    expect([code, err]).toEqual([1, expect.stringContaining('does not match its checksum')]);
    expect(existsSync(at('new/store.db'))).toBe(false);
  });

  test('refuses a backup that would write outside of the data directory', async () => {
    await backup();
    edited("UPDATE attachment SET name = '../escaped'");
    const { code, err } = await restore('--yes');
    expect([code, err]).toEqual([1, expect.stringContaining('a file that it carries is unreadable')]);
    expect(existsSync(at('escaped'))).toBe(false);
  });

  test('refuses a backup of a newer version, and a file that is none', async () => {
    await backup();
    edited('PRAGMA user_version = 99');
    const newer = await restore('--yes');
    expect([newer.code, newer.err]).toEqual([1, expect.stringContaining('has format 99')]);
    writeFileSync(at('hub.backup'), 'no backup at all');
    const other = await restore('--yes');
    expect([other.code, other.err]).toEqual([1, expect.stringContaining('hub.backup is damaged')]);
    rmSync(at('hub.backup'));
    const missing = await restore('--yes');
    expect([missing.code, missing.err]).toEqual([1, expect.stringContaining('it is missing or empty')]);
  });

  function edited(statement: string): void {
    const db = new DatabaseSync(at('hub.backup'));
    db.exec(statement);
    db.close();
  }
});
