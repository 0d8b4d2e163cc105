import { Command, CommanderError } from 'commander';
import { commandGroups, commands } from './commands.ts';
import { complete, completer } from './complete.ts';
import type { CommandEntry, Run } from './commands.ts';
import { exitCodeOf, lineOf, UsageError } from './failure.ts';
import { processIo } from './io.ts';
import type { Io } from './io.ts';
import { asksForHelp, commandFromShape, writtenShapes } from './shape.ts';
import type { CommandShape } from './shape.ts';
import { nearest } from './nearest.ts';
import { commandFirst } from './order.ts';
import { inOurSpelling } from './spellings.ts';

/** Runs the program with these arguments and answers with its exit code: 0 done, 1 failed, 2 wrong usage. */
export async function main(args: readonly string[], io: Io = processIo()): Promise<number> {
  if (args[0] === completer) {
    await complete(args.slice(1), io);
    return 0;
  }
  let code = 0;
  const run: Run = { io, exit: (wanted) => void (code = wanted) };
  const asked = inOurSpelling(asCommand(commandFirst(args)));
  const debug = asked.includes('--debug');
  try {
    checkCommand(asked);
    const program = await programFor(asked, run);
    await program.parseAsync([...asked], { from: 'user' });
    return code;
  } catch (error) {
    return reported(error, { io, debug });
  }
}

/** `sluice help plan` is `sluice plan --help`, and `sluice --version` is `sluice version`. */
function asCommand(args: readonly string[]): readonly string[] {
  if (args.length === 0) return ['--help'];
  if (args[0] === '--version') return ['version', ...args.slice(1)];
  return args[0] === 'help' ? [...args.slice(1), '--help'] : args;
}

/** A misspelt command is refused here, with the command that was probably meant. */
function checkCommand([called = '']: readonly string[]): void {
  const names = commands.map(({ name }) => name);
  if (called.startsWith('-') || called === '' || names.includes(called)) return;
  const near = nearest(called, names);
  throw new UsageError(`unknown command ${JSON.stringify(called)}${near ? `; did you mean ${near}?` : ''}`);
}

/** The program; of all commands only the one that is called is read. */
async function programFor(args: readonly string[], run: Run): Promise<Command> {
  const called = args.find((argument) => !argument.startsWith('-'));
  const told = asksForHelp(args) ? writtenShapes() : {};
  const program = quiet(new Command('sluice'), run.io)
    .description(
      'A multi-cluster control plane for Kubernetes in which a policy edit never surprises a running workload.',
    )
    .option('--debug', 'show where an error came from')
    .helpCommand(false)
    .enablePositionalOptions();
  for (const group of commandGroups) {
    for (const entry of commands)
      if (entry.group === group) program.addCommand(await shown(entry, called, { run, told }));
  }
  program.addHelpText('after', '\nRun `sluice COMMAND --help` for its arguments, flags and examples.\n');
  return program;
}

interface HelpSource {
  readonly run: Run;
  /** The descriptions of commands that are known without loading them. */
  readonly told: Readonly<Record<string, CommandShape>>;
}

async function shown(entry: CommandEntry, called: string | undefined, { run, told }: HelpSource): Promise<Command> {
  if (entry.name !== called) return new Command(entry.name).description(entry.summary).helpGroup(`${entry.group}:`);
  const shape = told[entry.name];
  const made = shape ? commandFromShape(entry.name, shape) : (await entry.load())(run);
  return quiet(made, run.io).helpGroup(`${entry.group}:`).option('--debug', 'show where an error came from');
}

/** Commander speaks through us, and throws instead of ending the process. */
function quiet(command: Command, io: Io): Command {
  return command
    .configureOutput({
      writeOut: (text) => io.out(text),
      writeErr: (text) => io.err(text),
      getOutHelpWidth: () => io.columns ?? 100,
      getErrHelpWidth: () => io.columns ?? 100,
      getOutHasColors: () => io.colour,
      getErrHasColors: () => io.colour,
      outputError: (text, write) => write(text.replace(/^error: /, 'sluice: ')),
    })
    .showSuggestionAfterError()
    .showHelpAfterError('(run with --help for the usage)')
    .exitOverride();
}

/** One line with the next step; the trace only when asked for. */
function reported(error: unknown, { io, debug }: { readonly io: Io; readonly debug: boolean }): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  io.err(`sluice: ${lineOf(error)}\n`);
  if (error instanceof UsageError) io.err('(run with --help for the usage)\n');
  if (debug && error instanceof Error) io.err(`${error.stack}${causes(error)}\n`);
  return exitCodeOf(error);
}

function causes(error: Error): string {
  return error.cause instanceof Error ? `\ncaused by ${error.cause.stack}${causes(error.cause)}` : '';
}
