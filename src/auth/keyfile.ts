import { createPrivateKey, createPublicKey, randomBytes, X509Certificate, type KeyObject } from 'node:crypto';
import { chmod, open, readFile, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { makeFolder } from '../store/index.ts';

/** A file of keys or certificates that cannot be used as it is; the message names it and says what to do. */
export class KeyFileError extends Error {
  readonly file: string;
  constructor(file: string, why: string, options?: ErrorOptions) {
    super(`${file}: ${why}`, options);
    this.name = 'KeyFileError';
    this.file = file;
  }
}

const modesMatter = process.platform !== 'win32';
const othersMayUse = 0o077;

/** Writes a file that only its owner may read, all of it or none: a reader never meets half a file, nor does a crash leave one. */
export async function writePrivateFile(file: string, content: string): Promise<void> {
  const temporary = `${file}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    const handle = await open(temporary, 'wx', 0o600);
    try {
      await handle.writeFile(content);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw new KeyFileError(file, `cannot be written: ${reasonOf(error)}`, { cause: error });
  }
}

/** Makes the folder of a file if it is missing, for its owner alone; who may look into one that is there is the user's business. */
export function makeFolderOf(file: string): void {
  try {
    makeFolder(path.dirname(path.resolve(file)), 0o700);
  } catch (error) {
    throw new KeyFileError(file, `cannot be written: ${reasonOf(error)}`, { cause: error });
  }
}

/** Makes the folder if it is missing; one that others may look into or write to is refused. */
export async function ensurePrivateFolder(folder: string): Promise<void> {
  try {
    // The umask may have taken rights from the owner; it never leaves too many.
    if (makeFolder(folder, 0o700)) return await chmod(folder, 0o700);
  } catch (error) {
    throw new KeyFileError(folder, `cannot be made: ${reasonOf(error)}`, { cause: error });
  }
  await refuseOpenMode(folder, '700');
}

async function refuseOpenMode(file: string, wanted: string): Promise<void> {
  const mode = (await stat(file)).mode & 0o777;
  if (!modesMatter || (mode & othersMayUse) === 0) return;
  throw new KeyFileError(
    file,
    `is open to other users (mode 0${mode.toString(8)}), so its secrets may have leaked; run "chmod ${wanted} ${file}" if they have not`,
  );
}

/** The text of a file; undefined when the file does not exist. */
async function readIfPresent(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new KeyFileError(file, `cannot be read: ${reasonOf(error)}`, { cause: error });
  }
}

/** The private key in a file; undefined when the file does not exist. */
export async function readPrivateKey(file: string): Promise<KeyObject | undefined> {
  const text = await readIfPresent(file);
  if (text === undefined) return undefined;
  await refuseOpenMode(file, '600');
  try {
    return createPrivateKey(text);
  } catch (error) {
    throw new KeyFileError(file, 'is not a private key in PEM', { cause: error });
  }
}

/** The certificate in a file; undefined when the file does not exist. */
export async function readCertificate(file: string): Promise<X509Certificate | undefined> {
  const text = await readIfPresent(file);
  if (text === undefined) return undefined;
  try {
    return new X509Certificate(text);
  } catch (error) {
    throw new KeyFileError(file, 'is not a certificate in PEM', { cause: error });
  }
}

/** A private key in PEM. */
export function keyText(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' });
}

/** Tells whether the certificate and the private key belong together. */
export function isPair(certificate: X509Certificate, key: KeyObject): boolean {
  return certificate.publicKey.equals(createPublicKey(key));
}

/** Where the certificate and the key of a name stand. */
export function pairFiles(folder: string, name: string): { readonly certificate: string; readonly key: string } {
  return { certificate: path.join(folder, `${name}.crt`), key: path.join(folder, `${name}.key`) };
}

function reasonOf(error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code;
  const words: Record<string, string> = {
    EACCES: 'permission denied',
    EPERM: 'operation not permitted',
    EISDIR: 'it is a directory',
    ENOTDIR: 'a part of its path is not a directory',
    EEXIST: 'a file of that name is in the way',
    ENOSPC: 'no space left on the device',
    EROFS: 'the file system is read-only',
  };
  return (code && words[code]) ?? (error instanceof Error ? error.message : String(error));
}
