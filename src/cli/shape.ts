import { Argument, Command, Option } from 'commander';
import { assetOf } from './assets.ts';

/**
 * The help of a command. `node tools/cli.ts` writes the shapes of all commands to a file, so that help need not load
 * the commands: the engine and the client take longer to load than everything else.
 */
export interface CommandShape {
  readonly description: string;
  readonly arguments: readonly ArgumentShape[];
  readonly options: readonly OptionShape[];
  /** The text that follows: examples. */
  readonly after: string;
}

interface ArgumentShape {
  readonly term: string;
  readonly description: string;
  readonly choices?: readonly string[];
}

interface OptionShape {
  readonly flags: string;
  readonly description: string;
  readonly default?: string | boolean;
  readonly choices?: readonly string[];
}

/** The shape of a command; `help` is all that it prints. */
export function shapeOf(command: Command, help: string): CommandShape {
  return {
    description: command.description(),
    arguments: command.registeredArguments.map((argument) => ({
      term: termOf(argument),
      description: argument.description,
      ...(argument.argChoices && { choices: argument.argChoices }),
    })),
    options: command.options.map(({ flags, description, defaultValue, argChoices }) => ({
      flags,
      description,
      ...(defaultValue !== undefined && { default: defaultValue as string | boolean }),
      ...(argChoices && { choices: argChoices }),
    })),
    // The caller that prints it ends it with a line feed of its own.
    after: help.slice(command.helpInformation().length).replace(/\n$/, ''),
  };
}

/** `<NAME>`, `[NAME]` or `<NAME...>`. */
function termOf(argument: Argument): string {
  const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
  return argument.required ? `<${name}>` : `[${name}]`;
}

/** A command that can tell its help and nothing else. */
export function commandFromShape(name: string, shape: CommandShape): Command {
  const command = new Command(name).description(shape.description).allowUnknownOption().allowExcessArguments();
  for (const { term, description, choices } of shape.arguments) {
    const argument = new Argument(term, description);
    if (choices) argument.argChoices = [...choices];
    command.addArgument(argument);
  }
  for (const { flags, description, choices, ...rest } of shape.options) {
    const option = new Option(flags, description);
    if (choices) option.argChoices = [...choices];
    if ('default' in rest) option.default(rest.default);
    command.addOption(option);
  }
  return command.addHelpText('after', shape.after);
}

/** Tells whether the arguments ask for help and nothing else. What follows a flag may be its value. */
export function asksForHelp(args: readonly string[]): boolean {
  return args.some((word, i) => (word === '--help' || word === '-h') && !args[i - 1]?.startsWith('-'));
}

/** The shapes that were written down, by the names of the commands. */
export function writtenShapes(): Readonly<Record<string, CommandShape>> {
  return assetOf(new URL('gen/shapes.json', import.meta.url)) as Readonly<Record<string, CommandShape>>;
}
