/**
 * A live `sluice up`, and a browser in front of its dashboard. Nothing stands in for a part: the program is started as
 * users start it.
 */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import axe from 'axe-core';
import { chromium } from 'playwright-core';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { KubeObject } from '../../src/api/index.ts';
import { connectTo } from '../../src/cli/connect.ts';
import type { ApiClient } from '../../src/client/index.ts';
import { contextOf, readKubeconfig } from '../../src/client/index.ts';
import { sluice } from '../cli/kit.ts';

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** The browser of this machine. */
export async function openBrowser(): Promise<Browser> {
  const executablePath = process.env['CHROMIUM'] ?? places.find((place) => existsSync(place));
  if (executablePath === undefined)
    throw new Error('no browser: install chromium (apt-get install chromium), or name one with CHROMIUM');
  return chromium.launch({ executablePath, args: ['--no-sandbox'] });
}

const program = path.join(import.meta.dirname, '../../bin/sluice.js');

/** A system that runs in a process of its own. */
export class LiveSystem {
  readonly folder: string;
  #child: ChildProcess | undefined;
  #port = '0';
  #hubPort = '0';
  url = '';
  link = '';

  constructor(folder: string) {
    this.folder = folder;
  }

  get kubeconfig(): string {
    return path.join(this.folder, 'data/kubeconfig');
  }

  /** Starts it, at the addresses of before if it ran already. */
  async start(): Promise<void> {
    const child = spawn(
      process.execPath,
      [
        program,
        'up',
        '--data-dir',
        path.join(this.folder, 'data'),
        '--listen',
        `127.0.0.1:${this.#hubPort}`,
        '--dashboard',
        `127.0.0.1:${this.#port}`,
      ],
      { cwd: this.folder, stdio: ['ignore', 'pipe', 'inherit'] },
    );
    this.#child = child;
    const said = await firstScreen(child);
    this.link = /Dashboard: (\S+)/.exec(said)?.[1] ?? '';
    this.url = new URL(this.link).origin;
    this.#port = new URL(this.link).port;
    this.#hubPort = /https:\/\/127\.0\.0\.1:(\d+)/.exec(said)?.[1] ?? '0';
  }

  async stop(): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    await ended;
  }

  async close(): Promise<void> {
    await this.stop();
    await rm(this.folder, { recursive: true, force: true });
  }

  /** Runs a command of the program against it. */
  async run(...args: readonly string[]): Promise<string> {
    const { code, out, err } = await sluice([...args, '--kubeconfig', this.kubeconfig], { directory: this.folder });
    if (code !== 0 && code !== 3) throw new Error(`sluice ${args.join(' ')}: ${err}`);
    return out;
  }

  /** Works with the hub as its administrator. */
  async asAdministrator<T>(work: (client: ApiClient) => Promise<T>): Promise<T> {
    const { connection } = contextOf(await readKubeconfig([this.kubeconfig]));
    const { client } = await connectTo(connection, { timeout: '30s' });
    try {
      return await work(client);
    } finally {
      await client.close();
    }
  }

  /** Creates objects. */
  create(...objects: readonly KubeObject[]): Promise<void> {
    return this.asAdministrator(async (client) => {
      for (const object of objects) await client.create(object);
    });
  }

  /** A token of a new service account to which a cluster role is bound, everywhere or in one namespace. */
  async tokenOf(name: string, role: string, namespace?: string): Promise<string> {
    const kind = namespace === undefined ? 'ClusterRoleBinding' : 'RoleBinding';
    await this.create({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace: 'default' } }, {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind,
      metadata: { name, ...(namespace !== undefined && { namespace }) },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role },
      subjects: [{ kind: 'ServiceAccount', name, namespace: 'default' }],
    } as KubeObject);
    return this.asAdministrator(async (client) => {
      const { body } = await client.raw({
        method: 'POST',
        path: `/api/v1/namespaces/default/serviceaccounts/${name}/token`,
        headers: { accept: 'application/json', 'content-type': 'application/json' },
        body: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} },
      });
      return (body as { status: { token: string } }).status.token;
    });
  }
}

/** Resolves with what the program says when it is ready. */
function firstScreen(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      said += String(chunk);
      if (said.includes('Stop with Ctrl-C')) resolve(said);
    });
    child.once('exit', (code) => reject(new Error(`sluice up ended with ${code}: ${said}`)));
  });
}

/** Starts a whole system. */
export async function liveSystem(): Promise<LiveSystem> {
  const system = new LiveSystem(await mkdtemp(path.join(tmpdir(), 'sluice-browser-')));
  await system.start();
  return system;
}

/** A person at the dashboard: a browser without a past, at the size of a small laptop. */
export async function visit(
  browser: Browser,
  dark = false,
): Promise<{ readonly context: BrowserContext; readonly page: Page; readonly faults: string[] }> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    colorScheme: dark ? 'dark' : 'light',
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    // Chromium itself styles text that replaces a selection in the editor; the policy of the page refuses that, as it should.
    const isEditing = page.url().endsWith('/plan') && message.text().includes('Applying inline style');
    if (message.type() === 'error' && !isEditing && !/Failed to load resource|EventSource/.test(message.text()))
      faults.push(message.text());
  });
  return { context, page, faults };
}

/** Logs in with a token by the form. */
export async function loginByToken(page: Page, url: string, token: string): Promise<void> {
  await page.goto(`${url}/login`);
  await page.getByLabel('Token', { exact: false }).first().fill(token);
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await page.getByRole('heading', { name: 'Fleet' }).waitFor();
}

/** Logs in with the kubeconfig of the administrator by the form. */
export async function loginByKubeconfig(page: Page, system: LiveSystem): Promise<void> {
  await page.goto(`${system.url}/login`);
  await page.getByRole('button', { name: 'Kubeconfig' }).click();
  await page.getByRole('textbox').fill(await readFile(system.kubeconfig, 'utf8'));
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await page.getByRole('heading', { name: 'Fleet' }).waitFor();
}

/** Expects no fault by the rules of WCAG 2.2 AA. The policy of the page lets no test add a script, so it runs in a world of its own. */
export async function expectAccessible(page: Page): Promise<void> {
  await page.evaluate(axe.source);
  const found = await page.evaluate(async () => {
    const { axe: judge } = globalThis as unknown as { readonly axe: typeof axe };
    const { violations } = await judge.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] });
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`);
  });
  expect(found).toEqual([]);
}

/** Leaves a picture for docs/dashboard.md when asked to: `SCREENSHOTS=docs/dashboard npm run browser`. */
export async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env['SCREENSHOTS'];
  if (folder === undefined) return;
  await page.screenshot({ path: path.join(folder, `${name}.png`), scale: 'css' });
}
