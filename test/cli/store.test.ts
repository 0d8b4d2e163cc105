import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openStore } from '../../src/store/index.ts';
import { sluice } from './kit.ts';

let dataDir = '';
beforeEach(async () => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'store-'));
  const store = await openStore({ dataDir });
  await store.write({ verb: 'put', key: '/registry/core/secrets/default/a', value: { text: 'swordfish' } });
  await store.write({ verb: 'put', key: '/registry/core/secrets/default/b', value: { text: 'trout' } });
  await store.close();
});
afterEach(() => rmSync(dataDir, { recursive: true }));

function damage(): void {
  const file = path.join(dataDir, 'store.db');
  writeFileSync(file, readFileSync(file, 'latin1').replaceAll('swordfish', 'swordfisk'), 'latin1');
}

test('a whole store is said to be', async () => {
  const { code, out } = await sluice(['store', 'check', '--data-dir', dataDir]);
  expect([code, out]).toEqual([0, 'The store is whole: 2 objects can be read, up to revision 2.\n']);
});

test('a damaged store is checked, and salvaged only with consent', async () => {
  damage();
  const checked = await sluice(['store', 'check', '--data-dir', dataDir]);
  expect(checked.code).toBe(1);
  expect(checked.out).toContain('/registry/core/secrets/default/a) does not match its checksum: lost');
  const refused = await sluice(['store', 'salvage', '--data-dir', dataDir]);
  expect(refused.code).not.toBe(0);
  expect(refused.err).toContain('--yes');
  const done = await sluice(['store', 'salvage', '--data-dir', dataDir, '--yes']);
  expect(done.code).toBe(0);
  expect(done.out).toContain(`The damaged files are in ${path.join(dataDir, 'damaged-')}`);
  expect(done.out).toContain('Removals are suspended until `sluice resume removals`.');
  expect((await sluice(['store', 'check', '--data-dir', dataDir])).code).toBe(0);
  const store = await openStore({ dataDir });
  const suspension = store.get('/registry/core/configmaps/karmada-system/sluice-removals');
  await store.close();
  expect(suspension?.value).toMatchObject({ data: { reason: expect.stringContaining('the store was salvaged') } });
});

test('programs read the same as JSON', async () => {
  damage();
  const { out } = await sluice(['store', 'check', '--data-dir', dataDir, '-o', 'json']);
  expect(JSON.parse(out)).toMatchObject({ revision: 2, objects: 1, losses: [{ lost: 'all' }] });
});

test('a store that a hub uses is not touched', async () => {
  const store = await openStore({ dataDir });
  const { code, err } = await sluice(['store', 'check', '--data-dir', dataDir]);
  expect([code, err]).toEqual([1, expect.stringContaining('is in use by process')]);
  await store.close();
});
