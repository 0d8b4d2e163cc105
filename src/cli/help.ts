import type { Command } from 'commander';
import { commands } from './commands.ts';
import type { CommandEntry, CommandGroup, Run } from './commands.ts';
import { shapeOf } from './shape.ts';
import type { CommandShape } from './shape.ts';

/** The description of a command for the page of commands and for completion. */
export interface CommandPage {
  readonly name: string;
  readonly group: CommandGroup;
  readonly summary: string;
  /** The whole help, as `--help` prints it. */
  readonly help: string;
  /** Long flags. */
  readonly flags: readonly string[];
  readonly shape: CommandShape;
}

/** Every command as its help tells it. */
export async function commandPages(run: Run): Promise<readonly CommandPage[]> {
  return Promise.all(
    commands.map(async (entry) => {
      const { name, group, summary } = entry;
      const command = (await madeWithNeeds(entry, run)).exitOverride();
      let help = '';
      command.configureOutput({
        writeOut: (text) => void (help += text),
        getOutHelpWidth: () => 100,
        getOutHasColors: () => false,
      });
      command.outputHelp();
      const flags = command.options.map(({ long }) => long ?? '').filter((flag) => flag !== '');
      return { name, group, summary, help: named(help), flags, shape: shapeOf(command, help) };
    }),
  );
}

/** A command whose help ends with the least permissions that it needs. */
export async function madeWithNeeds({ needs, load }: CommandEntry, run: Run): Promise<Command> {
  const make = await load();
  const command = make(run);
  return needs ? command.addHelpText('after', `\nLeast permissions: ${needs}.`) : command;
}

/** A command that stands alone does not know the name of its program. */
function named(help: string): string {
  return help.replace(/^Usage: /, 'Usage: sluice ');
}
