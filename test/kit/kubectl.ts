/**
 * kubectl as people use it: real programs of several versions, each with a home, a cache and a namespace of its own.
 * Nothing is parsed or retried here; what a command says is what the test sees. Start with `Kubectl`.
 */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunningHub } from './hub.ts';
import { programOf } from './programs.ts';

/** The oldest that we promise, two in between and the newest. */
export const kubectlVersions = ['1.27', '1.29', '1.31', '1.33'] as const;

/** One of the versions that are tried. */
export type KubectlVersion = (typeof kubectlVersions)[number];

/** How a command ended. */
export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** The options of a command beside its words. */
export interface Extras {
  /** The text that it reads from `-`. */
  readonly input?: string;
  /** Words that are taken as they are, after the others. */
  readonly more?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** A command that goes on until it is ended. */
export interface Running {
  /** Resolves when its output has the text, and fails if it ends before. */
  says(text: string): Promise<string>;
  /** Resolves with the exit code when it ends by itself. */
  ends(): Promise<number | null>;
  stop(): Promise<void>;
}

/** Milliseconds after which something that was to be said never will be. */
const longestWait = 30_000;

/** The words of a command line; single quotes hold blanks together. */
function wordsOf(line: string): readonly string[] {
  return Array.from(line.matchAll(/(?:'[^']*'|[^\s'])+/g), ([word]) => word.replaceAll("'", ''));
}

/** kubectl of one version, at home in one namespace. */
export class Kubectl {
  /** Where it reads and writes files. */
  readonly folder: string;
  readonly namespace: string;
  readonly #version: string;
  readonly #kubeconfig: string;

  private constructor(version: string, hub: RunningHub, namespace: string) {
    this.folder = join(hub.folder, namespace);
    this.namespace = namespace;
    this.#version = version;
    this.#kubeconfig = hub.kubeconfig;
  }

  /** A fresh namespace and folder, both called after the story and the version. */
  static async open(hub: RunningHub, version: string, story: string): Promise<Kubectl> {
    const made = new Kubectl(version, hub, `${story}-${version.replace('.', '-')}`);
    await mkdir(made.folder);
    await made.does(`create namespace ${made.namespace}`);
    return made;
  }

  /** Writes a file into its folder; objects as JSON, which is YAML too. */
  async file(name: string, content: string | object, mode = 0o644): Promise<void> {
    const text = typeof content === 'string' ? content : JSON.stringify(content);
    await writeFile(join(this.folder, name), text, { mode });
  }

  /** Runs a command that should succeed and returns what it printed. */
  async does(line: string, extras: Extras = {}): Promise<string> {
    const { code, out, err } = await this.tries(line, extras);
    if (code !== 0) throw new Error(`kubectl ${line}: exit ${code}\n${err}${out}`);
    return out;
  }

  /** Runs a command that should fail with exit code 1 and returns its complaint. */
  async fails(line: string, extras: Extras = {}): Promise<string> {
    const { code, out, err } = await this.tries(line, extras);
    if (code !== 1) throw new Error(`kubectl ${line}: exit ${code}, but should fail\n${err}${out}`);
    return err.trimEnd();
  }

  /** Runs a command to its end. */
  async tries(line: string, extras: Extras = {}): Promise<Ran> {
    const child = this.#spawn(line, extras);
    let out = '';
    let err = '';
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (out += text));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (err += text));
    const [code] = (await once(child, 'close')) as [number | null];
    return { code: code ?? -1, out, err };
  }

  /** Starts a command that goes on. */
  starts(line: string): Running {
    const child = this.#spawn(line, {});
    let output = '';
    let heard = (): void => {};
    const hear = (text: string): void => {
      output += text;
      heard();
    };
    child.stdout?.setEncoding('utf8').on('data', hear);
    child.stderr?.setEncoding('utf8').on('data', hear);
    const closed = once(child, 'close') as Promise<[number | null]>;
    return {
      ends: () => closed.then(([code]) => code),
      says: (text) =>
        new Promise((resolve, reject) => {
          const missing = (): void => reject(new Error(`kubectl ${line} did not say "${text}":\n${output}`));
          const patience = setTimeout(missing, longestWait);
          heard = () => {
            if (!output.includes(text)) return;
            clearTimeout(patience);
            resolve(output);
          };
          void closed.then(missing);
          heard();
        }),
      async stop() {
        child.kill();
        await closed;
      },
    };
  }

  #spawn(line: string, { input = '', more = [], env = {} }: Extras): ChildProcess {
    const own = ['--kubeconfig', this.#kubeconfig, '--namespace', this.namespace];
    const child = spawn(programOf(`kubectl.${this.#version}`), [...own, ...wordsOf(line), ...more], {
      cwd: this.folder,
      env: { PATH: process.env['PATH'] ?? '', HOME: this.folder, KUBECACHEDIR: join(this.folder, '.cache'), ...env },
    });
    // A command that does not read what it is given is free to end early.
    child.stdin?.on('error', () => {}).end(input);
    return child;
  }
}
