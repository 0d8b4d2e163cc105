import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { madeWithNeeds } from '../../src/cli/help.ts';
import { commands } from '../../src/cli/commands.ts';
import { processIo } from '../../src/cli/io.ts';
import { sluice } from './kit.ts';

const run = promisify(execFile);
const bin = path.join(import.meta.dirname, '../../bin/sluice.js');

test('help lists every command under its heading', async () => {
  const { code, out } = await sluice(['--help']);
  expect(code).toBe(0);
  for (const { name, summary } of commands)
    expect(out).toMatch(new RegExp(`^ {2}${name} .*${summary.split(' ')[0]}`, 'm'));
  expect(await sluice([])).toEqual({ code, out, err: '' });
});

test.each(commands.map(({ name }) => name))('%s has help with an example', async (name) => {
  const { code, out } = await sluice(['help', name]);
  expect(code).toBe(0);
  expect(out).toContain(`Usage: sluice ${name}`);
  expect(out).toMatch(/^Examples?:$/m);
  expect(await sluice([name, '--help'])).toEqual({ code, out, err: '' });
});

test.each([
  [['stauts'], 'unknown command "stauts"; did you mean status?'],
  [['help', 'nope'], 'unknown command "nope"\n'],
  [['undo'], 'unknown command "undo"\n'],
  [['--kubeconfig', 'x', 'nope'], 'unknown command "nope"\n'],
  [['up', '--listen', 'nonsense'], '--listen: "nonsense" is not HOST:PORT'],
  [['up', '--members', 'Upper'], '--members: '],
  [['status', '--ouptut', 'json'], '(Did you mean --output?)'],
  [['join', 'x'], "required option '--cluster-kubeconfig <FILE>' not specified"],
  [['completion', 'tcsh'], 'Allowed choices are bash, zsh, fish'],
])('%j is wrong usage', async (args, hint) => {
  const { code, out, err } = await sluice(args);
  expect([code, out]).toEqual([2, '']);
  expect(err).toContain(hint);
});

test('a hub that does not answer is told in one line, with the next step; --debug shows where', async () => {
  const directory = await mkdtemp(path.join(tmpdir(), 'sluice-cli-'));
  try {
    const none = await sluice(['status'], { directory, environment: { KUBECONFIG: path.join(directory, 'none') } });
    expect(none).toMatchObject({ code: 1, out: '' });
    expect(none.err).toMatch(
      /^sluice: no kubeconfig at .*: start a hub with `sluice up`, or name one with --kubeconfig\n$/,
    );
    const debug = await sluice(['status', '--debug'], {
      directory,
      environment: { KUBECONFIG: path.join(directory, 'none') },
    });
    expect(debug.err).toContain('connect.ts');
  } finally {
    await rm(directory, { recursive: true });
  }
});

test('a hub that is gone ends the program with one line', async () => {
  const directory = await mkdtemp(path.join(tmpdir(), 'sluice-cli-'));
  const config = {
    clusters: [{ name: 'hub', cluster: { server: 'https://127.0.0.1:1' } }],
    contexts: [{ name: 'hub', context: { cluster: 'hub' } }],
    'current-context': 'hub',
  };
  try {
    await writeFile(path.join(directory, 'config'), JSON.stringify(config));
    const failed = await run(process.execPath, [bin, 'status', '--kubeconfig', path.join(directory, 'config')]).catch(
      (error: unknown) => error as { code: number; stdout: string; stderr: string },
    );
    expect(failed).toMatchObject({ code: 1, stdout: '' });
    expect(failed.stderr).toMatch(
      /^sluice: https:\/\/127\.0\.0\.1:1 cannot be reached: .*is it running\? start it with `sluice up`.*\n$/,
    );
  } finally {
    await rm(directory, { recursive: true });
  }
});

test.each([
  [
    ['--help', 'plan'],
    ['plan', '--help'],
  ],
  [
    ['--kubeconfig', 'none', 'status'],
    ['status', '--kubeconfig', 'none'],
  ],
  [
    ['-n', 'shop', '--debug', 'explain', 'cm/a', '--kubeconfig=none'],
    ['explain', '-n', 'shop', '--debug', 'cm/a', '--kubeconfig=none'],
  ],
])('%j is %j', async (before, after) => {
  const { code, out, err } = await sluice(before);
  const usual = await sluice(after);
  expect([code, out, err.split('\n')[0]]).toEqual([usual.code, usual.out, usual.err.split('\n')[0]]);
  expect(err).not.toContain('unknown');
});

const nowhere = { io: processIo(), exit: () => {} };

/** Commands as they are, and as help knows them, tell the same at every width. */
test.each(commands)('help of $name needs not read what it does', async (entry) => {
  const { name } = entry;
  for (const columns of [60, 100]) {
    let text = '';
    const real = (await madeWithNeeds(entry, nowhere)).option('--debug', 'show where an error came from');
    real.configureOutput({ writeOut: (part) => void (text += part), getOutHelpWidth: () => columns });
    real.outputHelp();
    const { out } = await sluice([name, '--help'], { columns });
    expect(out).toBe(text.replace('Usage: ', 'Usage: sluice '));
  }
});

test('-h after a flag is its value', async () => {
  const { code, err } = await sluice(['plan', '--delete', '-h', '--snapshot', 'none']);
  expect([code, err]).toEqual([1, 'sluice: the snapshot none cannot be read\n']);
});

test.each([['version'], ['plan', '--help'], ['up', '--help']])(
  '%s %s reads neither the engine nor the client',
  async (...args) => {
    const loader = `import { registerHooks } from 'node:module'; registerHooks({ load(url, context, next) { if (/src\\/(engine|client|app)\\/|undici/.test(url)) process.stderr.write(url + '\\n'); return next(url, context); } });`;
    const { stdout, stderr } = await run(process.execPath, [
      '--import',
      `data:text/javascript,${encodeURIComponent(loader)}`,
      bin,
      ...args,
    ]);
    expect(stdout).toMatch(/^sluice \d+\.\d+\.\d+ \(Node\.js v\d+|^Usage: sluice /);
    expect(stderr).toBe('');
  },
);

test('the version for programs', async () => {
  expect(await sluice(['--version'])).toEqual(await sluice(['version']));
  const { code, out } = await sluice(['version', '-o', 'json']);
  const { version } = JSON.parse(await readFile(path.join(import.meta.dirname, '../../package.json'), 'utf8')) as {
    version: string;
  };
  expect(code).toBe(0);
  expect(JSON.parse(out)).toEqual({ apiVersion: 'sluice.dev/v1', kind: 'Version', version, node: process.version });
  expect((await sluice(['version', '-o', 'jsonpath={.version}'])).out).toBe(version);
});

/** Every command that speaks with a hub, as it is called at least. */
const calls: readonly (readonly string[])[] = [
  ['status'],
  ['explain', 'cm/a'],
  ['get', 'cm'],
  ['get', 'cm', '-w'],
  ['describe', 'cm/a'],
  ['api-resources'],
  ['plan', '--delete', 'cm/a'],
  ['snapshot'],
  ['logs', 'web', '-C', 'member1'],
  ['exec', 'web', 'ls', '-C', 'member1'],
  ['attach', 'web', '-C', 'member1'],
  ['top', 'pods'],
  ['apply', '-f', '-'],
  ['suspend', 'cm/a'],
  ['resume', 'cm/a'],
  ['reconcile', 'all', '--yes'],
  ['join', 'x', '--cluster-kubeconfig', 'config'],
  ['unjoin', 'x'],
  ['promote', 'deployment/x', '-C', 'member1'],
  ['cordon', 'x'],
  ['uncordon', 'x'],
  ['taint', 'x', 'a:NoSchedule'],
  ['label', 'cm/a', 'b=c'],
  ['annotate', 'cm/a', 'b=c'],
  ['token', 'list'],
  ['user', 'create', 'x'],
  ['install'],
  ['uninstall', '--yes'],
  ['migrate', 'check'],
];

/** Commands that read files or start a server, and ask no hub before they end; and agents and roles, which wait for it. */
const withoutHub = new Set([
  'up',
  'dashboard',
  'store',
  'backup',
  'restore',
  'version',
  'completion',
  'sim',
  'interpret',
  'agent',
  'register',
  'controllers',
  'webhook',
]);

test('a hub that takes connections and says nothing is given up after --timeout, by every command', async () => {
  const directory = await mkdtemp(path.join(tmpdir(), 'sluice-cli-'));
  const mute = createServer();
  mute.listen(0, '127.0.0.1');
  await once(mute, 'listening');
  const { port } = mute.address() as AddressInfo;
  const config = {
    clusters: [{ name: 'hub', cluster: { server: `http://127.0.0.1:${port}` } }],
    contexts: [{ name: 'hub', context: { cluster: 'hub' } }],
    'current-context': 'hub',
  };
  const told = commands.map(({ name }) => name).filter((name) => !withoutHub.has(name));
  expect(new Set(calls.map(([name]) => name))).toEqual(new Set(told));
  try {
    await writeFile(path.join(directory, 'config'), JSON.stringify(config));
    const input = '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"}}';
    const ran = await Promise.all(
      calls.map((args) => sluice([...args, '--kubeconfig', 'config', '--timeout', '200ms'], { directory, input })),
    );
    for (const { code, out, err } of ran) {
      expect([code, out]).toEqual([1, '']);
      expect(err).toMatch(/^sluice: .*: try again, or allow more with --timeout\n$/);
    }
  } finally {
    mute.close();
    await rm(directory, { recursive: true });
  }
});

test('a reader that has seen enough is no error', async () => {
  const script = `"${process.execPath}" "${bin}" --help | head -n 1; echo "\${PIPESTATUS[0]}"`;
  expect((await run('bash', ['-c', script])).stdout).toMatch(/^Usage: sluice.*\n0\n$/);
});
