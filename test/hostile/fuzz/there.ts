/**
 * A run on the program itself: `sluice up` with simulated members and live controllers, over HTTPS. It looks for crashes,
 * hangs, unexplained 5xx and memory that does not come back, then restarts the hub on what the run left in its store.
 */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { accessIn, residentBytes } from '../access.ts';
import type { Access } from '../access.ts';
import { campaign, grouped, wordsOf } from './campaign.ts';
import { describe, figuresOf } from './here.ts';
import type { MemoryQuestion } from './memory-probe.ts';
import type { Result } from './here.ts';
import { sendOverTls } from './send.ts';
import type { Send, Wire } from './send.ts';
import { causeOf } from './verdict.ts';
import { cleanUp, furnish, inventory } from './world.ts';

interface Words {
  readonly seed: number;
  readonly from: number;
  readonly minutes: number;
  /** Minutes of rest before the memory is measured. */
  readonly rest: number;
  /** A folder for snapshots of the heap at the start and at the end. */
  readonly snapshots: string | undefined;
}

const memoryProbe = new URL('memory-probe.ts', import.meta.url).href;
const program = fileURLToPath(new URL('../../../bin/sluice.js', import.meta.url));
const startMilliseconds = 120_000;
/** Requests before the first reading of the memory: by then every rule of every kind is compiled. */
const warmUp = 10_000;

/** A hub as a process. */
class Built {
  readonly #folder: string;
  #child: ChildProcess | undefined;
  #wire: Wire | undefined;
  #said = '';
  readonly #errors = new Map<string, string>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  get said(): string {
    return this.#said;
  }

  get alive(): boolean {
    return this.#child?.exitCode === null && this.#child.signalCode === null;
  }

  readonly send: Send = (request) =>
    this.#wire?.send(request) ?? Promise.resolve({ status: 0, body: '', fault: 'the hub is not up' });

  #listen(line: string): void {
    this.#said = `${this.#said}${line}\n`.slice(-20_000);
    const text = wordsOfLine(line);
    this.#errors.set(causeOf(text), text);
  }

  /** The errors that the hub logged, one of each cause. */
  get errors(): readonly string[] {
    return [...this.#errors.values()].map((text) => `the hub logged: ${text}`);
  }

  async start(): Promise<void> {
    const kubeconfig = join(this.#folder, 'kubeconfig');
    await rm(kubeconfig, { force: true });
    const words = ['up', '--data-dir', join(this.#folder, 'data'), '--listen', '127.0.0.1:0', '--members', '2'];
    const flags = ['--expose-gc', '--import', memoryProbe];
    const log = ['--log-level', 'error', '--log-format', 'json'];
    const all = [...flags, program, ...words, '--kubeconfig', kubeconfig, ...log];
    this.#child = spawn(process.execPath, all, { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
    createInterface(this.#child.stderr as Readable).on('line', (line) => this.#listen(line));
    this.#wire = sendOverTls(await this.#access(kubeconfig));
  }

  /** The kubeconfig is written when everything is ready. */
  async #access(file: string): Promise<Access> {
    for (const end = Date.now() + startMilliseconds; Date.now() < end; await pause(100)) {
      if (!this.alive) break;
      const text = await readFile(file, 'utf8').catch(() => '');
      if (text) return accessIn(text);
    }
    throw new Error(`the hub did not start: ${this.#said}`);
  }

  /** Resident memory in bytes, as the kernel counts it. */
  async rss(): Promise<number> {
    return residentBytes(this.#child?.pid ?? 0);
  }

  /** The memory that is in use once all garbage is collected. */
  async memory(snapshot?: string): Promise<NodeJS.MemoryUsage> {
    if (!this.#child || !this.alive) throw new Error('the hub died');
    const answer = once(this.#child, 'message') as Promise<[NodeJS.MemoryUsage]>;
    this.#child.send({ measure: true, ...(snapshot && { snapshot }) } satisfies MemoryQuestion);
    return (await answer)[0];
  }

  async stop(): Promise<void> {
    this.#wire?.close();
    if (!this.alive || !this.#child) return;
    const exited = once(this.#child, 'exit');
    this.#child.kill('SIGTERM');
    await exited;
  }
}

/** A line of the log as text; what is no line of it, such as the last words of a crash, as it is. */
function wordsOfLine(line: string): string {
  try {
    const { message, path, error } = JSON.parse(line) as Readonly<Record<string, string>>;
    return `${message} ${path ?? ''}\n${error ?? ''}`;
  } catch {
    return line;
  }
}

/** Runs for so many minutes, cleans up, restarts, and sees whether a new template still reaches its member. */
export async function runOnHub(words: Words): Promise<Result> {
  const { seed, from, minutes } = words;
  const folder = await mkdtemp(join(tmpdir(), 'sluice-fuzz-'));
  const hub = new Built(folder);
  try {
    await hub.start();
    await furnish(hub.send);
    const before = await inventory(hub.send);
    await campaign(hub.send, { seed: seed + 1, from: 0, goesOn: (sent) => sent < warmUp, concurrency: 4 });
    await cleanUp(hub.send, before);
    const start = await memoryAtRest(hub, words, 'start');
    const end = Date.now() + minutes * 60_000;
    const began = performance.now();
    let shown = 0;
    const tally = await campaign(hub.send, {
      seed,
      from,
      goesOn: () => Date.now() < end && hub.alive,
      concurrency: 4,
      onProgress: (sent) => {
        if (sent - shown < 10_000) return;
        shown = sent;
        void hub.rss().then((rss) => console.log(`${sent} requests, RSS ${Math.round(rss / 1024 / 1024)} MB`));
      },
    });
    const seconds = (performance.now() - began) / 1000;
    const failures = grouped(tally.failures).map(
      ({ count, least }) => `${count} × ${least.why}\n${wordsOf(least.request)}`,
    );
    if (!hub.alive) failures.push(`the hub died: ${hub.said}`);
    failures.push(...(await canaryFaults(hub, 'before the cleanup')));
    // Controllers keep Works and events of their own there.
    const left = await described(
      hub.send,
      (await cleanUp(hub.send, before)).filter((path) => !path.includes('/namespaces/karmada-es-')),
    );
    const rest = await memoryAtRest(hub, words, 'end');
    await hub.stop();
    await hub.start();
    failures.push(...(await canaryFaults(hub, 'after the restart')), ...hub.errors);
    const memory = { rssStart: start.rss, rssEnd: rest.rss, heapStart: start.heapUsed, heapEnd: rest.heapUsed };
    const figures = { ...figuresOf({ seed, seconds, tally, failures, left }), ...memory };
    return { good: failures.length === 0, words: describe(figures), figures };
  } finally {
    await hub.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** The objects that could not be deleted, each with its beginning as it is stored. */
async function described(send: Send, paths: readonly string[]): Promise<readonly string[]> {
  const texts: string[] = [];
  for (const path of paths.slice(0, 10)) {
    const { body } = await send({ method: 'GET', path, query: '', headers: json });
    texts.push(`${path} ${body.slice(0, 1500)}`);
  }
  return texts;
}

/** The memory after a rest in which the hub drops the history that watches could resume from. */
async function memoryAtRest(hub: Built, { rest, snapshots }: Words, when: string): Promise<NodeJS.MemoryUsage> {
  await pause(rest * 60_000);
  return hub.memory(snapshots && join(snapshots, `${when}.heapsnapshot`));
}

const json = { 'content-type': 'application/json', accept: 'application/json' };

/** A template with a policy of its own, in a namespace of its own, must be on its member within a minute. */
async function canaryFaults({ send }: Pick<Built, 'send'>, when: string): Promise<readonly string[]> {
  const name = `canary-${when.replaceAll(' ', '-')}`;
  const post = (path: string, object: object): ReturnType<Send> =>
    send({ method: 'POST', path, query: '', headers: json, body: Buffer.from(JSON.stringify(object)) });
  await post('/api/v1/namespaces', { metadata: { name } });
  const selectors = [{ apiVersion: 'v1', kind: 'ConfigMap', name }];
  // Taints that the run has put on the member do not count.
  const placement = { clusterAffinity: { clusterNames: ['member1'] }, clusterTolerations: [{ operator: 'Exists' }] };
  await post(`/apis/policy.karmada.io/v1alpha1/namespaces/${name}/propagationpolicies`, {
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind: 'PropagationPolicy',
    metadata: { name },
    spec: { resourceSelectors: selectors, placement, priority: 1000 },
  });
  await post(`/api/v1/namespaces/${name}/configmaps`, { metadata: { name }, data: { alive: 'yes' } });
  const path = `/apis/work.karmada.io/v1alpha2/namespaces/${name}/resourcebindings/${name}-configmap`;
  let last = '';
  for (const end = Date.now() + 60_000; Date.now() < end; await pause(500)) {
    last = (await send({ method: 'GET', path, query: '', headers: json })).body;
    if (/"applied":true/.test(last)) return [];
  }
  // The conditions stand at the end.
  return [`a new template did not reach its member ${when}: ${last.slice(-1500)}`];
}
