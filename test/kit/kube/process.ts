import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';

/** A program that runs. */
export interface Program {
  readonly pid: number;
  readonly exited: Promise<number>;
  /** The end of the program's output, for messages. */
  tail(): string;
  signal(name: NodeJS.Signals): void;
  /** Ends the program: SIGTERM, or the signal that is given. */
  stop(signal?: NodeJS.Signals): Promise<void>;
}

const stopMilliseconds = 10_000;
const tailCharacters = 4_000;

/** Starts a program; what it prints goes to a file, and its end is kept for messages. */
export function startProgram(file: string, args: readonly string[], log: string): Program {
  const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const lines = createWriteStream(log, { flags: 'a' });
  let tail = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      tail = (tail + text).slice(-tailCharacters);
      lines.write(text);
    });
  }
  let over = false;
  const exited = once(child, 'exit').then(([code]) => {
    over = true;
    lines.end();
    return (code as number | null) ?? -1;
  });
  return {
    pid: child.pid ?? 0,
    exited,
    tail: () => tail,
    signal: (name) => void child.kill(name),
    async stop(signal = 'SIGTERM') {
      if (over) return;
      child.kill(signal);
      const force = setTimeout(() => child.kill('SIGKILL'), stopMilliseconds);
      await exited;
      clearTimeout(force);
    },
  };
}

/** A port that nobody listens on now. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
