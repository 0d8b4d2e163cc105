import type { Members } from '../base/index.ts';
import { readFile } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { documentIn, isObject } from '../base/index.ts';
import type { Connection } from './https.ts';

/** A kubeconfig that cannot be used, and why. */
export class KubeconfigError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'KubeconfigError';
  }
}

/** An entry of a kubeconfig, and the folder that its relative paths start from. */
interface ConfigEntry {
  readonly fields: Readonly<Members>;
  readonly folder: string;
}

/** Kubeconfigs merged as kubectl merges them: the first file that names something decides. */
export interface Kubeconfig {
  readonly contexts: ReadonlyMap<string, ConfigEntry>;
  readonly clusters: ReadonlyMap<string, ConfigEntry>;
  readonly users: ReadonlyMap<string, ConfigEntry>;
  readonly currentContext: string;
  readonly files: readonly string[];
}

/** How a context is reached. */
export interface KubeconfigContext {
  readonly name: string;
  readonly namespace: string;
  readonly connection: Connection;
}

/** The files that kubectl would read: those of $KUBECONFIG, or the one in the home folder. */
export function kubeconfigFiles(environment: NodeJS.ProcessEnv = process.env): readonly string[] {
  const named = (environment['KUBECONFIG'] ?? '').split(path.delimiter).filter((file) => file !== '');
  return named.length > 0 ? named : [path.join(homedir(), '.kube', 'config')];
}

/** Reads files; those that do not exist are passed over as long as one does. */
export async function readKubeconfig(files: readonly string[]): Promise<Kubeconfig> {
  const texts = await Promise.all(files.map(textOf));
  const found = files.flatMap((file, i) => {
    const text = texts[i];
    return text === undefined ? [] : [{ file, text }];
  });
  if (found.length === 0) throw new KubeconfigError(`no kubeconfig at ${files.join(', ')}`);
  return parseKubeconfig(found);
}

async function textOf(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new KubeconfigError(`the kubeconfig ${file} cannot be read`, { cause: error });
  }
}

/** Merges the texts of kubeconfigs; the name of each file is for messages and relative paths. */
export function parseKubeconfig(sources: readonly { readonly file: string; readonly text: string }[]): Kubeconfig {
  const config = {
    contexts: new Map<string, ConfigEntry>(),
    clusters: new Map<string, ConfigEntry>(),
    users: new Map<string, ConfigEntry>(),
  };
  let currentContext = '';
  for (const { file, text } of sources) {
    const root = parsed(file, text);
    const folder = path.dirname(path.resolve(file));
    take(config.contexts, { root, list: 'contexts', part: 'context', folder });
    take(config.clusters, { root, list: 'clusters', part: 'cluster', folder });
    take(config.users, { root, list: 'users', part: 'user', folder });
    currentContext ||= stringOf(root['current-context']);
  }
  return { ...config, currentContext, files: sources.map(({ file }) => file) };
}

function parsed(file: string, text: string): Readonly<Members> {
  let root: unknown;
  try {
    root = documentIn(text);
  } catch (error) {
    throw new KubeconfigError(`the kubeconfig ${file} is not valid YAML: ${firstLine(error)}`, { cause: error });
  }
  if (!isObject(root)) throw new KubeconfigError(`the kubeconfig ${file} is empty or no object`);
  return root;
}

/** The library shows the place in further lines. */
function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? '';
}

interface Section {
  readonly root: Readonly<Members>;
  readonly list: string;
  readonly part: string;
  readonly folder: string;
}

function take(into: Map<string, ConfigEntry>, { root, list, part, folder }: Section): void {
  const entries = root[list];
  for (const entry of Array.isArray(entries) ? (entries as readonly unknown[]) : []) {
    if (!isObject(entry) || typeof entry['name'] !== 'string' || into.has(entry['name'])) continue;
    into.set(entry['name'], { fields: isObject(entry[part]) ? entry[part] : {}, folder });
  }
}

/** The context of this name, or the current one, ready to connect to. */
export function contextOf(config: Kubeconfig, name: string = config.currentContext): KubeconfigContext {
  const where = config.files.join(', ');
  if (name === '') throw new KubeconfigError(`no context is named, and ${where} has no current one`);
  const context = config.contexts.get(name);
  if (!context) throw new KubeconfigError(`there is no context ${name} in ${where}`);
  const cluster = config.clusters.get(stringOf(context.fields['cluster']));
  if (!cluster) throw new KubeconfigError(`the context ${name} names a cluster that is not in ${where}`);
  const userName = stringOf(context.fields['user']);
  const user = config.users.get(userName);
  if (!user && userName !== '') throw new KubeconfigError(`the context ${name} names a user that is not in ${where}`);
  return {
    name,
    namespace: stringOf(context.fields['namespace']) || 'default',
    connection: { ...clusterPart(name, cluster), ...(user && userPart(userName, user)) },
  };
}

function clusterPart(context: string, { fields, folder }: ConfigEntry): Connection {
  const server = stringOf(fields['server']);
  if (!URL.canParse(server)) throw new KubeconfigError(`the server ${JSON.stringify(server)} of ${context} is no URL`);
  const caBundle = material(fields, 'certificate-authority', folder);
  const serverName = stringOf(fields['tls-server-name']);
  const proxy = stringOf(fields['proxy-url']);
  if (proxy && !/^https?:/.test(proxy)) throw new KubeconfigError(`the proxy ${proxy} of ${context} is not HTTP`);
  return {
    server,
    ...(caBundle !== undefined && { caBundle }),
    ...(fields['insecure-skip-tls-verify'] === true && { insecureSkipTLSVerification: true }),
    ...(serverName && { serverName }),
    ...(proxy && { proxy: { url: proxy } }),
  };
}

/** Ways to log in that would run other programs, or act as somebody else: none is passed over in silence. */
const refused: Readonly<Record<string, string>> = {
  exec: 'gets its credentials from a program (exec), which is not supported: give it a token or a client certificate',
  'auth-provider': 'uses an auth-provider, which is not supported: give it a token or a client certificate',
  username: 'logs in with a password, which Kubernetes no longer takes: give it a token or a client certificate',
  as: 'impersonates another user, which is not supported here',
};

function userPart(name: string, { fields, folder }: ConfigEntry): Partial<Connection> {
  for (const field in refused) {
    if (fields[field]) throw new KubeconfigError(`the user ${name} ${refused[field]}`);
  }
  const certificate = material(fields, 'client-certificate', folder);
  const key = material(fields, 'client-key', folder);
  if ((certificate === undefined) !== (key === undefined)) {
    throw new KubeconfigError(`the user ${name} has only one of client certificate and key`);
  }
  const token = tokenOf(fields, folder);
  return {
    ...(certificate !== undefined && key !== undefined && { certificate: { certificate, key } }),
    // kubectl sends it too: the user has written this server down.
    ...(token && { token, allowPlainToken: true }),
  };
}

/** A token in a file is read again and again, because it may be replaced. */
function tokenOf(fields: Readonly<Members>, folder: string): Connection['token'] {
  const file = stringOf(fields['tokenFile']);
  if (!file) return stringOf(fields['token']);
  const whole = path.resolve(folder, file);
  return async () => (await readFile(whole, 'utf8')).trim();
}

/** PEM, inline in base64 or in a file; inline wins. */
function material(fields: Readonly<Members>, name: string, folder: string): string | undefined {
  const inline = stringOf(fields[`${name}-data`]);
  if (inline) return Buffer.from(inline, 'base64').toString('utf8');
  const file = stringOf(fields[name]);
  if (!file) return undefined;
  try {
    return readFileSync(path.resolve(folder, file), 'utf8');
  } catch (error) {
    throw new KubeconfigError(`the ${name} ${file} cannot be read`, { cause: error });
  }
}

function stringOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
