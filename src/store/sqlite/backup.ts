import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { makePrivateFile } from '../private.ts';
import { discard, publish } from './files.ts';

/** Copies the database as of this moment; writers go on, because a reader of a write-ahead log does not stop them. */
function copy({ db, file }: { readonly db: string; readonly file: string }): void {
  const unfinished = `${file}.unfinished`;
  discard(unfinished);
  const source = new DatabaseSync(db, { readOnly: true, timeout: 5000 });
  try {
    makePrivateFile(unfinished);
    source.prepare('VACUUM INTO ?').run(unfinished);
    publish(unfinished, file);
  } finally {
    source.close();
    discard(unfinished);
  }
}

function outcome(): string | undefined {
  try {
    copy(workerData as { db: string; file: string });
    return undefined;
  } catch (error) {
    return `backup failed: ${(error as Error).message}`;
  }
}

const port = parentPort;
port?.postMessage(outcome());
