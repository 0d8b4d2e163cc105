/**
 * A page that shows commands with what they print, followed in a real shell word for word, as a reader would.
 * A block ```console holds `$ command`, further lines of it after `> `, and then what it prints; a line `…` stands for any
 * lines, `…` within a line for any text. Start with `Reader`.
 */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { programOf } from './programs.ts';
import { until } from './until.ts';

/** A command of a page with the output that it promises. */
export interface Step {
  readonly command: string;
  readonly output: readonly string[];
}

/** The steps of a page, in their order. */
export function stepsIn(text: string): readonly Step[] {
  const blocks = [...text.matchAll(/```console\n([\s\S]*?)```/g)].map(([, block = '']) => block.trimEnd());
  const found: { command: string; output: string[] }[] = [];
  for (const line of blocks.flatMap((block) => block.split('\n'))) {
    const last = found.at(-1);
    if (line.startsWith('$ ')) found.push({ command: line.slice(2), output: [] });
    else if (line.startsWith('> ') && last) last.command += `\n${line.slice(2)}`;
    else last?.output.push(line);
  }
  return found;
}

/** Ages and widths of columns differ from run to run. */
function plain(line: string): string {
  return line
    .replaceAll(/\s\d+[smh](\d+[smh])?(?=\s|$)/g, ' AGE')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

const literal = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);

/** Tells whether this is what the page promises. */
export function isAsPromised(seen: readonly string[], promised: readonly string[]): boolean {
  const pattern = promised.map((line) =>
    line === '…' ? '(?:.*\\n)*' : `${plain(line).split('…').map(literal).join('.*')}\\n`,
  );
  return new RegExp(`^${pattern.join('')}$`).test(seen.map((line) => `${plain(line)}\n`).join(''));
}

/** Commands that only look may run again until they print the expected text. */
const looks = /\b(get|status|plan|explain|describe)\b/;
/** Milliseconds that the first command may take: it may install. */
const installing = 120_000;
const mark = 'the command has ended';

/** Somebody who follows a page in a folder, in one shell, with the system running beside it. */
export class Reader {
  readonly #shell: ChildProcess;
  readonly #folder: string;
  readonly #said: string[] = [];
  #system: ChildProcess | undefined;
  #heard = '';
  #wake = (): void => {};

  constructor(folder: string) {
    this.#folder = folder;
    const kubectl = path.dirname(programOf('kubectl'));
    const env = { ...process.env, PATH: `${kubectl}:${process.env['PATH']}`, HOME: folder, KUBECONFIG: '' };
    this.#shell = spawn('bash', ['--norc'], { cwd: folder, env, stdio: ['pipe', 'pipe', 'inherit'] });
    this.#shell.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.#heard += text;
      this.#wake();
    });
    this.#shell.stdin?.write('shopt -s expand_aliases\n');
  }

  /** Starts what a page starts in a terminal of its own, and waits for the line that it promises. */
  async starts({ command, output }: Step): Promise<void> {
    const system = spawn('bash', ['-c', `exec bash -c ${JSON.stringify(command)}`], {
      cwd: this.#folder,
      detached: true,
    });
    this.#system = system;
    for (const stream of [system.stdout, system.stderr])
      stream?.on('data', (chunk: Buffer) => this.#said.push(chunk.toString()));
    const isReady = async (): Promise<boolean> => {
      if (system.exitCode !== null) throw new Error(`it ended: ${this.#said.join('')}`);
      return this.#said.join('').includes(output[0] ?? '');
    };
    await until(`${command} says ${output[0]}`, isReady, installing);
  }

  /** Does what a step says and sees what it promises. */
  async follows({ command, output }: Step): Promise<void> {
    let seen: readonly string[] = [];
    const look = async (): Promise<boolean> => {
      seen = await this.#types(command);
      return isAsPromised(seen, output);
    };
    const wrong = (): Error =>
      new Error(`$ ${command}\nthe page:\n${output.join('\n')}\nthe shell:\n${seen.join('\n')}`);
    if (looks.test(command)) {
      await until(command, look).catch(() => {
        throw wrong();
      });
    } else if (!(await look())) throw wrong();
  }

  async #types(command: string): Promise<readonly string[]> {
    this.#heard = '';
    this.#shell.stdin?.write(`{ ${command}\n} 2>&1 </dev/null; code=$?; echo; echo "${mark}"; (exit $code)\n`);
    while (!this.#heard.includes(mark)) await new Promise<void>((resolve) => (this.#wake = resolve));
    const text = this.#heard.slice(0, this.#heard.indexOf(mark)).trimEnd();
    return text === '' ? [] : text.split('\n');
  }

  /** Stops the system as a reader does, and answers with its exit code. */
  async stops(): Promise<number | null> {
    if (!this.#system) throw new Error('nothing was started');
    const ended = once(this.#system, 'exit') as Promise<[number | null]>;
    process.kill(Number(readFileSync(path.join(this.#folder, '.sluice/holder'), 'utf8')), 'SIGTERM');
    return (await ended)[0];
  }

  close(): void {
    this.#shell.kill();
    const { pid, exitCode } = this.#system ?? {};
    if (pid !== undefined && exitCode === null) process.kill(-pid, 'SIGKILL');
  }
}
