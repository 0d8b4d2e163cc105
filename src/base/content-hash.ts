import { sha256 as portable } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { canonicalJson } from './canonical.ts';
import { digest } from './digest.ts';

/** SHA-256 of the UTF-8 bytes of a text, as hexadecimal digits. */
export type Sha256 = (text: string) => string;

let sha256: Sha256 = (text) => bytesToHex(portable(utf8ToBytes(text)));

/**
 * Computes SHA-256 with a faster implementation from now on: the pure rooms import none of the platform's. Throws when
 * it computes anything else.
 */
export function useSha256(native: Sha256): void {
  if (native('Sluice') !== sha256('Sluice')) throw new Error('this is not SHA-256');
  sha256 = native;
}

/** The version of a hash is part of its text, so that a stored one is compared with the same computation later. */
const version = 'v1:';
const digits = 32;
const anyVersion = /^v\d+:/;

/**
 * Hashes of content that are stored in objects, each computed once per frozen object. Version 1 is the first half of the
 * SHA-256 of the canonical JSON (RFC 8785); a text without a version is a `digest`, from before there were versions.
 */
export class ContentHashes<T extends object> {
  readonly #contentOf: (object: T) => unknown;
  readonly #hashes = new WeakMap<T, string>();
  readonly #digests = new WeakMap<T, string>();

  /** Hashes of what the function finds in an object. */
  constructor(contentOf: (object: T) => unknown) {
    this.#contentOf = contentOf;
  }

  /** The hash to store. */
  of(object: T): string {
    return remembered(this.#hashes, object, () => {
      return version + sha256(canonicalJson(this.#contentOf(object))).slice(0, digits);
    });
  }

  /** Tells whether a stored hash, of whatever version, is the hash of the object's content. */
  isOf(stored: string | undefined, object: T): boolean {
    if (stored === undefined) return false;
    if (isVersioned(stored)) return stored === this.of(object);
    return stored === remembered(this.#digests, object, () => digest(this.#contentOf(object)));
  }
}

/** Tells whether the hash was stored by a release that is newer than this one and so cannot be compared. */
export function isOfNewerVersion(stored: string): boolean {
  return isVersioned(stored) && !stored.startsWith(version);
}

const isVersioned = (stored: string): boolean => anyVersion.test(stored);

function remembered<T extends object>(known: WeakMap<T, string>, object: T, make: () => string): string {
  const found = known.get(object);
  if (found !== undefined) return found;
  const made = make();
  known.set(object, made);
  return made;
}
