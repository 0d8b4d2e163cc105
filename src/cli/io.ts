/** Where a command reads and writes; tests give their own. */
export interface Io {
  /** Results. */
  readonly out: (text: string) => void;
  /** Progress, warnings and errors. */
  readonly err: (text: string) => void;
  /** The width of the terminal; undefined when results go elsewhere, and are then not cut. */
  readonly columns: number | undefined;
  /** May results be coloured? */
  readonly colour: boolean;
  /** Is there somebody to show progress to? */
  readonly progress: boolean;
  /** Can a person be asked? */
  readonly interactive: boolean;
  readonly environment: NodeJS.ProcessEnv;
  readonly directory: string;
  readonly readInput: () => Promise<string>;
  /** Asks a question and returns the line that was typed. */
  readonly ask: (question: string) => Promise<string>;
  /** Ends when the user interrupts. */
  readonly interrupted: AbortSignal;
}

/** The process itself. */
export function processIo(): Io {
  const { stdout, stderr, stdin, env } = process;
  // A reader that has seen enough (`| head`) closes the pipe; that is no error of ours.
  for (const stream of [stdout, stderr]) stream.on('error', leaveOnBrokenPipe);
  let interruption: AbortController | undefined;
  return {
    out: (text) => void stdout.write(text),
    err: (text) => void stderr.write(text),
    columns: stdout.isTTY && stdout.columns > 0 ? stdout.columns : undefined,
    colour: stdout.isTTY && !env['NO_COLOR'] && env['TERM'] !== 'dumb',
    progress: stderr.isTTY && env['TERM'] !== 'dumb',
    interactive: stdin.isTTY && stderr.isTTY,
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
  } finally {
    lines.close();
  }
}
