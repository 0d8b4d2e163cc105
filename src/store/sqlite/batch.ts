import type { Version } from '../version.ts';
import type { Row } from './rows.ts';

/** A batch as it goes to the writer: one block of bytes that changes hands, and flat lists; no objects to clone. */
export interface Batch {
  readonly keys: readonly string[];
  /** Four for each write: revision, created, deleted, length of its bytes. */
  readonly numbers: Float64Array<ArrayBuffer>;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** The parts of a version that are written. */
export type Packed = Pick<Version, 'key' | 'revision' | 'created' | 'deleted' | 'bytes'>;

/** Packs versions for the writer. */
export function pack(versions: readonly Packed[]): Batch {
  const numbers = new Float64Array(versions.length * 4);
  const bytes = new Uint8Array(versions.reduce((sum, version) => sum + version.bytes.length, 0));
  let end = 0;
  versions.forEach((version, i) => {
    numbers.set([version.revision, version.created, Number(version.deleted), version.bytes.length], i * 4);
    bytes.set(version.bytes, end);
    end += version.bytes.length;
  });
  return { keys: versions.map((version) => version.key), numbers, bytes };
}

/** The rows of a packed batch. */
export function* unpack({ keys, numbers, bytes }: Batch): Generator<Row> {
  let end = 0;
  for (const [i, key] of keys.entries()) {
    const [revision = 0, created = 0, deleted, length = 0] = numbers.subarray(i * 4, i * 4 + 4);
    yield { revision, key, created, deleted: deleted === 1, bytes: bytes.subarray(end, end + length) };
    end += length;
  }
}
