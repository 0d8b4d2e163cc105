import path from 'node:path';
import { Command } from 'commander';
import { backup } from '../../app/index.ts';
import type { Run } from '../commands.ts';
import { counted } from '../print/output.ts';

interface BackupFlags {
  readonly dataDir: string;
}

/** `sluice backup` */
export function backupCommand({ io }: Run): Command {
  return new Command('backup')
    .description(
      'Copy the state and the keys of a hub to one file, while it runs or not. Runs on the machine of the hub. The file is readable for you alone: it contains every Secret, and keys with which all of the hub can be changed.',
    )
    .argument('<FILE>', 'where to write the backup; a file that exists is not overwritten')
    .option('--data-dir <DIR>', 'the data directory of the hub', '.sluice')
    .addHelpText(
      'after',
      `
Objects that members run, and the data of simulated members, are not part of a backup.

Examples:
  sluice backup hub.backup
  sluice backup /backups/hub-$(date +%F).backup --data-dir /var/lib/sluice
`,
    )
    .action((file: string, { dataDir }: BackupFlags) => {
      const from = path.resolve(io.directory, dataDir);
      const { revision, objects, keys, hasMembers } = backup(from, path.resolve(io.directory, file));
      const what = `${counted(objects, 'object')} at revision ${revision} and ${counted(keys, 'key file')}`;
      io.out(`Backed up ${what} to ${file}.\n`);
      io.err(`note: ${file} contains Secrets and the keys of the hub: store it in a safe place\n`);
      if (hasMembers)
        io.err(`note: the data of simulated members (${path.join(dataDir, 'members')}) is not part of it\n`);
    });
}
