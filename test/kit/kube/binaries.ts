/**
 * The programs of a real Kubernetes control plane, built from the Go module of `test/kube` and kept in a cache folder
 * outside the tree, one folder for each pair of versions. Nothing of them is part of the product.
 * Start with `kubeBinaries`.
 */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { programOf } from '../programs.ts';

const module = join(import.meta.dirname, '../../kube');
const names = ['etcd', 'kube-apiserver', 'kube-controller-manager'] as const;

/** The paths of the programs. */
export type KubeBinaries = Readonly<Record<(typeof names)[number], string>>;

const run = promisify(execFile);
const buildMilliseconds = 45 * 60_000;

/** Builds the programs unless the cache has them; the first build takes minutes, and `say` is told so. */
export async function kubeBinaries(say: (text: string) => void = () => undefined): Promise<KubeBinaries> {
  const versions = versionsIn(readFileSync(join(module, 'go.mod'), 'utf8'));
  const folder = join(cacheFolder(), `${versions.kubernetes}-etcd-${versions.etcd}`);
  const binaries = Object.fromEntries(names.map((name) => [name, join(folder, name)])) as KubeBinaries;
  if (names.every((name) => existsSync(binaries[name]))) return binaries;
  const go = goProgram();
  say(`builds kube-apiserver ${versions.kubernetes} and etcd ${versions.etcd} into ${folder}: 6 to 30 minutes, once`);
  await mkdir(dirname(folder), { recursive: true });
  const building = await mkdtemp(`${folder}.building-`);
  try {
    const flags = ['-trimpath', '-mod=readonly', `-ldflags=${linkFlags(versions.kubernetes)}`];
    await run(go, ['build', ...flags, '-o', `${building}/`, './cmd/...'], { cwd: module, timeout: buildMilliseconds });
    await put(building, folder);
  } finally {
    await rm(building, { recursive: true, force: true });
  }
  return binaries;
}

const helmVersion = 'v3.19.4';

/** Builds Helm unless the cache has it, to render the chart. */
export async function helmProgram(say: (text: string) => void = () => undefined): Promise<string> {
  const folder = join(cacheFolder(), `helm-${helmVersion}`);
  const helm = join(folder, 'helm');
  if (existsSync(helm)) return helm;
  const go = goProgram();
  say(`builds helm ${helmVersion} into ${folder}: 2 to 10 minutes, once`);
  await mkdir(folder, { recursive: true });
  const args = ['install', '-trimpath', '-ldflags=-s -w', `helm.sh/helm/v3/cmd/helm@${helmVersion}`];
  await run(go, args, { env: { ...process.env, GOBIN: folder }, timeout: buildMilliseconds });
  return helm;
}

/** Another process may have built the same meanwhile: then its folder is as good. */
async function put(building: string, folder: string): Promise<void> {
  await rename(building, folder).catch((error: unknown) => {
    if (!names.every((name) => existsSync(join(folder, name)))) throw error;
  });
}

interface Versions {
  readonly kubernetes: string;
  readonly etcd: string;
}

function versionsIn(goMod: string): Versions {
  const of = (path: string): string => {
    const version = goMod.match(new RegExp(`^(?:require)?\\s+${path.replaceAll('.', '\\.')} (v\\S+)`, 'm'))?.[1];
    if (!version) throw new Error(`test/kube/go.mod does not require ${path}`);
    return version;
  };
  return { kubernetes: of('k8s.io/kubernetes'), etcd: of('go.etcd.io/etcd/server/v3') };
}

function cacheFolder(): string {
  return join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'sluice', 'kube');
}

function goProgram(): string {
  try {
    return programOf('go');
  } catch (error) {
    throw new Error('this suite builds kube-apiserver and etcd: install Go 1.25 or newer, or set GO to its path', {
      cause: error,
    });
  }
}

/** Without them `/version` says v0.0.0 and kubectl warns. */
function linkFlags(version: string): string {
  const [major = '', minor = ''] = version.replace(/^v/, '').split('.');
  const at = 'k8s.io/component-base/version';
  return `-s -w -X ${at}.gitVersion=${version} -X ${at}.gitMajor=${major} -X ${at}.gitMinor=${minor}`;
}
