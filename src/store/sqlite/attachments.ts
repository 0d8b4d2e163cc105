import { lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import { damaged, naming } from './fault.ts';
import { persist } from './files.ts';
import { numberOf } from './format.ts';

/** A file of the data directory that a backup carries beside the log: keys, for example. */
export interface Attachment {
  /** The path in the data directory: `pki/ca.key`. */
  readonly name: string;
  readonly content: Uint8Array;
}

/** When a backup was made, and what it carries beside the log. */
export interface BackupLabel {
  /** RFC 3339; empty when the backup does not say. */
  readonly made: string;
  readonly attachments: readonly Attachment[];
}

/** One folder and one name: a backup can write to no other place. */
const form = /^[a-z][a-z0-9-]*\/[a-z0-9][a-z0-9._-]*$/i;

/** Reads the files of some folders of a data directory; a folder that is missing has none. */
export function attachmentsIn(dataDir: string, folders: readonly string[]): readonly Attachment[] {
  return folders.flatMap((folder) => {
    const whole = join(dataDir, folder);
    if (!lstatSync(whole, { throwIfNoEntry: false })?.isDirectory()) return [];
    const names = readdirSync(whole).map((name) => `${folder}/${name}`);
    return names
      .filter((name) => form.test(name) && lstatSync(join(dataDir, name)).isFile())
      .sort()
      .map((name) => ({ name, content: readFileSync(join(dataDir, name)) }));
  });
}

/** Writes a label into a copy of a database. */
export function writeLabel(db: DatabaseSync, { made, attachments }: BackupLabel): void {
  db.exec(`
    CREATE TABLE backup (made TEXT NOT NULL) STRICT;
    CREATE TABLE attachment (name TEXT PRIMARY KEY, content BLOB NOT NULL, crc INTEGER NOT NULL) STRICT;
  `);
  db.prepare('INSERT INTO backup VALUES (?)').run(made);
  const insert = db.prepare('INSERT INTO attachment VALUES (?, ?, ?)');
  for (const attachment of attachments) insert.run(attachment.name, attachment.content, checksum(attachment));
}

function checksum({ name, content }: Attachment): number {
  return crc32(content, crc32(`${name}\n`));
}

/** Reads the label of a backup and compares every checksum; a backup without a label carries nothing. */
export function readLabel(db: DatabaseSync, file: string): BackupLabel {
  return naming(file, () => {
    if (!hasLabel(db)) return { made: '', attachments: [] };
    const made = db.prepare('SELECT made FROM backup').get()?.['made'];
    const rows = db.prepare('SELECT name, content, crc FROM attachment ORDER BY name').all();
    return { made: String(made ?? ''), attachments: rows.map((row) => attachmentOf(row, file)) };
  });
}

function attachmentOf(row: Readonly<Record<string, unknown>>, file: string): Attachment {
  const { name, content, crc } = row;
  if (typeof name !== 'string' || !form.test(name) || !(content instanceof Uint8Array))
    throw damaged(file, 'a file that it carries is unreadable');
  const attachment = { name, content };
  if (checksum(attachment) !== crc) throw damaged(file, `${name} in it does not match its checksum`);
  return attachment;
}

/** Takes the label out of a copy that becomes a store; no page of the database keeps a key. */
export function dropLabel(db: DatabaseSync): void {
  db.exec('PRAGMA secure_delete = ON; DROP TABLE IF EXISTS attachment; DROP TABLE IF EXISTS backup');
}

function hasLabel(db: DatabaseSync): boolean {
  return numberOf(db, "SELECT count(*) FROM sqlite_schema WHERE name IN ('backup', 'attachment')") === 2;
}

/** Refuses a data directory in which a file of the same name says something else. */
export function requireSame(dataDir: string, attachments: readonly Attachment[]): void {
  for (const { name, content } of attachments) {
    const file = join(dataDir, name);
    if (!lstatSync(file, { throwIfNoEntry: false })) continue;
    if (Buffer.compare(readFileSync(file), content) !== 0)
      throw new Error(`${file} exists already, differs from the backup and is not overwritten: move it away`);
  }
}

/** Puts the files into a data directory, for its owner alone, and makes them survive a loss of power. */
export function writeAttachments(dataDir: string, attachments: readonly Attachment[]): void {
  requireSame(dataDir, attachments);
  for (const { name, content } of attachments) {
    const file = join(dataDir, name);
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(file, content, { mode: 0o600 });
    persist(file);
    persist(dirname(file));
  }
}
