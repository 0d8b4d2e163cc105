import { createPrivateKey, createPublicKey, generateKeyPairSync, X509Certificate } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openAuthority } from './authority.ts';
import { addressBytes, generateKey, issueCertificate } from './certificate.ts';
import { KeyFileError } from './keyfile.ts';

let folder: string;
beforeEach(async () => {
  folder = path.join(await mkdtemp(path.join(tmpdir(), 'sluice-pki-')), 'pki');
});
afterEach(() => rm(path.dirname(folder), { recursive: true, force: true }));

const at = (iso: string) => () => new Date(iso);
const modeOf = async (file: string): Promise<number> => (await stat(file)).mode & 0o777;

describe('the first start', () => {
  it('makes keys that only their owner can read', async () => {
    await openAuthority({ folder });
    expect(await modeOf(folder)).toBe(0o700);
    const files = await readdir(folder);
    expect(files.sort()).toEqual(['admin.crt', 'admin.key', 'ca.crt', 'ca.key', 'sa.key', 'server.crt', 'server.key']);
    for (const file of files) expect(await modeOf(path.join(folder, file)), file).toBe(0o600);
  });

  it('issues what each certificate is for, and nothing more', async () => {
    const authority = await openAuthority({ hosts: ['hub.example.com', '10.0.0.7'] });
    const root = new X509Certificate(authority.certificate);
    const serving = new X509Certificate(authority.serving.certificate);
    const admin = new X509Certificate(authority.admin.certificate);
    expect(root.ca).toBe(true);
    expect(serving.ca || admin.ca).toBe(false);
    const notAnAuthority = '0603551d130101ff04023000';
    for (const leaf of [serving, admin]) expect(leaf.raw.toString('hex')).toContain(notAnAuthority);
    for (const leaf of [serving, admin]) {
      expect(leaf.checkIssued(root)).toBe(true);
      expect(leaf.verify(root.publicKey)).toBe(true);
    }
    expect(serving.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1']);
    expect(admin.keyUsage).toEqual(['1.3.6.1.5.5.7.3.2']);
    expect(admin.subject).toBe('O=system:masters\nCN=kubernetes-admin');
    expect(serving.checkHost('hub.example.com')).toBeDefined();
    expect(serving.checkHost('evil.example.com')).toBeUndefined();
    for (const address of ['127.0.0.1', '::1', '10.0.0.7']) expect(serving.checkIP(address), address).toBeDefined();
  });

  it('never repeats a serial number and never writes a negative one', async () => {
    const authority = await openAuthority();
    const serials = Array.from({ length: 50 }, () => {
      const { certificate } = authority.clientCertificate({ commonName: 'jane' });
      return new X509Certificate(certificate).serialNumber;
    });
    expect(new Set(serials).size).toBe(50);
    for (const serial of serials) expect(serial).toMatch(/^[4-7][0-9A-F]{31}$/);
  });

  it('writes dates on both sides of 2050', () => {
    const key = generateKey();
    const subject = { commonName: 'far' };
    const pem = issueCertificate(
      {
        subject,
        publicKey: createPublicKey(key),
        use: { for: 'client' },
        notBefore: new Date('2049-12-31T23:59:59Z'),
        notAfter: new Date('2050-01-01T00:00:01Z'),
      },
      { subject, privateKey: key },
    );
    const certificate = new X509Certificate(pem);
    expect(certificate.validFromDate.toISOString()).toBe('2049-12-31T23:59:59.000Z');
    expect(certificate.validToDate.toISOString()).toBe('2050-01-01T00:00:01.000Z');
  });
});

function selfSigned(): string {
  const key = generateKey();
  const subject = { commonName: 'stranger' };
  const publicKey = createPublicKey(key);
  return issueCertificate(
    { subject, publicKey, use: { for: 'client' }, notBefore: new Date(0), notAfter: new Date('2100-01-01T00:00:00Z') },
    { subject, privateKey: key },
  );
}

function rootFor(privateKey = generateKey()): string {
  const subject = { commonName: 'another' };
  const [notBefore, notAfter] = [new Date(0), new Date('2100-01-01T00:00:00Z')];
  const publicKey = createPublicKey(privateKey);
  return issueCertificate(
    { subject, publicKey, use: { for: 'authority' }, notBefore, notAfter },
    { subject, privateKey },
  );
}

const ed25519 = (): string => generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' });

describe('a later start', () => {
  it('uses everything again', async () => {
    const first = await openAuthority({ folder, hosts: ['a.example'] });
    const second = await openAuthority({ folder, hosts: ['a.example'] });
    expect(second.certificate).toBe(first.certificate);
    expect(second.serving).toEqual(first.serving);
    expect(second.admin).toEqual(first.admin);
    expect(second.tokenKey.equals(first.tokenKey)).toBe(true);
  });

  const renewals: readonly [string, readonly string[], string, boolean][] = [
    ['the same hosts spelled differently', ['0::0001', 'A.example', '127.0.0.1'], '2026-06-01T00:00:00Z', false],
    ['another host', ['a.example', 'b.example'], '2026-06-01T00:00:00Z', true],
    ['a host less', [], '2026-06-01T00:00:00Z', true],
    ['31 days left', ['a.example'], '2026-12-01T00:00:00Z', false],
    ['29 days left', ['a.example'], '2026-12-03T00:00:00Z', true],
    ['long expired', ['a.example'], '2030-01-01T00:00:00Z', true],
  ];
  it.each(renewals)('%s: renews the serving certificate if needed', async (_, hosts, then, renewed) => {
    const first = await openAuthority({ folder, hosts: ['a.example'], now: at('2026-01-01T00:00:00Z') });
    const second = await openAuthority({ folder, hosts, now: at(then) });
    expect(second.certificate).toBe(first.certificate);
    expect(second.serving.certificate !== first.serving.certificate).toBe(renewed);
    const serving = new X509Certificate(second.serving.certificate);
    expect(serving.checkPrivateKey(createPrivateKey(second.serving.key))).toBe(true);
    expect(serving.verify(new X509Certificate(second.certificate).publicKey)).toBe(true);
  });

  it('never lets a leaf outlive the authority', async () => {
    await openAuthority({ folder, now: at('2026-01-01T00:00:00Z') });
    const late = await openAuthority({ folder, now: at('2035-12-01T00:00:00Z') });
    const end = new X509Certificate(late.certificate).validTo;
    expect(new X509Certificate(late.serving.certificate).validTo).toBe(end);
    const jane = late.clientCertificate({ commonName: 'jane' }, 5000);
    expect(new X509Certificate(jane.certificate).validTo).toBe(end);
  });

  it('goes on after a crash between the writes of the first start', async () => {
    const whole = await openAuthority({ folder });
    for (const file of ['ca.crt', 'server.crt', 'admin.crt', 'sa.key']) await rm(path.join(folder, file));
    const again = await openAuthority({ folder });
    const root = new X509Certificate(again.certificate);
    expect(new X509Certificate(whole.admin.certificate).verify(root.publicKey)).toBe(true);
    expect(new X509Certificate(again.serving.certificate).checkIssued(root)).toBe(true);
  });

  it('renews leaves of an authority that was replaced', async () => {
    const first = await openAuthority({ folder });
    await rm(path.join(folder, 'ca.crt'));
    await rm(path.join(folder, 'ca.key'));
    const second = await openAuthority({ folder });
    expect(second.certificate).not.toBe(first.certificate);
    for (const pair of [second.serving, second.admin])
      expect(new X509Certificate(pair.certificate).verify(new X509Certificate(second.certificate).publicKey)).toBe(
        true,
      );
  });

  it('makes a new certificate for a leaf whose key was lost', async () => {
    await openAuthority({ folder });
    await rm(path.join(folder, 'server.key'));
    const { serving } = await openAuthority({ folder });
    expect(new X509Certificate(serving.certificate).checkPrivateKey(createPrivateKey(serving.key))).toBe(true);
  });
});

describe('damaged files, by the name of the file', () => {
  const damage: readonly [string, string, (file: string) => Promise<unknown>, RegExp][] = [
    [
      'a key that is cut short',
      'ca.key',
      async (f) => writeFile(f, (await readFile(f)).subarray(0, 90)),
      /not a private key/,
    ],
    ['an empty key', 'sa.key', (f) => writeFile(f, ''), /not a private key/],
    ['a certificate of garbage', 'ca.crt', (f) => writeFile(f, 'garbage'), /not a certificate/],
    [
      'a damaged serving certificate',
      'server.crt',
      async (f) => writeFile(f, (await readFile(f, 'utf8')).slice(40)),
      /not a certificate/,
    ],
    ['a certificate of another authority', 'ca.crt', (f) => writeFile(f, rootFor()), /does not belong to ca\.key/],
    ['a leaf with another key', 'admin.crt', (f) => writeFile(f, selfSigned()), /does not belong to admin\.key/],
    ['a lost key of the authority', 'ca.key', (f) => rm(f), /is missing although its certificate exists/],
    ['a key that others can read', 'ca.key', (f) => chmod(f, 0o644), /open to other users \(mode 0644\).*chmod 600/],
    ['a key that the group can read', 'sa.key', (f) => chmod(f, 0o640), /open to other users/],
    ['a folder that others can enter', '.', (f) => chmod(f, 0o755), /open to other users \(mode 0755\).*chmod 700/],
    [
      'a directory where a key should be',
      'server.key',
      async (f) => rm(f).then(() => mkdir(f)),
      /cannot be read: it is a directory/,
    ],
    [
      'a key that cannot sign tokens',
      'sa.key',
      (f) => writeFile(f, ed25519()),
      /must be an ECDSA key on P-256 or an RSA key/,
    ],
  ];
  it.each(damage)('%s', async (_, name, harm, message) => {
    await openAuthority({ folder });
    const file = path.join(folder, name);
    await harm(file);
    const error = await openAuthority({ folder }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(KeyFileError);
    expect((error as KeyFileError).message).toMatch(message);
    expect(path.resolve((error as KeyFileError).file)).toBe(path.resolve(file));
    expect((error as KeyFileError).message).toContain(path.basename(file));
  });

  it('an authority that expired, or is not valid yet', async () => {
    await openAuthority({ folder, now: at('2026-01-01T00:00:00Z') });
    await expect(openAuthority({ folder, now: at('2040-01-01T00:00:00Z') })).rejects.toThrow(/ca\.crt: expired at/);
    await expect(openAuthority({ folder, now: at('2025-01-01T00:00:00Z') })).rejects.toThrow(
      /ca\.crt: is not valid before/,
    );
  });

  it('a folder that cannot be made', async () => {
    const file = path.join(path.dirname(folder), 'file');
    await writeFile(file, '');
    await expect(openAuthority({ folder: path.join(file, 'pki') })).rejects.toThrow(KeyFileError);
  });

  it.each(['a b', 'x,DNS:evil', 'fe80::1%eth0', '', 'https://x', '-x'])('the host %j', async (host) => {
    await expect(openAuthority({ hosts: [host] })).rejects.toThrow(/neither a host name nor an IP address/);
  });
});

describe('addresses', () => {
  it.each([
    ['10.1.2.3', '0a010203'],
    ['::', '0'.repeat(32)],
    ['::1', `${'0'.repeat(31)}1`],
    ['2001:db8::', `20010db8${'0'.repeat(24)}`],
    ['fe80::1:2', 'fe800000000000000000000000010002'],
    ['1:2:3:4:5:6:7:8', '00010002000300040005000600070008'],
    ['::ffff:1.2.3.4', '00000000000000000000ffff01020304'],
    ['64:ff9b::192.0.2.33', '0064ff9b0000000000000000c0000221'],
  ])('%s', (address, hex) => expect(addressBytes(address).toString('hex')).toBe(hex));
});
