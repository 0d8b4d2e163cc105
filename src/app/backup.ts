import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { removalsRef } from '../api/index.ts';
import { timestamp } from '../base/index.ts';
import { objectKey } from '../apiserver/index.ts';
import { backupStore, readBackup, requireRestorable, restoreStore, salvageStore } from '../store/index.ts';
import type { BackupContent, RestoredWrite } from '../store/index.ts';

/** The summary of a backup for people. */
export interface BackupSummary extends Pick<BackupContent, 'revision' | 'objects' | 'made'> {
  /** How many files of keys and certificates it carries. */
  readonly keys: number;
  /** Whether the data directory has simulated members, whose data is not part of a backup. */
  readonly hasMembers: boolean;
}

/** Without the keys of the hub, kubeconfigs and tokens would not be valid after a restore. */
const folders = ['pki'];

/** Copies the store and the keys of a hub to one file, while the hub runs or not. */
export function backup(dataDir: string, file: string): BackupSummary {
  const content = backupStore(dataDir, file, { made: timestamp(Date.now()), folders });
  return summaryOf(content, dataDir);
}

/** Reads a backup and throws when it cannot be restored into this data directory; changes nothing. */
export function restorable(file: string, dataDir: string): BackupSummary {
  const content = readBackup(file);
  requireRestorable(dataDir, content.attachments);
  return summaryOf(content, dataDir);
}

/** Makes the data directory of a hub from a backup, with all removals suspended. */
export async function restore(file: string, dataDir: string): Promise<void> {
  const { made } = readBackup(file);
  const reason = `the hub was restored from a backup${made && ` of ${made}`}, and members may have what it does not know`;
  await restoreStore(file, dataDir, [suspendedRemovals(reason)]);
}

/** Makes a store of all that can be read of a damaged one, with all removals suspended: what is lost may run in members. */
export function salvage(dataDir: string): ReturnType<typeof salvageStore> {
  const reason = 'the store was salvaged, and members may have what it has lost';
  return salvageStore(dataDir, [suspendedRemovals(reason)]);
}

/** The ConfigMap that suspends removals, as the hub stores it. */
function suspendedRemovals(reason: string): RestoredWrite {
  const { namespace, name, ...kind } = removalsRef;
  const since = timestamp(Date.now());
  const metadata = { name, namespace, uid: randomUUID(), creationTimestamp: since };
  return {
    key: objectKey({ group: '', plural: 'configmaps' }, namespace, name),
    value: (revision) => ({
      ...kind,
      metadata: { ...metadata, resourceVersion: String(revision) },
      data: { reason, since },
    }),
  };
}

function summaryOf({ revision, objects, made, attachments }: BackupContent, dataDir: string): BackupSummary {
  const hasMembers = existsSync(path.join(dataDir, 'members'));
  return { revision, objects, made, keys: attachments.length, hasMembers };
}
