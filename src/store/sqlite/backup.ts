import { parentPort, workerData } from 'node:worker_threads';
import { copyDatabase } from './copy.ts';

function outcome(): string | undefined {
  try {
    copyDatabase(workerData as { db: string; file: string });
    return undefined;
  } catch (error) {
    return `backup failed: ${(error as Error).message}`;
  }
}

const port = parentPort;
port?.postMessage(outcome());
