import { Command, CommanderError } from 'commander';
import { SetupError } from '../app/index.ts';
import { commands } from './commands.ts';

/** Runs the program with these arguments and answers with its exit code: 0 done, 1 failed, 2 wrong usage. */
export async function main(args: readonly string[]): Promise<number> {
  const program = new Command('sluice')
    .description(
      'A multi-cluster control plane for Kubernetes in which a policy edit never surprises a running workload.',
    )
    .option('--debug', 'show where an error came from')
    .showSuggestionAfterError()
    .showHelpAfterError('(run with --help for what there is)')
    .exitOverride()
    .enablePositionalOptions();
  let code = 0;
  for (const command of commands) program.addCommand(command((exit) => void (code = exit)).exitOverride());
  try {
    await program.parseAsync(args, { from: 'user' });
    return code;
  } catch (error) {
    return failureCode(error, program.opts<{ debug?: boolean }>().debug === true);
  }
}

/** One line with the next step; the trace only when asked for. */
function failureCode(error: unknown, debug: boolean): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(`sluice: ${message}\n`);
  if (debug || !(error instanceof SetupError)) process.stderr.write(debug ? `${(error as Error).stack}\n` : '');
  return 1;
}
