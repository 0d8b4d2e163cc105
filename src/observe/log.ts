import { pino, stdTimeFunctions } from 'pino';
import type { Logger as PinoLogger } from 'pino';

/** The levels of a log, the most detailed first. */
export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'silent';
/** The formats of a log. */
export type LogFormat = 'pretty' | 'json';

/** The fields of a log line besides its message. */
export interface LogFields {
  /** The object that the line is about, as its key. */
  readonly object?: string;
  /** Why something was done or not done: one of the documented reasons. */
  readonly because?: string;
  readonly error?: unknown;
  readonly [field: string]: unknown;
}

/** Writes lines; a logger made by `with` adds its fields to each of them. */
export interface Logger {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  /** Tells whether a line of this level would be written. For lines that cost something to make. */
  writes(level: Exclude<LogLevel, 'silent'>): boolean;
  with(fields: LogFields): Logger;
}

/** The options of a logger. */
export interface LogOptions {
  readonly level?: LogLevel;
  readonly format?: LogFormat;
  /** Where lines go; standard error unless told otherwise, because standard output belongs to the command. */
  readonly write?: (line: string) => void;
  /** In pretty lines only. */
  readonly colour?: boolean;
}

/** Makes the logger of a process. */
export function createLogger(options: LogOptions = {}): Logger {
  const write = options.write ?? ((line: string) => void process.stderr.write(line));
  const pretty = options.format !== 'json';
  const colour = options.colour ?? (options.write === undefined && process.stderr.isTTY);
  const root = pino(
    {
      level: options.level ?? 'info',
      base: null,
      messageKey: 'message',
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    { write: pretty ? (line: string) => write(prettyLine(line, colour)) : write },
  );
  return loggerOf(root);
}

/** Writes nothing. */
export const silentLogger: Logger = createLogger({ level: 'silent', format: 'json', write: () => {} });

function loggerOf(target: PinoLogger): Logger {
  const at =
    (level: 'debug' | 'info' | 'warn' | 'error') =>
    (message: string, fields?: LogFields): void => {
      if (!target.isLevelEnabled(level)) return;
      if (fields) target[level](shown(fields), message);
      else target[level](message);
    };
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    writes: (level) => target.isLevelEnabled(level),
    with: (fields) => loggerOf(target.child(shown(fields))),
  };
}

function shown(fields: LogFields): object {
  return fields.error === undefined ? fields : { ...fields, error: errorText(fields.error) };
}

/** An expected failure is its message; the stack is for those that nobody expected. */
function errorText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const unexpected = error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError;
  const text = unexpected ? (error.stack ?? error.message) : error.message;
  const cause = error.cause === undefined ? '' : errorText(error.cause);
  // Many say in their own words what caused them.
  return text.endsWith(cause) ? text : `${text}: ${cause}`;
}

const colours: Readonly<Record<string, number>> = { trace: 90, debug: 90, info: 36, warn: 33, error: 31, fatal: 31 };

/** A line of JSON as people read it: `12:34:56.789 INFO  claimed  object=… because=Elected`. */
function prettyLine(line: string, colour: boolean): string {
  let parsed: Record<string, unknown>;
  try {
    parsed = JSON.parse(line) as Record<string, unknown>;
  } catch {
    return line;
  }
  const { level, time, message, ...fields } = parsed;
  const name = textOf(level);
  const paint = (code: number, text: string): string => (colour ? `\u001b[${code}m${text}\u001b[0m` : text);
  const head = `${paint(90, textOf(time).slice(11, 23))} ${paint(colours[name] ?? 0, name.toUpperCase().padEnd(5))}`;
  const tail = Object.entries(fields).map(([key, value]) => `${paint(90, `${key}=`)}${quoted(textOf(value))}`);
  return `${[head, textOf(message), ...tail].join(' ')}\n`;
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === undefined ? '' : JSON.stringify(value);
}

function quoted(text: string): string {
  return /^[^\s"]+$/.test(text) ? text : JSON.stringify(text);
}
