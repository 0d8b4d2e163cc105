import path from 'node:path';
import { Command } from 'commander';
import { restorable, restore } from '../../app/index.ts';
import type { BackupSummary } from '../../app/index.ts';
import type { Run } from '../commands.ts';
import { dryRunOption } from '../connect.ts';
import { agree, yesOption } from '../consent.ts';
import type { Io } from '../io.ts';
import { counted } from '../print/output.ts';

interface RestoreFlags {
  readonly dataDir: string;
  readonly yes?: boolean;
  readonly dryRun?: boolean;
}

/** `sluice restore` */
export function restoreCommand({ io }: Run): Command {
  return new Command('restore')
    .description(
      'Make the data directory of a hub from a backup. Refuses a directory that has a store, of a running hub for example, and a backup that is damaged or was made by a newer version. Shows what it will do and asks first. Nothing is deleted in members until `sluice resume removals`.',
    )
    .argument('<FILE>', 'a file that `sluice backup` wrote')
    .option('--data-dir <DIR>', 'the data directory to make', '.sluice')
    .addOption(yesOption())
    .addOption(dryRunOption('check the backup and the directory, print what would be done, and write nothing'))
    .addHelpText(
      'after',
      `
Examples:
  sluice restore hub.backup --data-dir /var/lib/sluice --dry-run
  sluice restore hub.backup --data-dir /var/lib/sluice
  sluice up --data-dir /var/lib/sluice
  sluice status                          what is there, and which removals wait
  sluice resume removals --dry-run       what would be deleted in members?
`,
    )
    .action((file: string, flags: RestoreFlags) => runRestore(file, flags, io));
}

async function runRestore(file: string, flags: RestoreFlags, io: Io): Promise<void> {
  const from = path.resolve(io.directory, file);
  const to = path.resolve(io.directory, flags.dataDir);
  const words = prospectText(restorable(from, to), file, flags.dataDir);
  if (flags.dryRun) return io.out(words);
  if (!flags.yes) io.err(words);
  await agree(io, flags, {
    question: `Restore ${file} into ${flags.dataDir}?`,
    why: 'members get the older state of the backup when the hub starts',
  });
  await restore(from, to);
  io.out(`Restored ${file} into ${flags.dataDir}. Removals are suspended until \`sluice resume removals\`.\n`);
}

/** Says what a restore does to the hub and to its members. */
function prospectText({ revision, objects, made, keys }: BackupSummary, file: string, dataDir: string): string {
  const when = made ? `, made at ${made}` : '';
  return `${file}: ${counted(objects, 'object')} at revision ${revision} and ${counted(keys, 'key file')}${when}.
A hub on ${dataDir} will have that state again. When it starts:
  - members get the content of that time for every object of the backup, also for objects that were deleted since
  - objects that were created since stay in members, unmanaged until they are applied again
  - nothing is deleted in members until \`sluice resume removals\`
`;
}
