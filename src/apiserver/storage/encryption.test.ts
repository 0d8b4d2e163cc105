import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openStore } from '../../store/index.ts';
import type { Sealing, Store } from '../../store/index.ts';
import { encryptionOf, noEncryption } from './encryption.ts';

const secretKey = '/registry/core/secrets/shop/password';
const workKey = '/registry/work.karmada.io/works/karmada-es-member1/password';
const configKey = '/registry/core/configmaps/shop/plain';
const keyOf = (bytes = 32): string => randomBytes(bytes).toString('base64');

interface Key {
  readonly name: string;
  readonly secret: string;
}

const configOf = (keys: readonly Key[], resources: readonly string[] = ['secrets']): string =>
  JSON.stringify({
    apiVersion: 'apiserver.config.k8s.io/v1',
    kind: 'EncryptionConfiguration',
    resources: [{ resources, providers: [{ aesgcm: { keys } }, { identity: {} }] }],
  });
const sealingOf = (keys: readonly Key[], resources?: readonly string[]): Sealing =>
  encryptionOf(configOf(keys, resources), 'encryption.yaml');

const text = Buffer.from('{"data":{"password":"hunter2"}}');

test.each([16, 24, 32])('a Secret is sealed with a key of %i bytes and opened again', (bytes) => {
  const sealing = sealingOf([{ name: 'a', secret: keyOf(bytes) }]);
  const sealed = sealing.seal(secretKey, text);
  expect(sealed.toString()).toMatch(/^k8s:enc:aesgcm:v1:a:[A-Za-z0-9+/=]+$/);
  expect(sealing.seal(secretKey, text)).not.toEqual(sealed);
  expect(sealing.open(secretKey, sealed)).toEqual(text);
});

test('Works follow the rule of Secrets, and other objects stay as they are', () => {
  const sealing = sealingOf([{ name: 'a', secret: keyOf() }]);
  expect(sealing.seal(workKey, text).toString()).toContain('k8s:enc');
  expect(sealing.seal(configKey, text)).toBe(text);
  expect(sealing.open(configKey, text)).toBe(text);
});

test.each([
  ['*.*', configKey, true],
  ['*.', configKey, true],
  ['configmaps', configKey, true],
  ['*.apps', configKey, false],
  ['deployments.apps', '/registry/apps/deployments/shop/web', true],
  ['*.apps', '/registry/apps/deployments/shop/web', true],
  ['works.work.karmada.io', secretKey, false],
])('a rule for %s about %s', (resource, key, isSealed) => {
  const sealed = sealingOf([{ name: 'a', secret: keyOf() }], [resource]).seal(key, text);
  expect(sealed.toString().startsWith('k8s:enc')).toBe(isSealed);
});

test('keys are rotated: the first one writes, all of them read', () => {
  const [old, young] = [
    { name: 'old', secret: keyOf() },
    { name: 'young', secret: keyOf() },
  ];
  const before = sealingOf([old]).seal(secretKey, text);
  const both = sealingOf([young, old]);
  expect(both.open(secretKey, before)).toEqual(text);
  expect(both.seal(secretKey, text).toString()).toContain(':young:');
  expect(() => sealingOf([young]).open(secretKey, before)).toThrow(/encrypted with the key "old"/);
});

test('a value that was changed, or moved to another object, is refused', () => {
  const sealing = sealingOf([{ name: 'a', secret: keyOf() }]);
  const sealed = sealing.seal(secretKey, text).toString();
  const changed = Buffer.from(`${sealed.slice(0, -6)}${sealed.at(-6) === 'A' ? 'B' : 'A'}${sealed.slice(-5)}`);
  expect(() => sealing.open(secretKey, changed)).toThrow(/cannot be decrypted/);
  expect(() => sealing.open(workKey, Buffer.from(sealed))).toThrow(/cannot be decrypted/);
});

test.each([
  ['another kind', '{"kind":"Secret"}', /is not an EncryptionConfiguration/],
  ['no YAML', '{', /is not valid YAML/],
  ['a key that is too short', configOf([{ name: 'a', secret: keyOf(8) }]), /must be 16, 24 or 32 bytes/],
  ['a name with a colon', configOf([{ name: 'a:b', secret: keyOf() }]), /without a name, or with a colon/],
  ['no keys', configOf([]), /without keys/],
  ['another provider', configOf([]).replace('aesgcm', 'kms'), /has the provider "kms"; there are aesgcm and identity/],
  ['no resources', configOf([{ name: 'a', secret: keyOf() }], []), /without resources/],
])('a configuration with %s is refused', (_, config, message) => {
  expect(() => encryptionOf(config, 'encryption.yaml')).toThrow(message);
});

describe('a store on disk', () => {
  let dataDir: string;
  const keys = [{ name: 'a', secret: keyOf() }];
  const onDisk = (): string =>
    readdirSync(dataDir)
      .filter((file) => file.startsWith('store'))
      .map((file) => readFileSync(path.join(dataDir, file), 'latin1'))
      .join('');
  const opened = async (sealing: Sealing, work: (store: Store) => Promise<void> | void): Promise<void> => {
    const store = await openStore({ dataDir, sealing });
    try {
      await work(store);
    } finally {
      await store.close();
    }
  };
  const put = (key: string) => (store: Store) =>
    store.write({ verb: 'put', key, value: { data: { password: 'hunter2' } } }).then(() => {});

  beforeAll(async () => {
    dataDir = await mkdtemp(path.join(tmpdir(), 'encryption-'));
  });
  afterAll(() => rm(dataDir, { recursive: true, force: true }));

  test('has no Secret in the clear, and gives it back', async () => {
    await opened(sealingOf(keys), put(secretKey));
    expect(onDisk()).not.toContain('hunter2');
    await opened(sealingOf(keys), (store) => {
      expect(store.get(secretKey)?.value).toEqual({ data: { password: 'hunter2' } });
    });
  });

  test('is not opened without the key', async () => {
    await expect(opened(noEncryption, () => {})).rejects.toThrow(/start with an --encryption-config that has it/);
    await opened(sealingOf(keys), (store) => {
      expect(store.get(secretKey)).toBeDefined();
    });
  });

  test('keeps what was written before it was encrypted, until it is written again', async () => {
    await opened(sealingOf(keys), put(configKey));
    expect(onDisk()).toContain('hunter2');
    await opened(sealingOf(keys, ['*.*']), (store) => {
      expect(store.get(configKey)?.value).toEqual({ data: { password: 'hunter2' } });
    });
  });
});
