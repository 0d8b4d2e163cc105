/** The flags of a command, and where it reads and prints. */
export interface Invocation<Flags> {
  readonly flags: Flags;
  readonly io: Io;
}

/** Where a command reads and writes; tests give their own. */
export interface Io {
  /** Results. */
  readonly out: (text: string) => void;
  /** Progress, warnings and errors. */
  readonly err: (text: string) => void;
  /** The width of the terminal; undefined when results go elsewhere, and are then not cut. */
  readonly columns: number | undefined;
  /** Tells whether results may have colours. */
  readonly colour: boolean;
  /** Tells whether a person sees the progress. */
  readonly progress: boolean;
  /** Tells whether a person can be asked. */
  readonly interactive: boolean;
  readonly environment: NodeJS.ProcessEnv;
  readonly directory: string;
  readonly readInput: () => Promise<string>;
  /** Asks a question and returns the line that was typed. */
  readonly ask: (question: string) => Promise<string>;
  /** Ends when the user interrupts. */
  readonly interrupted: AbortSignal;
}

type Surroundings = Pick<NodeJS.Process, 'stdout' | 'stderr' | 'stdin' | 'env'>;

/** A stream that is not a terminal has no `isTTY` at all, whatever its type says. */
const isTerminal = (stream: { readonly isTTY?: boolean }): boolean => stream.isTTY === true;

/** The process itself. */
export function processIo({ stdout, stderr, stdin, env }: Surroundings = process): Io {
  const isDumb = env['TERM'] === 'dumb';
  // A reader that has seen enough (`| head`) closes the pipe; that is not an error.
  for (const stream of [stdout, stderr]) stream.on('error', leaveOnBrokenPipe);
  let interruption: AbortController | undefined;
  return {
    out: (text) => void stdout.write(text),
    err: (text) => void stderr.write(text),
    columns: isTerminal(stdout) && stdout.columns > 0 ? stdout.columns : undefined,
    colour: isTerminal(stdout) && !env['NO_COLOR'] && !isDumb,
    progress: isTerminal(stderr) && !isDumb,
    interactive: isTerminal(stdin) && isTerminal(stderr),
    environment: env,
    directory: process.cwd(),
    readInput: () => readAll(stdin),
    ask,
    get interrupted() {
      interruption ??= interruptible();
      return interruption.signal;
    },
  };
}

function leaveOnBrokenPipe(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') process.exit(process.exitCode ?? 0);
  throw error;
}

/** From now on the first Ctrl-C asks the command to stop at a good place; the second ends the process. */
function interruptible(): AbortController {
  const controller = new AbortController();
  process.once('SIGINT', () => controller.abort());
  return controller;
}

async function readAll(stream: NodeJS.ReadStream): Promise<string> {
  stream.setEncoding('utf8');
  let text = '';
  for await (const chunk of stream) text += String(chunk);
  return text;
}

async function ask(question: string): Promise<string> {
  const { createInterface } = await import('node:readline/promises');
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await lines.question(question);
  } catch (error) {
    // Interrupting a prompt leaves the cursor behind the question.
    process.stderr.write('\n');
    throw error;
  } finally {
    lines.close();
  }
}
