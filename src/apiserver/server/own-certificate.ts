import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { isPair, KeyFileError } from '../../auth/index.ts';
import type { KeyPair } from '../../auth/index.ts';
import type { Clock } from '../../observe/index.ts';

/** The files of a certificate that somebody else issued for the hub. */
export interface CertificateFiles {
  /** PEM: the certificate, then those between it and the authority. */
  readonly certificate: string;
  readonly key: string;
  /** PEM of the authority, for kubeconfigs; absent: the last certificate of the chain. */
  readonly authority?: string;
}

/** A certificate with its chain and key, and whom clients have to trust. */
export interface OwnCertificate extends KeyPair {
  readonly authority: string;
}

const everyMilliseconds = 60_000;
const certificates = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** Reads the files; says which one cannot be used, and why. */
export async function readOwnCertificate(files: CertificateFiles): Promise<OwnCertificate> {
  const [certificate, key] = await Promise.all([textOf(files.certificate), textOf(files.key)]);
  const chain = certificate.match(certificates) ?? [];
  const leaf = parsed(files.certificate, 'is not a certificate in PEM', () => new X509Certificate(chain[0] ?? ''));
  const own = parsed(files.key, 'is not a private key in PEM', () => createPrivateKey(key));
  if (!isPair(leaf, own))
    throw new KeyFileError(files.key, `does not belong to the certificate in ${files.certificate}`);
  if (leaf.validToDate.getTime() < Date.now()) throw new KeyFileError(files.certificate, `expired at ${leaf.validTo}`);
  const authority = files.authority === undefined ? (chain.at(-1) ?? '') : await textOf(files.authority);
  return { certificate, key, authority: `${authority.trim()}\n` };
}

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new KeyFileError(file, `cannot be read: ${(error as Error).message}`, { cause: error });
  }
}

function parsed<T>(file: string, why: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw new KeyFileError(file, why, { cause: error });
  }
}

interface Following {
  readonly clock: Clock;
  /** The certificate that is shown now. */
  readonly shown: KeyPair;
  readonly use: (own: OwnCertificate) => void;
  readonly onFault: (error: unknown) => void;
}

/** Reads the files again every minute, and uses another certificate when there is one; a bad one is reported and not used. */
export function followOwnCertificate(files: CertificateFiles, { clock, shown, use, onFault }: Following): () => void {
  let known = shown.certificate;
  const took = (own: OwnCertificate): void => {
    if (own.certificate !== known) use(own);
    known = own.certificate;
  };
  let cancel: (() => void) | undefined;
  const wait = (): void => {
    cancel = clock.after(everyMilliseconds, () => {
      wait();
      void readOwnCertificate(files).then(took, onFault);
    });
  };
  wait();
  return () => cancel?.();
}
