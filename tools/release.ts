/**
 * Makes the files of a release in a folder: the npm package, one executable file for this platform, an SBOM (CycloneDX) and
 * checksums. `node tools/release.ts DIR`. Start with `makeRelease`.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { rolldown } from 'rolldown';
import { commitOf } from './package.ts';

const root = path.resolve(import.meta.dirname, '..');
const source = (file: string): string => path.join(root, 'src', file);

/** The programs in the executable file: the main one, and those of threads by the names under which they are started. */
const programs: Readonly<Record<string, string>> = {
  'main.ts': `
    import { main } from ${JSON.stringify(source('cli/main.ts'))};
    const emitWarning = process.emitWarning.bind(process);
    process.emitWarning = (warning, ...words) => {
      const type = warning instanceof Error ? warning.name : (words[0]?.type ?? words[0]);
      if (type !== 'ExperimentalWarning') emitWarning(warning, ...words);
    };
    void main(process.argv.slice(2)).then((code) => void (process.exitCode = code));
  `,
  'writer.ts': `import ${JSON.stringify(source('store/sqlite/writer.ts'))};`,
  'backup.ts': `import ${JSON.stringify(source('store/sqlite/backup.ts'))};`,
  'worker.ts': `
    import { workerData } from 'node:worker_threads';
    import { serveMember } from ${JSON.stringify(source('sim/thread.ts'))};
    void serveMember(workerData.options);
  `,
};

/** One script of all modules that a program needs. */
async function bundled(program: string): Promise<string> {
  const id = 'sluice-entry.ts';
  const entry = {
    name: 'entry',
    resolveId: (asked: string) => (asked === id ? id : undefined),
    load: (asked: string) => (asked === id ? { code: program, moduleType: 'ts' as const } : undefined),
  };
  const bundle = await rolldown({ input: id, platform: 'node', cwd: root, plugins: [entry], logLevel: 'warn' });
  const { output } = await bundle.generate({ format: 'cjs', codeSplitting: false });
  await bundle.close();
  return output[0].code;
}

/** Makes the executable file for this platform. */
export async function makeExecutable(file: string): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'sluice-release-'));
  const at = (name: string): string => path.join(folder, name);
  try {
    for (const [name, program] of Object.entries(programs)) writeFileSync(at(name), await bundled(program));
    writeFileSync(at('build.json'), JSON.stringify({ commit: commitOf(root) }));
    const threads = Object.keys(programs).filter((name) => name !== 'main.ts');
    const own = Object.fromEntries([...threads, 'build.json'].map((name) => [name, at(name)]));
    const assets = {
      ...own,
      'package.json': path.join(root, 'package.json'),
      'shapes.json': source('cli/gen/shapes.json'),
    };
    const config = { main: at('main.ts'), output: file, disableExperimentalSEAWarning: true, assets };
    writeFileSync(at('sea.json'), JSON.stringify(config));
    execFileSync(process.execPath, ['--build-sea', at('sea.json')], { stdio: ['ignore', 'ignore', 'inherit'] });
    chmodSync(file, 0o755);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Makes the npm package in a folder; returns the name of its file. */
export function makePackage(folder: string): string {
  const text = execFileSync('npm', ['pack', '--json', '--pack-destination', folder], { cwd: root, encoding: 'utf8' });
  const [{ filename } = { filename: '' }] = JSON.parse(text.slice(text.indexOf('['))) as { filename: string }[];
  return filename;
}

interface Locked {
  readonly version: string;
  readonly license?: string;
  readonly integrity?: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
}

/**
 * Writes the components that are shipped, in the format CycloneDX, from the lockfile: `npm sbom` leaves out those that a development
 * tool needs, too.
 */
export function makeSbom(file: string): void {
  const read = (name: string): unknown => JSON.parse(readFileSync(path.join(root, name), 'utf8'));
  const { packages } = read('package-lock.json') as { readonly packages: Readonly<Record<string, Locked>> };
  const { name, version } = read('package.json') as { readonly name: string; readonly version: string };
  const shipped = Object.entries(packages).filter(([place, { dev }]) => place !== '' && dev !== true);
  const sbom = {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: { component: { type: 'application', name, version, purl: `pkg:npm/${name}@${version}` } },
    components: shipped.map(([place, locked]) => componentOf(place.replace(/^.*node_modules\//, ''), locked)),
  };
  writeFileSync(file, `${JSON.stringify(sbom, null, 2)}\n`);
}

function componentOf(name: string, { version, license, integrity, optional }: Locked): object {
  const [algorithm = '', digest = ''] = (integrity ?? '').split('-');
  const hashes = [{ alg: algorithm.replace('sha', 'SHA-'), content: Buffer.from(digest, 'base64').toString('hex') }];
  return {
    type: 'library',
    name,
    version,
    scope: optional === true ? 'optional' : 'required',
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    ...(integrity && { hashes }),
    ...(license && { licenses: [{ license: { id: license } }] }),
  };
}

/** Writes the SHA-256 of every file of a folder, as `sha256sum --check` reads it. */
export function writeChecksums(folder: string): void {
  const files = readdirSync(folder)
    .filter((name) => name !== 'SHA256SUMS')
    .toSorted();
  const lines = files.map((name) => {
    const hash = createHash('sha256')
      .update(readFileSync(path.join(folder, name)))
      .digest('hex');
    return `${hash}  ${name}\n`;
  });
  writeFileSync(path.join(folder, 'SHA256SUMS'), lines.join(''));
}

/** Makes all files of a release. */
async function makeRelease(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  makePackage(folder);
  await makeExecutable(path.join(folder, `sluice-${process.platform}-${process.arch}`));
  makeSbom(path.join(folder, 'sbom.cdx.json'));
  writeChecksums(folder);
  process.stdout.write(readFileSync(path.join(folder, 'SHA256SUMS'), 'utf8'));
}

if (import.meta.main) {
  const [folder] = process.argv.slice(2);
  if (folder === undefined) throw new Error('usage: node tools/release.ts DIR');
  await makeRelease(path.resolve(folder));
}
