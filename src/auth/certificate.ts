import { createHash, createPublicKey, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';
import { isIP } from 'node:net';
import {
  bitString,
  explicit,
  implicit,
  namedBits,
  objectIdentifier,
  octets,
  sequence,
  setOf,
  time,
  unsignedInteger,
  utf8,
  yes,
} from './der.ts';

/** The subject of a certificate: Kubernetes reads the common name as the user and the organizations as groups. */
export interface Subject {
  readonly commonName: string;
  readonly organizations?: readonly string[];
}

/** The permitted use of a certificate. */
export type CertificateUse =
  | { readonly for: 'authority' }
  | { readonly for: 'server'; readonly hosts: readonly string[] }
  | { readonly for: 'client' };

/** The signer; for a self-signed certificate the subject and key of the certificate itself. */
export interface Issuer {
  readonly subject: Subject;
  readonly privateKey: KeyObject;
}

/** The content of one certificate. */
export interface CertificateRequest {
  readonly subject: Subject;
  readonly publicKey: KeyObject;
  readonly use: CertificateUse;
  readonly notBefore: Date;
  readonly notAfter: Date;
}

const ecdsaWithSha256 = sequence(objectIdentifier('1.2.840.10045.4.3.2'));
const organization = objectIdentifier('2.5.4.10');
const commonName = objectIdentifier('2.5.4.3');
const keyUsage = { digitalSignature: 0, keyCertSign: 5, cRLSign: 6 } as const;

/** A fresh ECDSA key on P-256, the curve that every TLS stack takes. */
export function generateKey(): KeyObject {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
}

/** An X.509 v3 certificate in PEM; the only shape of certificate that the hub ever writes. */
export function issueCertificate(request: CertificateRequest, issuer: Issuer): string {
  const publicKey = request.publicKey.export({ type: 'spki', format: 'der' });
  const toBeSigned = sequence(
    explicit(0, unsignedInteger(Buffer.from([2]))),
    serialNumber(),
    ecdsaWithSha256,
    distinguishedName(issuer.subject),
    sequence(time(request.notBefore), time(request.notAfter)),
    distinguishedName(request.subject),
    publicKey,
    explicit(3, sequence(...extensions(request.use, { subject: publicKey, issuer: spki(issuer.privateKey) }))),
  );
  const signature = sign('sha256', toBeSigned, issuer.privateKey);
  return pem('CERTIFICATE', sequence(toBeSigned, ecdsaWithSha256, bitString(signature)));
}

/** A PKCS #10 request for a certificate of this subject, in PEM: the proof that somebody has the key. */
export function certificateRequest(subject: Subject, key: KeyObject): string {
  const info = sequence(
    unsignedInteger(Buffer.from([0])),
    distinguishedName(subject),
    createPublicKey(key).export({ type: 'spki', format: 'der' }),
    explicit(0, Buffer.alloc(0)),
  );
  return pem('CERTIFICATE REQUEST', sequence(info, ecdsaWithSha256, bitString(sign('sha256', info, key))));
}

/** 126 random bits: never zero, never negative, never repeated. */
function serialNumber(): Buffer {
  const bytes = randomBytes(16);
  bytes[0] = ((bytes[0] ?? 0) & 0x3f) | 0x40;
  return unsignedInteger(bytes);
}

function distinguishedName(subject: Subject): Buffer {
  const organizations = (subject.organizations ?? []).map((name) => part(organization, name));
  return sequence(...organizations, part(commonName, subject.commonName));
}

const part = (type: Uint8Array, value: string): Buffer => setOf(sequence(type, utf8(value)));

function extensions(use: CertificateUse, keys: { readonly subject: Buffer; readonly issuer: Buffer }): Buffer[] {
  const identifiers = [
    extension('2.5.29.14', octets(keyIdentifier(keys.subject))),
    extension('2.5.29.35', sequence(implicit(0, keyIdentifier(keys.issuer)))),
  ];
  switch (use.for) {
    case 'authority':
      return [
        critical('2.5.29.19', sequence(yes, unsignedInteger(Buffer.from([0])))),
        critical('2.5.29.15', namedBits([keyUsage.digitalSignature, keyUsage.keyCertSign, keyUsage.cRLSign])),
        ...identifiers,
      ];
    case 'server':
      return [...leaf('1.3.6.1.5.5.7.3.1'), ...identifiers, extension('2.5.29.17', alternativeNames(use.hosts))];
    case 'client':
      return [...leaf('1.3.6.1.5.5.7.3.2'), ...identifiers];
    default:
      return use satisfies never;
  }
}

const leaf = (purpose: string): Buffer[] => [
  critical('2.5.29.19', sequence()),
  critical('2.5.29.15', namedBits([keyUsage.digitalSignature])),
  extension('2.5.29.37', sequence(objectIdentifier(purpose))),
];

const extension = (id: string, value: Buffer): Buffer => sequence(objectIdentifier(id), octets(value));
const critical = (id: string, value: Buffer): Buffer => sequence(objectIdentifier(id), yes, octets(value));

function alternativeNames(hosts: readonly string[]): Buffer {
  return sequence(
    ...hosts.map((host) => (isIP(host) ? implicit(7, addressBytes(host)) : implicit(2, Buffer.from(host, 'latin1')))),
  );
}

/** The 4 or 16 bytes of an IP address. */
export function addressBytes(address: string): Buffer {
  if (isIP(address) === 4) return Buffer.from(address.split('.').map(Number));
  const dotted = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(address);
  const plain = dotted
    ? `${dotted[1]}${addressBytes(dotted[2] ?? '')
        .toString('hex')
        .replace(/^(.{4})/, '$1:')}`
    : address;
  const [head = '', tail] = plain.split('::');
  const left = groups(head);
  const right = groups(tail ?? '');
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => 0);
  return Buffer.from([...left, ...zeros, ...right].flatMap((group) => [group >> 8, group & 0xff]));
}

const groups = (text: string): number[] =>
  text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16));

const spki = (privateKey: KeyObject): Buffer => createPublicKey(privateKey).export({ type: 'spki', format: 'der' });

/** The SHA-1 of the key's bits, as RFC 5280 suggests; an identifier, not a protection. */
function keyIdentifier(publicKey: Buffer): Buffer {
  const uncompressedPoint = publicKey.subarray(publicKey.length - 65);
  return createHash('sha1').update(uncompressedPoint).digest();
}

/** Binary data between BEGIN and END lines. */
function pem(label: string, der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`;
}
