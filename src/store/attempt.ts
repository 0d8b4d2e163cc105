import { StoreError } from './contract.ts';
import type { Stampable, StoreWrite, Written } from './contract.ts';
import { bytesOf, Version } from './version.ts';

/** The version, unless it is a deletion. */
export function alive(version: Version): Version | undefined {
  return version.deleted ? undefined : version;
}

/** Why a write cannot be, after what is there. */
export function refusalOf(write: StoreWrite, current: Version | undefined): StoreError | undefined {
  if (write.verb === 'delete' && !current) return new StoreError('conflict', `${write.key} does not exist`);
  if (write.revision === undefined || write.revision === (current?.revision ?? 0)) return undefined;
  if (!current)
    return new StoreError('conflict', `${write.key} does not exist, revision ${write.revision} was expected`);
  const expected = write.revision === 0 ? 'was expected not to exist' : `was expected at revision ${write.revision}`;
  return new StoreError('conflict', `${write.key} is at revision ${current.revision} and ${expected}`);
}

/** What a write makes of what is there. */
export function versionOf(write: StoreWrite, revision: number, current: Version | undefined): Version {
  const { key, value } = write;
  if (!key.isWellFormed()) throw new TypeError('a key must be well-formed text: no file could hold it');
  const created = current?.created ?? revision;
  const deleted = write.verb === 'delete';
  if (value === undefined) {
    const bytes = current?.bytes ?? Buffer.from('null');
    return new Version({ key, revision, created, bytes, recipe: current?.recipe }, deleted);
  }
  const made = valueOf(value, revision, current);
  const { text, recipe }: Written = write.text ? write.text(made) : { text: JSON.stringify(made) };
  return new Version({ key, revision, created, bytes: bytesOf(text), value: made, recipe }, deleted);
}

function valueOf(value: Stampable, revision: number, current: Version | undefined): object {
  return typeof value === 'function' ? value(revision, current) : value;
}
