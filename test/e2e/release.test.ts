import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeExecutable, makePackage, makeSbom, writeChecksums } from '../../tools/release.ts';
import { until } from '../kit/until.ts';

const top = path.join(import.meta.dirname, '../..');
const modules = path.join(top, 'node_modules');

let folder: string;
let executable: string;
const at = (...names: readonly string[]): string => path.join(folder, ...names);

/** The package as npm would install it, beside the dependencies of the checkout. */
function install(file: string): void {
  mkdirSync(at('user', 'node_modules'), { recursive: true });
  for (const name of readdirSync(modules)) {
    if (!name.startsWith('.')) symlinkSync(path.join(modules, name), at('user', 'node_modules', name));
  }
  execFileSync('tar', ['-xzf', file, '-C', folder]);
  cpSync(at('package'), at('user', 'node_modules', 'sluice'), { recursive: true });
  writeFileSync(at('user', 'package.json'), '{"type":"module"}');
}

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'sluice-release-'));
  mkdirSync(at('release'));
  install(at('release', makePackage(at('release'))));
  executable = at('release', 'sluice');
  await makeExecutable(executable);
  makeSbom(at('release', 'sbom.cdx.json'));
  writeChecksums(at('release'));
}, 300_000);

afterAll(() => rm(folder, { recursive: true, force: true }));

/** Neither Node.js nor anything else is found by its name. */
const bare = { PATH: '/nonexistent', HOME: '/nonexistent' };

interface Ran {
  readonly code: number;
  readonly out: string;
}

function run(file: string, args: readonly string[], env: Readonly<Record<string, string>> = bare): Ran {
  try {
    return { code: 0, out: execFileSync(file, args, { encoding: 'utf8', env, cwd: folder, stdio: 'pipe' }) };
  } catch (error) {
    const { status, stdout, stderr } = error as { status: number; stdout: string; stderr: string };
    return { code: status, out: `${stdout}${stderr}` };
  }
}

/** Starts a whole system, follows the quick start with it, and stops it. */
async function quickStart(file: string, before: readonly string[]): Promise<void> {
  const data = at(`data-${path.basename(file)}`);
  const place = ['--data-dir', data, '--listen', '127.0.0.1:0'];
  const child = spawn(file, [...before, 'up', ...place], { env: bare, cwd: folder });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const ended = once(child, 'exit');
  await until('the system is ready', async () => said.includes('sluice is ready'));
  const sluice = (...args: readonly string[]): Ran =>
    run(file, [...before, ...args, '--kubeconfig', path.join(data, 'kubeconfig')]);
  const examples = ['web.yaml', 'policy.yaml'].flatMap((name) => ['-f', path.join(top, 'examples', name)]);
  expect(sluice('apply', ...examples)).toMatchObject({ code: 0 });
  await until('the app is in effect', async () => /in effect/.test(sluice('status').out));
  expect(sluice('plan', '-f', path.join(top, 'examples', 'policy-edited.yaml'))).toMatchObject({ code: 3 });
  expect(sluice('sim', 'member1')).toMatchObject({ code: 0 });
  child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
  expect(said).not.toMatch(/Warning/);
}

const commit = execFileSync('git', ['-C', top, 'rev-parse', 'HEAD'], { encoding: 'utf8' }).trim();

test('the executable file runs the quick start with no Node.js on PATH', async () => {
  expect(run(executable, ['version']).out).toMatch(
    new RegExp(`^sluice \\d+\\.\\d+\\.\\d+ \\(commit ${commit}.*Node\\.js v`),
  );
  expect(run(executable, ['--help']).out).toContain('Usage: sluice');
  expect(run(executable, ['plan', '--help']).out).toContain('--snapshot');
  await quickStart(executable, []);
}, 240_000);

test('the installed package runs the quick start', async () => {
  const program = at('user', 'node_modules', 'sluice', 'bin', 'sluice.js');
  expect(JSON.parse(run(process.execPath, [program, 'version', '-o', 'json']).out)).toMatchObject({
    commit: expect.stringContaining(commit) as string,
  });
  await quickStart(process.execPath, [program]);
}, 240_000);

test('the installed package has the engine and the API, with types', () => {
  const script = `
    import { emptyWorld, plan } from 'sluice/engine';
    import { policyApi } from 'sluice/api';
    console.log(typeof emptyWorld, typeof plan, policyApi);
  `;
  writeFileSync(at('user', 'use.js'), script);
  expect(run(process.execPath, [at('user', 'use.js')]).out).toBe('function function policy.karmada.io/v1alpha1\n');
  const typed = `
    import { emptyWorld } from 'sluice/engine';
    import type { Policy } from 'sluice/api';
    const world = emptyWorld();
    export const name = (policy: Policy): string => policy.metadata.name;
    // @ts-expect-error: a world has no such member
    world.nothing();
  `;
  writeFileSync(at('user', 'use.ts'), typed);
  const options = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--target', 'es2024'];
  const compiled = run(path.join(modules, '.bin', 'tsc'), [...options, at('user', 'use.ts')], {
    PATH: process.env['PATH'] ?? '',
  });
  expect(compiled).toEqual({ code: 0, out: '' });
});

test('the package contains what runs, and no sources, tests or tools', () => {
  const folders = readdirSync(at('package')).toSorted();
  expect(folders).toEqual(['LICENSE', 'README.md', 'bin', 'dist', 'examples', 'man', 'package.json']);
  const files = readdirSync(at('package', 'dist'), { recursive: true, encoding: 'utf8' });
  expect(files.filter((file) => /\.test\.|(?<!\.d)\.ts$/.test(file))).toEqual([]);
});

test('checksums are those of the files, and the SBOM lists the dependencies that are shipped', () => {
  const lines = readFileSync(at('release', 'SHA256SUMS'), 'utf8').trim().split('\n');
  expect(lines).toHaveLength(3);
  for (const line of lines) {
    const [hash, name = ''] = line.split('  ');
    expect(
      createHash('sha256')
        .update(readFileSync(at('release', name)))
        .digest('hex'),
    ).toBe(hash);
  }
  const { bomFormat, components } = JSON.parse(readFileSync(at('release', 'sbom.cdx.json'), 'utf8')) as {
    readonly bomFormat: string;
    readonly components: readonly { readonly name: string; readonly version: string }[];
  };
  expect(bomFormat).toBe('CycloneDX');
  const names = components.map(({ name }) => name);
  const { dependencies } = JSON.parse(readFileSync(path.join(top, 'package.json'), 'utf8')) as { dependencies: object };
  expect(names).toEqual(expect.arrayContaining(Object.keys(dependencies)));
  expect(names).not.toContain('vitest');
});
