import { createPublicKey, X509Certificate, type KeyObject } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { isIP } from 'node:net';
import path from 'node:path';
import { addressBytes, generateKey, issueCertificate } from './certificate.ts';
import type { CertificateUse, Issuer, Subject } from './certificate.ts';
import {
  ensurePrivateFolder,
  isPair,
  KeyFileError,
  keyText,
  pairFiles,
  readCertificate,
  readPrivateKey,
  writePrivateFile,
} from './keyfile.ts';

/** A certificate and its private key, both in PEM. */
export interface KeyPair {
  readonly certificate: string;
  readonly key: string;
}

/** Everything that the hub proves its identity with, and that it checks its callers against. */
export interface Authority {
  /** The certificate that clients must trust, and that client certificates must come from. */
  readonly certificate: string;
  readonly serving: KeyPair;
  readonly admin: KeyPair;
  /** Signs the tokens of service accounts. */
  readonly tokenKey: KeyObject;
  /** A certificate for another user; `days` counts from now. */
  clientCertificate(subject: Subject, days?: number): KeyPair;
  /** A certificate in PEM for a user whose key is known to the user alone. */
  signClient(subject: Subject, publicKey: KeyObject, seconds: number): string;
}

/** The options of an authority. */
export interface AuthorityOptions {
  /** Where the keys are kept; without it they live in memory and die with the process. */
  readonly folder?: string;
  /** Names and addresses that the hub is reached by, besides those of the loopback. */
  readonly hosts?: readonly string[];
  readonly now?: () => Date;
}

/** The user of the administrator's certificate. */
export const administrator: Subject = { commonName: 'kubernetes-admin', organizations: ['system:masters'] };

const authoritySubject: Subject = { commonName: 'sluice-ca' };
const servingSubject: Subject = { commonName: 'sluice' };
const loopback = ['localhost', '127.0.0.1', '::1'];

const minute = 60_000;
const day = 24 * 60 * minute;
const authorityDays = 3650;
const leafDays = 365;
/** A certificate with less than this left is replaced at the next start. */
const renewalDays = 30;
/** Clocks differ: a certificate made now must be valid on a machine that is a little behind. */
const clockSkew = 5 * minute;

/**
 * Opens the authority in a folder, or makes it on first start.
 * Guarantees: what exists and is good is used again; leaf certificates are replaced when they near their end,
 * come from another authority or name other hosts. Anything damaged or open to others is refused by its file's name.
 */
export async function openAuthority(options: AuthorityOptions = {}): Promise<Authority> {
  const now = (options.now ?? (() => new Date()))();
  const hosts = checkedHosts(options.hosts ?? []);
  const shelf = options.folder === undefined ? memoryShelf() : await folderShelf(options.folder);
  const root = await rootOf(shelf, now);
  const serving = await leafOf(shelf, root, {
    name: 'server',
    subject: servingSubject,
    use: { for: 'server', hosts },
    now,
  });
  const admin = await leafOf(shelf, root, { name: 'admin', subject: administrator, use: { for: 'client' }, now });
  const tokenKey = await tokenKeyOf(shelf);
  return {
    certificate: root.certificate.toString(),
    serving,
    admin,
    tokenKey,
    clientCertificate(subject, days = leafDays) {
      const key = generateKey();
      const request = { subject, use: { for: 'client' } as const, days, now: options.now?.() ?? new Date() };
      return { certificate: issueLeaf(root, key, request), key: keyText(key) };
    },
    signClient(subject, publicKey, seconds) {
      const days = seconds / (day / 1000);
      const leaf = { subject, use: { for: 'client' } as const, days, now: options.now?.() ?? new Date() };
      return issueLeaf(root, publicKey, leaf);
    },
  };
}

/** Where key pairs are kept. */
interface Shelf {
  certificate(name: string): Promise<X509Certificate | undefined>;
  key(name: string): Promise<KeyObject | undefined>;
  putCertificate(name: string, text: string): Promise<void>;
  dropCertificate(name: string): Promise<void>;
  putKey(name: string, key: KeyObject): Promise<void>;
  /** The error for a pair that cannot be used. */
  refuse(name: string, what: 'certificate' | 'key', why: string): Error;
}

async function folderShelf(folder: string): Promise<Shelf> {
  await ensurePrivateFolder(folder);
  return {
    certificate: (name) => readCertificate(pairFiles(folder, name).certificate),
    key: (name) => readPrivateKey(pairFiles(folder, name).key),
    putCertificate: (name, text) => writePrivateFile(pairFiles(folder, name).certificate, text),
    dropCertificate: (name) => rm(pairFiles(folder, name).certificate),
    putKey: (name, key) => writePrivateFile(pairFiles(folder, name).key, keyText(key)),
    refuse: (name, what, why) => new KeyFileError(path.resolve(pairFiles(folder, name)[what]), why),
  };
}

function memoryShelf(): Shelf {
  return {
    certificate: () => Promise.resolve(undefined),
    key: () => Promise.resolve(undefined),
    putCertificate: () => Promise.resolve(),
    dropCertificate: () => Promise.resolve(),
    putKey: () => Promise.resolve(),
    refuse: (name, what, why) => new Error(`${what} of ${name}: ${why}`),
  };
}

interface Root {
  readonly certificate: X509Certificate;
  readonly issuer: Issuer;
}

async function rootOf(shelf: Shelf, now: Date): Promise<Root> {
  const certificate = await shelf.certificate('ca');
  const key = await shelf.key('ca');
  if (certificate && !key) throw shelf.refuse('ca', 'key', 'is missing although its certificate exists; restore it');
  if (!certificate || !key) return makeRoot(shelf, key ?? (await newKey(shelf, 'ca')), now);
  if (!isPair(certificate, key)) throw shelf.refuse('ca', 'certificate', 'does not belong to ca.key beside it');
  if (!certificate.ca) throw shelf.refuse('ca', 'certificate', 'is not the certificate of an authority');
  if (now.getTime() > certificate.validToDate.getTime())
    throw shelf.refuse(
      'ca',
      'certificate',
      `expired at ${certificate.validTo}; remove the folder to make a new authority`,
    );
  if (now.getTime() < certificate.validFromDate.getTime())
    throw shelf.refuse('ca', 'certificate', `is not valid before ${certificate.validFrom}; is the clock right?`);
  return { certificate, issuer: { subject: authoritySubject, privateKey: key } };
}

async function makeRoot(shelf: Shelf, key: KeyObject, now: Date): Promise<Root> {
  const issuer: Issuer = { subject: authoritySubject, privateKey: key };
  const text = issueCertificate(
    {
      subject: authoritySubject,
      publicKey: createPublicKey(key),
      use: { for: 'authority' },
      notBefore: new Date(now.getTime() - clockSkew),
      notAfter: new Date(now.getTime() + authorityDays * day),
    },
    issuer,
  );
  await shelf.putCertificate('ca', text);
  return { certificate: new X509Certificate(text), issuer };
}

interface Leaf {
  readonly subject: Subject;
  readonly use: CertificateUse;
  readonly days?: number;
  readonly now: Date;
}

async function leafOf(shelf: Shelf, root: Root, leaf: Leaf & { readonly name: string }): Promise<KeyPair> {
  const certificate = await shelf.certificate(leaf.name);
  const kept = await shelf.key(leaf.name);
  if (certificate && kept) {
    if (!isPair(certificate, kept))
      throw shelf.refuse(
        leaf.name,
        'certificate',
        `does not belong to ${leaf.name}.key beside it; remove both to renew`,
      );
    if (isGood(certificate, root, leaf)) return { certificate: certificate.toString(), key: keyText(kept) };
  }
  // The key outlives its certificates, so that a crash between two writes never leaves a pair that does not match.
  if (certificate && !kept) await shelf.dropCertificate(leaf.name);
  const key = kept ?? (await newKey(shelf, leaf.name));
  const text = issueLeaf(root, key, leaf);
  await shelf.putCertificate(leaf.name, text);
  return { certificate: text, key: keyText(key) };
}

function issueLeaf(root: Root, key: KeyObject, leaf: Leaf): string {
  const end = leaf.now.getTime() + (leaf.days ?? leafDays) * day;
  return issueCertificate(
    {
      subject: leaf.subject,
      publicKey: key.type === 'public' ? key : createPublicKey(key),
      use: leaf.use,
      notBefore: new Date(leaf.now.getTime() - clockSkew),
      notAfter: new Date(Math.min(end, root.certificate.validToDate.getTime())),
    },
    root.issuer,
  );
}

/** Tells whether a certificate can still serve: it is ours, does not expire soon, and covers the wanted hosts. */
function isGood(certificate: X509Certificate, root: Root, leaf: Leaf): boolean {
  const now = leaf.now.getTime();
  return (
    certificate.checkIssued(root.certificate) &&
    certificate.verify(root.certificate.publicKey) &&
    certificate.validFromDate.getTime() <= now &&
    certificate.validToDate.getTime() - now > renewalDays * day &&
    (leaf.use.for !== 'server' || namesSame(certificate, leaf.use.hosts))
  );
}

function namesSame(certificate: X509Certificate, hosts: readonly string[]): boolean {
  const named = (certificate.subjectAltName ?? '')
    .split(', ')
    .map((name) => canonicalHost(name.replace(/^[^:]*:/, '')));
  const wanted = new Set(hosts.map(canonicalHost));
  return named.length === wanted.size && named.every((name) => wanted.has(name));
}

/** One spelling per host: `::1` and `0:0:0:0:0:0:0:1` are the same. */
const canonicalHost = (host: string): string => (isIP(host) ? addressBytes(host).toString('hex') : host.toLowerCase());

const dnsName = /^(\*\.)?[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/i;

/** Tells whether a certificate can carry this name or address. */
export function isHostName(host: string): boolean {
  return !host.includes('%') && (isIP(host) !== 0 || dnsName.test(host));
}

function checkedHosts(hosts: readonly string[]): readonly string[] {
  const wanted = new Map([...loopback, ...hosts].map((host) => [canonicalHost(host), host]));
  for (const host of wanted.values())
    if (!isHostName(host))
      throw new Error(`"${host}" is neither a host name nor an IP address, so no certificate can name it`);
  return [...wanted.values()];
}

async function newKey(shelf: Shelf, name: string): Promise<KeyObject> {
  const key = generateKey();
  await shelf.putKey(name, key);
  return key;
}

async function tokenKeyOf(shelf: Shelf): Promise<KeyObject> {
  const key = (await shelf.key('sa')) ?? (await newKey(shelf, 'sa'));
  const isEc = key.asymmetricKeyType === 'ec' && key.asymmetricKeyDetails?.namedCurve === 'prime256v1';
  if (!isEc && key.asymmetricKeyType !== 'rsa')
    throw shelf.refuse('sa', 'key', 'cannot sign tokens: it must be an ECDSA key on P-256 or an RSA key');
  return key;
}
