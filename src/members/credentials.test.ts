import { Buffer } from 'node:buffer';
import { expect, test } from 'vitest';
import type { Cluster } from '../api/index.ts';
import { memberCluster } from '../../test/kit/objects.ts';
import { connectionOf } from './credentials.ts';
import type { MemberSecret } from './credentials.ts';

const encoded = (text: string): string => Buffer.from(text).toString('base64');
const certificate = '-----BEGIN CERTIFICATE-----\nMII=\n-----END CERTIFICATE-----\n';
const secretRef = { namespace: 'karmada-cluster', name: 'member1' };
const good = { token: encoded('t'), caBundle: encoded(certificate) };

const cluster = (words: Partial<Cluster['spec']> = {}): Cluster =>
  memberCluster('member1', { apiEndpoint: 'https://one:6443', secretRef, ...words });
const secret = (data: Readonly<Record<string, string>>): MemberSecret => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: secretRef,
  data,
});

test.each([
  ['https://one:6443', 'https://one:6443'],
  ['one:6443', 'https://one:6443'],
  ['127.0.0.1:6443', 'https://127.0.0.1:6443'],
])('%s is reached at %s', (apiEndpoint, server) => {
  expect(connectionOf(cluster({ apiEndpoint }), secret(good)).server).toBe(server);
});

test('http is reached where it is allowed', () => {
  const of = cluster({ apiEndpoint: 'http://one:8080/prefix' });
  expect(connectionOf(of, secret(good), { allowInsecure: true })).toMatchObject({
    server: 'http://one:8080/prefix',
    allowPlainToken: true,
  });
  expect(() => connectionOf(of, secret(good))).toThrow('spec.apiEndpoint: http://one:8080/prefix must be https://');
});

test.each<[string, Cluster, MemberSecret | undefined, string]>([
  ['no endpoint', cluster({ apiEndpoint: '' }), secret(good), 'spec.apiEndpoint is empty'],
  ['an endpoint of another kind', cluster({ apiEndpoint: 'ftp://one' }), secret(good), 'spec.apiEndpoint: ftp://one'],
  ['no Secret', cluster(), undefined, 'Secret karmada-cluster/member1 does not exist'],
  ['no token', cluster(), secret({ ...good, token: '' }), 'karmada-cluster/member1 has no token'],
  [
    'a token of several lines',
    cluster(),
    secret({ ...good, token: encoded('a\nb') }),
    'the token in Secret karmada-cluster/member1',
  ],
  ['no authority', cluster(), secret({ token: good.token }), 'has no caBundle'],
  [
    'an authority that is none',
    cluster(),
    secret({ ...good, caBundle: encoded('nothing') }),
    'the caBundle in Secret karmada-cluster/member1 contains no certificate',
  ],
])('%s is said as such', (_, of, with_, words) => {
  expect(() => connectionOf(of, with_)).toThrow(words);
});

test('a token may end with a line break, as those written by hand do', () => {
  expect(connectionOf(cluster(), secret({ ...good, token: encoded('t\n') })).token).toBe('t');
});
