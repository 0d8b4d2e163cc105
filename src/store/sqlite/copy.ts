import { DatabaseSync } from 'node:sqlite';
import { makePrivateFile } from '../private.ts';
import { discard, publish } from './files.ts';

/** A copy of a database that is to be made. */
export interface Copy {
  readonly db: string;
  readonly file: string;
  /** Called with the name of the copy before it gets its own name; the copy is discarded when this throws. */
  readonly complete?: (unfinished: string) => void;
}

/** Copies the database as of this moment; writers go on, because a reader of a write-ahead log does not stop them. */
export function copyDatabase({ db, file, complete }: Copy): void {
  const unfinished = `${file}.unfinished`;
  discard(unfinished);
  try {
    makePrivateFile(unfinished);
    const source = new DatabaseSync(db, { readOnly: true, timeout: 5000 });
    try {
      source.prepare('VACUUM INTO ?').run(unfinished);
    } finally {
      source.close();
    }
    complete?.(unfinished);
    publish(unfinished, file);
  } finally {
    discard(unfinished);
  }
}
