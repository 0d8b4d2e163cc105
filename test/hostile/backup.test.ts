/** A backup is a file that may come from anywhere, and may be written where others write, too. */
import { existsSync, lstatSync, mkdtempSync, readlinkSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { backupStore, openStore, readBackup, restoreStore } from '../../src/store/index.ts';

let folder = '';
const at = (name: string): string => join(folder, name);
const words = { made: '2026-01-01T00:00:00Z', folders: ['pki'] };

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'backup-'));
  const store = await openStore({ dataDir: at('data') });
  for (let i = 0; i < 5; i++) await store.write({ verb: 'put', key: `/x/${i}`, value: { i } });
  await store.close();
});
afterEach(() => rmSync(folder, { recursive: true }));

test.each<[string, string]>([
  ['a trigger that deletes all objects', 'CREATE TRIGGER t AFTER INSERT ON log BEGIN DELETE FROM log; END'],
  ['a trigger on the label', 'CREATE TRIGGER t BEFORE DELETE ON compaction BEGIN SELECT 1; END'],
  ['rows that are computed', 'ALTER TABLE log RENAME TO old; CREATE VIEW log AS SELECT * FROM old'],
  [
    'rows without end',
    'CREATE VIEW more AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i FROM n) SELECT * FROM n',
  ],
  ['a virtual table', 'CREATE VIRTUAL TABLE words USING fts5(word)'],
])('a backup with %s is refused, and nothing of it runs', async (_, sql) => {
  backupStore(at('data'), at('hub.backup'), words);
  const db = new DatabaseSync(at('hub.backup'));
  db.exec(sql);
  db.close();
  expect(() => readBackup(at('hub.backup'))).toThrow('triggers, views or virtual tables');
  await expect(restoreStore(at('hub.backup'), at('restored'))).rejects.toThrow('triggers, views or virtual tables');
  expect(existsSync(at('restored/store.db'))).toBe(false);
});

test('links that wait where a backup is written are not followed', () => {
  symlinkSync(at('theirs'), at('hub.backup.unfinished'));
  symlinkSync(at('theirs'), at('other.backup'));
  backupStore(at('data'), at('hub.backup'), words);
  expect([lstatSync(at('hub.backup')).isFile(), existsSync(at('theirs'))]).toEqual([true, false]);
  backupStore(at('data'), at('other.backup'), words);
  expect(existsSync(at('theirs'))).toBe(false);
  expect(() => readlinkSync(at('other.backup'))).toThrow();
  expect(lstatSync(at('other.backup')).mode & 0o777).toBe(0o600);
});
