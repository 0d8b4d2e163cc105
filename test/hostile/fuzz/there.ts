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
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { accessIn, residentBytes } from '../access.ts';
import type { Access } from '../access.ts';
import { campaign, grouped, wordsOf } from './campaign.ts';
import { describe, figuresOf } from './here.ts';
import type { Result } from './here.ts';
import { sendOverTls } from './send.ts';
import type { Send, Wire } from './send.ts';
import { cleanUp, furnish, inventory } from './world.ts';

interface Words {
  readonly seed: number;
  readonly from: number;
  readonly minutes: number;
}

const program = fileURLToPath(new URL('../../../bin/sluice.js', import.meta.url));
const startMilliseconds = 120_000;

/** A hub as a process. */
class Built {
  readonly #folder: string;
  #child: ChildProcess | undefined;
  #wire: Wire | undefined;
  #said = '';

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

  async start(): Promise<void> {
    const kubeconfig = join(this.#folder, 'kubeconfig');
    await rm(kubeconfig, { force: true });
    const words = ['up', '--data-dir', join(this.#folder, 'data'), '--listen', '127.0.0.1:0', '--members', '2'];
    this.#child = spawn(process.execPath, [program, ...words, '--kubeconfig', kubeconfig, '--log-level', 'error'], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#said = (this.#said + text).slice(-20_000);
    });
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

  async stop(): Promise<void> {
    this.#wire?.close();
    if (!this.alive || !this.#child) return;
    const exited = once(this.#child, 'exit');
    this.#child.kill('SIGTERM');
    await exited;
  }
}

/** Runs for so many minutes, cleans up, restarts, and sees whether a new template still reaches its member. */
export async function runOnHub({ seed, from, minutes }: Words): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-fuzz-'));
  const hub = new Built(folder);
  try {
    await hub.start();
    await furnish(hub.send);
    const before = await inventory(hub.send);
    await campaign(hub.send, { seed: seed + 1, from: 0, goesOn: (sent) => sent < 2000, concurrency: 4 });
    await cleanUp(hub.send, before);
    const rssStart = await settledRss(hub);
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
    const left = (await cleanUp(hub.send, before)).filter((path) => !path.includes('/namespaces/karmada-es-'));
    const rssEnd = await settledRss(hub);
    await hub.stop();
    await hub.start();
    failures.push(...(await canaryFaults(hub, 'after the restart')));
    const memory = { rssStart, rssEnd, heapStart: 0, heapEnd: 0 };
    const figures = { ...figuresOf({ seed, seconds, tally, failures, left }), ...memory };
    return { good: failures.length === 0, words: describe(figures), figures };
  } finally {
    await hub.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Reads the memory until it no longer falls: garbage is collected when the process is idle. */
async function settledRss(hub: Built): Promise<number> {
  let least = await hub.rss();
  for (let calm = 0; calm < 15; calm++) {
    await pause(1000);
    const now = await hub.rss();
    if (now < least * 0.98) calm = 0;
    least = Math.min(least, now);
  }
  return least;
}

const json = { 'content-type': 'application/json', accept: 'application/json' };

/** A template with a policy of its own, in a namespace of its own, must be on its member within a minute. */
async function canaryFaults({ send }: Pick<Built, 'send'>, when: string): Promise<readonly string[]> {
  const name = `canary-${when.replaceAll(' ', '-')}`;
  const post = (path: string, object: object): ReturnType<Send> =>
    send({ method: 'POST', path, query: '', headers: json, body: Buffer.from(JSON.stringify(object)) });
  await post('/api/v1/namespaces', { metadata: { name } });
  const selectors = [{ apiVersion: 'v1', kind: 'ConfigMap', name }];
  const placement = { clusterAffinity: { clusterNames: ['member1'] } };
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
  return [`a new template did not reach its member ${when}: ${last.slice(0, 1500)}`];
}
