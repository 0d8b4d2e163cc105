import { createHmac, createPublicKey, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { testbed } from '../../test/kit/auth/objects.ts';
import type { Testbed } from '../../test/kit/auth/objects.ts';
import { generateKey } from './certificate.ts';
import { tokenSigner } from './jwt.ts';
import type { TokenGrant } from './tokenclaims.ts';
import { openTokens } from './tokens.ts';
import type { Tokens } from './tokens.ts';

const issuer = 'https://issuer.example';
const key = generateKey();
let clock: number;
let bed: Testbed;
let tokens: Tokens;
let uid: string;
const grant = (more: Partial<TokenGrant> = {}): TokenGrant => ({
  namespace: 'ns',
  serviceAccount: { name: 'robot', uid },
  audiences: [issuer],
  seconds: 3600,
  ...more,
});

beforeEach(async () => {
  clock = Date.parse('2026-01-01T00:00:00Z');
  bed = testbed();
  tokens = openTokens({ key, objects: bed.objects, issuer, now: () => clock });
  uid = (await bed.put('serviceaccounts', { metadata: { name: 'robot', namespace: 'ns' } })).metadata.uid ?? '';
});

const refusal = (token: string): string | undefined => {
  const answer = tokens.authenticate(token);
  return 'refused' in answer ? answer.refused : undefined;
};
const json = (part: string | undefined): Record<string, unknown> =>
  JSON.parse(Buffer.from(part ?? '', 'base64url').toString()) as Record<string, unknown>;
const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('a good token', () => {
  it('is its service account', () => {
    const answer = tokens.authenticate(tokens.issue(grant()));
    expect(answer).toEqual({
      audiences: [issuer],
      user: {
        name: 'system:serviceaccount:ns:robot',
        uid,
        groups: ['system:serviceaccounts', 'system:serviceaccounts:ns', 'system:authenticated'],
        extra: { 'authentication.kubernetes.io/credential-id': [expect.stringMatching(/^JTI=[-0-9a-f]{36}$/)] },
      },
    });
  });

  it('says what Kubernetes tokens say', () => {
    const [header, payload] = tokens
      .issue(grant({ audiences: ['a', 'b'], boundTo: { kind: 'pod', name: 'p', uid: '1' } }))
      .split('.');
    expect(json(header)).toMatchObject({ alg: 'ES256', kid: expect.any(String) as string });
    expect(json(payload)).toEqual({
      iss: issuer,
      sub: 'system:serviceaccount:ns:robot',
      aud: ['a', 'b'],
      iat: clock / 1000,
      nbf: clock / 1000,
      exp: clock / 1000 + 3600,
      jti: expect.any(String) as string,
      'kubernetes.io': { namespace: 'ns', serviceaccount: { name: 'robot', uid }, pod: { name: 'p', uid: '1' } },
    });
  });

  it('may be signed by an RSA key', () => {
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
    const ours = openTokens({ key: rsa, objects: bed.objects, issuer, now: () => clock });
    const token = ours.issue(grant());
    expect(json(token.split('.')[0])['alg']).toBe('RS256');
    expect(ours.authenticate(token)).toHaveProperty('user');
    expect(refusal(token)).toBe('invalid bearer token');
  });
});

const claims = (): Record<string, unknown> => json(tokens.issue(grant()).split('.')[1]);
const hmac = (text: string, secret: string): string => createHmac('sha256', secret).update(text).digest('base64url');
const ecdsa = (text: string, by: KeyObject, dsaEncoding: 'der' | 'ieee-p1363' = 'ieee-p1363'): string =>
  sign('sha256', Buffer.from(text), { key: by, dsaEncoding }).toString('base64url');
const publicPem = (): string => createPublicKey(key).export({ type: 'spki', format: 'pem' });
const forge = (header: object, signature: (text: string) => string, payload: unknown = claims()): string => {
  const text = `${encode(header)}.${encode(payload)}`;
  return `${text}.${signature(text)}`;
};
const ownKey = generateKey();
const ownJwk = createPublicKey(ownKey).export({ format: 'jwk' });

describe('forgeries', () => {
  it('would pass if they were made with our key and algorithm', () => {
    expect(refusal(forge({ alg: 'ES256' }, (text) => ecdsa(text, key)))).toBeUndefined();
  });

  const forgeries: readonly [string, () => string][] = [
    ['no algorithm', () => forge({ alg: 'none' }, () => '')],
    ['no algorithm, oddly spelled', () => forge({ alg: 'nOnE' }, () => '')],
    ['no algorithm, with our signature', () => forge({ alg: 'none' }, (text) => ecdsa(text, key))],
    ['the public key as a shared secret', () => forge({ alg: 'HS256' }, (text) => hmac(text, publicPem()))],
    [
      'the public key as a shared secret, named as ours',
      () => forge({ alg: 'ES256' }, (text) => hmac(text, publicPem())),
    ],
    ['another key', () => forge({ alg: 'ES256' }, (text) => ecdsa(text, ownKey))],
    ['a key that the token brings along', () => forge({ alg: 'ES256', jwk: ownJwk }, (text) => ecdsa(text, ownKey))],
    ['our key, but another algorithm', () => forge({ alg: 'ES384' }, (text) => ecdsa(text, key))],
    ['a list of algorithms', () => forge({ alg: ['ES256'] }, (text) => ecdsa(text, key))],
    ['no header algorithm', () => forge({}, (text) => ecdsa(text, key))],
    ['an extension that must be understood', () => forge({ alg: 'ES256', crit: ['x'] }, (text) => ecdsa(text, key))],
    ['a signature in another encoding', () => forge({ alg: 'ES256' }, (text) => ecdsa(text, key, 'der'))],
    ['an all-zero signature', () => forge({ alg: 'ES256' }, () => Buffer.alloc(64).toString('base64url'))],
    ['an empty signature', () => forge({ alg: 'ES256' }, () => '')],
    ['a signature with padding', () => `${tokens.issue(grant())}==`],
    ['a signature with a smuggled character', () => tokens.issue(grant()).replace(/(.)$/, '!$1')],
    ['the signature of another token', () => forge({ alg: 'ES256' }, () => tokens.issue(grant()).split('.')[2] ?? '')],
    ['four parts', () => `${tokens.issue(grant())}.x`],
    ['two parts', () => tokens.issue(grant()).split('.').slice(0, 2).join('.')],
    ['nothing', () => ''],
    ['dots', () => '..'],
    ['a megabyte', () => 'a'.repeat(1 << 20)],
    ['a megabyte of dots', () => '.'.repeat(1 << 20)],
    [
      'a good token that is too long',
      () => forge({ alg: 'ES256' }, (text) => ecdsa(text, key), { ...claims(), x: 'x'.repeat(16_384) }),
    ],
    ['a payload that is not an object', () => forge({ alg: 'ES256' }, (text) => ecdsa(text, key), 'jane')],
    ['a payload that is a list', () => forge({ alg: 'ES256' }, (text) => ecdsa(text, key), [claims()])],
  ];
  it.each(forgeries)('%s', (_, forge) => expect(refusal(forge())).toBe('invalid bearer token'));

  const wrong: readonly [string, object, RegExp][] = [
    ['another issuer', { iss: 'https://evil.example' }, /invalid bearer token/],
    ['no issuer', { iss: undefined }, /invalid bearer token/],
    ['no end', { exp: undefined }, /expired/],
    ['an end that is no number', { exp: '9999999999' }, /expired/],
    ['no beginning', { nbf: undefined }, /not valid yet/],
    ['another subject', { sub: 'system:serviceaccount:kube-system:robot' }, /sub claim/],
    ['no audience', { aud: undefined }, /audiences/],
    ['an audience that is an object', { aud: { 0: issuer } }, /audiences/],
    ['no claims of Kubernetes', { 'kubernetes.io': undefined }, /sub claim/],
    ['no uid', { 'kubernetes.io': { namespace: 'ns', serviceaccount: { name: 'robot' } } }, /sub claim/],
    [
      'a binding that cannot be read',
      { 'kubernetes.io': { namespace: 'ns', serviceaccount: 'UID', pod: null } },
      /invalidated/,
    ],
  ];
  it.each(wrong)('signed by us, but with %s', (_, change, message) => {
    const account = { name: 'robot', uid };
    const changed = JSON.parse(
      JSON.stringify({ ...claims(), ...change }).replace('"UID"', JSON.stringify(account)),
    ) as object;
    expect(refusal(tokenSigner(key).sign(changed as Record<string, unknown>))).toMatch(message);
  });
});

describe('the life of a token', () => {
  it('ends at its second', () => {
    const token = tokens.issue(grant({ seconds: 600 }));
    clock += 599_999;
    expect(refusal(token)).toBeUndefined();
    clock += 1;
    expect(refusal(token)).toBe('service account token has expired');
  });

  it('has not begun before it was issued', () => {
    const token = tokens.issue(grant());
    clock -= 1000;
    expect(refusal(token)).toBe('service account token is not valid yet');
  });

  it('is meant for its audiences only', () => {
    const token = tokens.issue(grant({ audiences: ['vault'] }));
    expect(refusal(token)).toMatch(/audiences \["vault"\] is invalid/);
    expect(tokens.authenticate(token, ['vault', 'other'])).toMatchObject({ audiences: ['vault'] });
    expect(tokens.authenticate(token, [])).toHaveProperty('refused');
  });

  it('ends with its service account, also when it was remembered', async () => {
    const token = tokens.issue(grant());
    expect(refusal(token)).toBeUndefined();
    await bed.remove('serviceaccounts', 'ns', 'robot');
    expect(refusal(token)).toBe('serviceaccounts "robot" not found');
  });

  it('is not that of a new service account of the same name', async () => {
    const token = tokens.issue(grant());
    await bed.remove('serviceaccounts', 'ns', 'robot');
    await bed.put('serviceaccounts', { metadata: { name: 'robot', namespace: 'ns' } });
    expect(refusal(token)).toMatch(/UID .* does not match claim/);
  });

  it('ends when the deletion of the service account begins', async () => {
    const token = tokens.issue(grant());
    await bed.put('serviceaccounts', { metadata: { name: 'robot', namespace: 'ns', uid, deletionTimestamp: 'now' } });
    expect(refusal(token)).toMatch(/has been deleted/);
  });

  it.each(['pod', 'secret', 'node'] as const)('ends with the %s that it is bound to', async (kind) => {
    const namespace = kind === 'node' ? undefined : 'ns';
    const bound = await bed.put(`${kind}s`, { metadata: { name: 'b', namespace } });
    const token = tokens.issue(grant({ boundTo: { kind, name: 'b', uid: bound.metadata.uid ?? '' } }));
    expect(refusal(token)).toBeUndefined();
    await bed.put(`${kind}s`, { metadata: { name: 'b', namespace, uid: 'another' } });
    expect(refusal(token)).toBe('service account token has been invalidated');
    await bed.remove(`${kind}s`, namespace ?? '', 'b');
    expect(refusal(token)).toBe('service account token has been invalidated');
  });
});

const put = (token: string, more: object = {}): Promise<unknown> =>
  bed.put('secrets', {
    metadata: { name: 'robot-token', namespace: 'ns' },
    type: 'kubernetes.io/service-account-token',
    data: { token: Buffer.from(token).toString('base64') },
    ...more,
  });

describe('a token in a Secret', () => {
  it('is its service account as long as the Secret contains it', async () => {
    const token = tokens.issueForSecret('ns', { name: 'robot', uid }, 'robot-token');
    expect(refusal(token)).toBe('Token has been invalidated');
    await put(token);
    expect(tokens.authenticate(token)).toMatchObject({
      user: { name: 'system:serviceaccount:ns:robot', uid },
      audiences: [issuer],
    });
    clock += 1e12;
    expect(refusal(token)).toBeUndefined();
    await put(`${token.slice(0, -1)}x`);
    expect(refusal(token)).toBe("Token does not match server's copy");
    await put(token, { type: 'Opaque' });
    expect(refusal(token)).toBe("Token does not match server's copy");
    await bed.remove('secrets', 'ns', 'robot-token');
    expect(refusal(token)).toBe('Token has been invalidated');
  });

  it('is for this API alone', async () => {
    const token = tokens.issueForSecret('ns', { name: 'robot', uid }, 'robot-token');
    await put(token);
    expect(tokens.authenticate(token, ['vault'])).toHaveProperty('refused');
  });

  it('is nothing once the service account is another', async () => {
    const token = tokens.issueForSecret('ns', { name: 'robot', uid: 'old' }, 'robot-token');
    await put(token);
    expect(refusal(token)).toMatch(/does not match claim \(old\)/);
  });
});
