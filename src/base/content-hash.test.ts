import { hash } from 'node:crypto';
import { assert, jsonValue, property } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalJson } from './canonical.ts';
import { ContentHashes, isOfNewerVersion, useSha256 } from './content-hash.ts';
import { digest } from './digest.ts';

const hashes = new ContentHashes<object>((value) => value);

const deployment = {
  kind: 'Deployment',
  apiVersion: 'apps/v1',
  metadata: { name: 'web', namespace: 'shop', labels: { 'b.c/d': 'x', a: '' } },
  spec: {
    replicas: 3,
    paused: false,
    ratio: 0.5,
    template: { containers: [{ image: 'a:1', args: ['"', '\\', '\n'] }] },
  },
};
const text = { data: { grüße: '世界 🚀', control: '\u0001\t', empty: '' }, nothing: null, list: [[], {}, -0, 1e21] };

/** Stored hashes are compared with these for as long as there are stores: a row is never changed, a version adds one. */
describe('golden vectors', () => {
  test.each<[string, object, string, string]>([
    ['an empty object', {}, 'v1:44136fa355b3678a1146ad16f7e8649e', 'ddcd783b4f819dda'],
    ['a Deployment', deployment, 'v1:996569447eb9ea0d9efed48c2427f619', 'b5518d4574fa1875'],
    ['texts of every sort', text, 'v1:6cf0a44b4c8f3b8e5f0586cf65c4af93', '147ab02e3f635396'],
  ])('%s', (_, value, first, unversioned) => {
    expect(hashes.of(value)).toBe(first);
    expect(digest(value)).toBe(unversioned);
    expect(hashes.isOf(first, value)).toBe(true);
    expect(hashes.isOf(unversioned, value)).toBe(true);
  });
});

describe('canonical JSON', () => {
  test.each<[string, unknown, string]>([
    [
      'orders keys by code unit',
      { b: 1, a: 2, é: 3, A: 4, '😀': 5, '\ufb33': 6 },
      '{"A":4,"a":2,"b":1,"é":3,"😀":5,"\ufb33":6}',
    ],
    ['escapes as JSON does', { '"': '\u0000\b\f\n\r\t\u001f\\"/' }, String.raw`{"\"":"\u0000\b\f\n\r\t\u001f\\\"/"}`],
    [
      'spells numbers as JSON does',
      [0, -0, 1, 1.5, 1e21, 1e-7, 0.1 + 0.2],
      '[0,0,1,1.5,1e+21,1e-7,0.30000000000000004]',
    ],
    ['leaves out what is undefined', { a: undefined, b: [true, null] }, '{"b":[true,null]}'],
  ])('%s', (_, value, expected) => {
    expect(canonicalJson(value)).toBe(expected);
  });

  test('says the same as JSON, whatever the value', () => {
    assert(
      property(jsonValue(), (value) => {
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });
});

describe('a content hash', () => {
  test('does not depend on the order of keys', () => {
    const { kind, ...others } = deployment;
    expect(hashes.of({ ...others, kind })).toBe(hashes.of(deployment));
    expect(hashes.of({ ...deployment, kind: 'DaemonSet' })).not.toBe(hashes.of(deployment));
  });

  test('a fingerprint of other content, of a newer version or of nothing is not equal', () => {
    for (const stored of [hashes.of({}), digest({}), 'v2:0123', 'v1:', '', undefined])
      expect(hashes.isOf(stored, deployment)).toBe(false);
  });

  test('says its version', () => {
    expect(isOfNewerVersion('v2:0123')).toBe(true);
    expect(isOfNewerVersion(hashes.of(deployment))).toBe(false);
    expect(isOfNewerVersion(digest(deployment))).toBe(false);
  });

  test('is the same with the SHA-256 of the platform', () => {
    const portable = hashes.of({ ...text });
    useSha256((value) => hash('sha256', value, 'hex'));
    expect(hashes.of({ ...text })).toBe(portable);
    expect(() => useSha256((value) => hash('sha1', value, 'hex'))).toThrow('this is not SHA-256');
  });
});
