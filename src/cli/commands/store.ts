import { Argument, Command } from 'commander';
import { checkStore, salvage } from '../../app/index.ts';
import type { StoreLoss, StoreReport } from '../../app/index.ts';
import type { Run } from '../commands.ts';
import { agree, yesOption } from '../consent.ts';
import { Failure } from '../failure.ts';
import type { Io } from '../io.ts';
import { formatOption, printed } from '../print/output.ts';

interface StoreFlags {
  readonly dataDir: string;
  readonly yes?: boolean;
  readonly output: string;
}

/** `sluice store` */
export function storeCommand({ io, exit }: Run): Command {
  return new Command('store')
    .description(
      'Check the store of a stopped hub, or make a new store from the readable part of a damaged one. Prints what is lost. The damaged files are kept.',
    )
    .addArgument(new Argument('<ACTION>', 'what to do').choices(['check', 'salvage']))
    .option('--data-dir <DIR>', 'the data directory of the hub', '.sluice')
    .addOption(yesOption())
    .addOption(formatOption('text', 'json', 'yaml'))
    .addHelpText(
      'after',
      `
Exit codes: 0 the store is whole, or was salvaged; 1 it is damaged.

Examples:
  sluice store check
  sluice store salvage --data-dir /var/lib/sluice
`,
    )
    .action((action: 'check' | 'salvage', flags: StoreFlags) => {
      if (action === 'salvage') return salvageWithConsent(io, flags);
      const report = checkStore(flags.dataDir);
      if (!printed(io, flags.output, report)) io.out(reportText(report));
      if (report.losses.length > 0) exit(1);
      return undefined;
    });
}

async function salvageWithConsent(io: Io, flags: StoreFlags): Promise<void> {
  const report = checkStore(flags.dataDir);
  if (report.losses.length === 0)
    throw new Failure(`the store in ${flags.dataDir} is whole: there is nothing to salvage`);
  if (flags.output === 'text') io.out(reportText(report));
  await agree(io, flags, {
    question: `Make a store of the ${report.objects} objects that can be read?`,
    why: 'the objects above are lost, or go back to an older state',
  });
  const done = salvage(flags.dataDir);
  if (printed(io, flags.output, done)) return;
  io.out(`The store was salvaged. The damaged files are in ${done.aside}\n`);
  io.out('Removals are suspended until `sluice resume removals`.\n');
}

const outcomes: Readonly<Record<StoreLoss['lost'], string>> = {
  past: 'only a former state is lost',
  older: 'an older state is kept; an object that was deleted then is there again',
  all: 'lost',
};

function reportText({ revision, objects, losses }: StoreReport): string {
  const head = `${objects} objects can be read, up to revision ${revision}.\n`;
  if (losses.length === 0) return `The store is whole: ${head}`;
  const lines = losses.map(({ what, lost }) => `  ${what}: ${outcomes[lost]}\n`);
  return `The store is damaged. ${head}${lines.join('')}`;
}
