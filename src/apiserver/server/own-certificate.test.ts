import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openAuthority } from '../../auth/index.ts';
import type { KeyPair } from '../../auth/index.ts';
import { ManualClock } from '../../runtime/index.ts';
import { until } from '../../../test/kit/until.ts';
import { followOwnCertificate, readOwnCertificate } from './own-certificate.ts';
import type { OwnCertificate } from './own-certificate.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'own-certificate-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function written({ certificate, key }: KeyPair, authority: string) {
  const files = { certificate: path.join(folder, 'hub.crt'), key: path.join(folder, 'hub.key') };
  await writeFile(files.certificate, certificate + authority);
  await writeFile(files.key, key);
  return files;
}

test('without a file for the authority clients trust the end of the chain', async () => {
  const { serving, certificate } = await openAuthority();
  expect((await readOwnCertificate(await written(serving, certificate))).authority.trim()).toBe(certificate.trim());
});

test('another certificate in the files is used, and a bad one is reported and not used', async () => {
  const [first, second] = [await openAuthority(), await openAuthority()];
  const files = await written(first.serving, first.certificate);
  const clock = new ManualClock();
  const used: OwnCertificate[] = [];
  const faults: unknown[] = [];
  const stop = followOwnCertificate(files, {
    clock,
    shown: await readOwnCertificate(files),
    use: (own) => void used.push(own),
    onFault: (error) => void faults.push(error),
  });
  await written(second.serving, second.certificate);
  await until('the other certificate is used', async () => {
    clock.advance(60_000);
    return used.length > 0;
  });
  expect(used[0]?.key).toBe(second.serving.key);
  await writeFile(files.certificate, 'broken');
  await until('the bad certificate is reported', async () => {
    clock.advance(60_000);
    return faults.length > 0;
  });
  expect(used).toHaveLength(1);
  stop();
});
