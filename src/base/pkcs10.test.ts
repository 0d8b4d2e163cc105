import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { certificateRequest } from '../auth/index.ts';
import { BadRequestBytes, parseCertificationRequest } from './pkcs10.ts';

const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });

function derOf(commonName: string, organizations: readonly string[]): Buffer {
  const lines = certificateRequest({ commonName, organizations }, privateKey).trim().split('\n');
  return Buffer.from(lines.slice(1, -1).join(''), 'base64');
}

test('a request is read as it was written', () => {
  const names = fc.string({ unit: 'binary', minLength: 1, maxLength: 300 });
  fc.assert(
    fc.property(names, fc.array(names, { maxLength: 3 }), (commonName, organizations) => {
      const read = parseCertificationRequest(derOf(commonName, organizations));
      expect(read).toMatchObject({ commonNames: [commonName], organizations, otherNames: [], extensions: [] });
      const key = createPublicKey(privateKey).export({ type: 'spki', format: 'der' });
      expect(Buffer.from(read.publicKey).equals(key)).toBe(true);
    }),
  );
});

test('bytes that are no request are refused, and nothing else happens', () => {
  const whole = derOf('jane', ['developers']);
  const cut = fc.nat(whole.length - 1).map((length) => whole.subarray(0, length));
  const changed = fc.tuple(fc.nat(whole.length - 1), fc.nat(255)).map(([at, byte]) => {
    const copy = Buffer.from(whole);
    copy[at] = byte;
    return copy;
  });
  fc.assert(
    fc.property(fc.oneof(fc.uint8Array({ maxLength: 200 }), cut, changed), (bytes) => {
      try {
        parseCertificationRequest(bytes);
      } catch (error) {
        expect(error).toBeInstanceOf(BadRequestBytes);
      }
    }),
  );
});
