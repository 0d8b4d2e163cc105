import { existsSync } from 'node:fs';
import path from 'node:path';
import { Option } from 'commander';
import type { Command } from 'commander';
import { longestTimer } from '../base/index.ts';
import {
  ApiClient,
  contextOf,
  discover,
  HttpsTransport,
  kubeconfigFiles,
  memberBounds,
  readKubeconfig,
} from '../client/index.ts';
import type { Bounds, Clock, Connection, Discovered, Kubeconfig, Transport, WireRequest } from '../client/index.ts';
import { Failure, UsageError } from './failure.ts';
import type { Io } from './io.ts';

/** The flags with which every command finds its hub. */
export interface HubFlags {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly timeout: string;
  /** The namespace, for a command that takes one. */
  readonly namespace?: string;
  /** No flag: a command sets it that does not want warnings of the hub on standard error. */
  readonly onWarning?: (text: string) => void;
}

/** The flags of a command that writes. */
export interface WritingFlags extends HubFlags {
  readonly output: string;
}

/** The flags of a command that can also only try. */
export interface TryingFlags extends WritingFlags {
  readonly dryRun?: boolean;
}

/** Adds the flags of a connection to a command. */
export function connecting(command: Command): Command {
  return choosing(command).option(
    '--timeout <DURATION>',
    'fail when the server takes longer than this: 30s or 2m; 0 means no limit',
    '60s',
  );
}

/** Adds the flags that choose a hub. */
export function choosing(command: Command): Command {
  return command
    .option('--kubeconfig <FILE>', 'kubeconfig of the hub (default: $KUBECONFIG, ./.sluice/kubeconfig, ~/.kube/config)')
    .option('--context <NAME>', 'context of the kubeconfig (default: its current one)');
}

/** The flag `-n` of a command about one object. */
export function namespaceOption(): Option {
  return new Option('-n, --namespace <NS>', 'its namespace (default: that of the context)');
}

/** The flag with which a command only tries. */
export function dryRunOption(description: string): Option {
  return new Option('--dry-run', description);
}

/** The words added for a dry run. */
export function dryWords({ dryRun }: Pick<TryingFlags, 'dryRun'>): string {
  return dryRun ? ' (dry run)' : '';
}

/** A server, connected and asked what it serves. */
export interface Server {
  readonly client: ApiClient;
  /** The kinds that it served when the connection was made. */
  readonly served: Discovered;
  /** Asks again what it serves, for the client. */
  refresh(): Promise<void>;
}

/** The hub as a command works with it. */
export interface Hub extends Server {
  /** The namespace that was named, else that of the context. */
  readonly namespace: string;
  readonly config: Kubeconfig;
  readonly connection: Connection;
  close(): Promise<void>;
}

/** The kubeconfigs that count, in the order of precedence. */
export function kubeconfigsOf(
  flags: Pick<HubFlags, 'kubeconfig'>,
  io: Pick<Io, 'directory' | 'environment'>,
): readonly string[] {
  if (flags.kubeconfig !== undefined) return [path.resolve(io.directory, flags.kubeconfig)];
  const local = localKubeconfig(io);
  return !io.environment['KUBECONFIG'] && existsSync(local) ? [local] : kubeconfigFiles(io.environment);
}

/** The kubeconfig of a hub that was started in the working directory. */
const localKubeconfig = ({ directory }: Pick<Io, 'directory'>): string => path.join(directory, '.sluice', 'kubeconfig');

/** Says which hub is meant where the working directory has the kubeconfig of another one. */
async function tellHub({ server }: Connection, files: readonly string[], io: Io): Promise<void> {
  const local = localKubeconfig(io);
  if (files.includes(local) || !existsSync(local)) return;
  const other = await readKubeconfig([local])
    .then((config) => contextOf(config).connection.server)
    .catch(() => server);
  if (other !== server)
    io.err(`note: using the hub ${server} of ${files.join(', ')}; ./.sluice/kubeconfig names ${other}\n`);
}

/** Connects to the hub that the flags and the surroundings name, works with it, and disconnects. */
export async function withHub<T>(flags: HubFlags, io: Io, work: (hub: Hub) => Promise<T>): Promise<T> {
  const hub = await connect(flags, io);
  try {
    return await work(hub);
  } finally {
    await hub.close();
  }
}

async function connect(flags: HubFlags, io: Io): Promise<Hub> {
  const files = kubeconfigsOf(flags, io);
  const config = await kubeconfigAt(files, flags);
  const { connection, namespace: usual } = contextOf(config, flags.context);
  await tellHub(connection, files, io);
  const server = await connectTo(connection, {
    timeout: flags.timeout,
    onWarning: flags.onWarning ?? ((text) => io.err(`warning: ${text}\n`)),
  });
  const { namespace = usual } = flags;
  return { ...server, namespace, config, connection, close: () => server.client.close() };
}

async function kubeconfigAt(files: readonly string[], { kubeconfig }: HubFlags): Promise<Kubeconfig> {
  if (kubeconfig !== undefined && !existsSync(files[0] ?? ''))
    throw new Failure(`there is no kubeconfig ${kubeconfig}`);
  try {
    return await readKubeconfig(files);
  } catch (error) {
    if (files.some((file) => existsSync(file))) throw error;
    const places = [...files, './.sluice/kubeconfig'].join(' or ');
    throw new Failure(`no kubeconfig at ${places}: start a hub with \`sluice up\`, or name one with --kubeconfig`, {
      cause: error,
    });
  }
}

/** Waiting to try again is work: unlike in a server, it has to keep the process alive. */
export const clock: Clock = {
  now: () => Date.now(),
  after: (milliseconds, callback) => {
    const timer = setTimeout(callback, Math.min(milliseconds, longestTimer));
    return () => clearTimeout(timer);
  },
};

/** How a command speaks with a server. */
interface Talk {
  readonly timeout: string;
  /** How much the server may send; absent: as much as a hub. */
  readonly bounds?: Bounds;
  /** Called with what a server says about a write; about reads nobody needs to know. */
  readonly onWarning?: (text: string) => void;
}

/** Connects to a server and asks what it serves. */
export async function connectTo(connection: Connection, talk: Talk): Promise<Server> {
  const milliseconds = Math.min(durationOf(talk.timeout, '--timeout'), longestTimer);
  const limits =
    milliseconds > 0 ? { timeoutMilliseconds: milliseconds, connectMilliseconds: Math.min(milliseconds, 10_000) } : {};
  const { bounds } = talk;
  const plain = new HttpsTransport(connection, { userAgent: 'sluice-cli', ...limits, ...(bounds && { bounds }) });
  let served: Discovered = { kinds: [], byKind: () => undefined, incomplete: [] };
  const transport = attended(plain, milliseconds, talk.onWarning);
  const client = new ApiClient({ transport, resources: () => served, fieldManager: 'sluice-cli', clock });
  const refresh = async (): Promise<void> => {
    served = await discover(client);
  };
  try {
    await refresh();
  } catch (error) {
    await client.close();
    throw error;
  }
  return { client, served, refresh };
}

/** Connects to a member, which may be broken or hostile: it may send no more than the hub takes from it. */
export function connectToMember(connection: Connection, talk: Pick<Talk, 'timeout'>): Promise<Server> {
  return connectTo(connection, { ...talk, bounds: memberBounds });
}

/** Each request ends after this time, and warnings about writes are heard. */
function attended(transport: Transport, milliseconds: number, onWarning: Talk['onWarning']): Transport {
  const limited = (request: WireRequest): WireRequest => {
    if (milliseconds === 0) return request;
    const limit = AbortSignal.timeout(milliseconds);
    return { ...request, signal: request.signal ? AbortSignal.any([request.signal, limit]) : limit };
  };
  return {
    async send(request) {
      const response = await transport.send(limited(request));
      const warning = request.method === 'GET' ? undefined : response.headers['warning'];
      for (const text of textsIn(String(warning ?? ''))) onWarning?.(text);
      return response;
    },
    stream: (request) => transport.stream(request),
    close: () => transport.close(),
  };
}

/** The texts of Warning headers, joined by commas: `299 - "text"`. */
function textsIn(warnings: string): readonly string[] {
  const found = [...warnings.matchAll(/\d{3} \S+ ("(?:[^"\\]|\\.)*")/g)].map(([, text = '""']) => text);
  if (found.length === 0 && warnings !== '') return [warnings];
  return found.map((text) => text.slice(1, -1).replaceAll(/\\(.)/g, '$1'));
}

const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Milliseconds of `500ms`, `30s`, `2m`, `1h30m`; a bare number counts seconds. */
export function durationOf(text: string, flag: string): number {
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1000;
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d)/g)];
  const whole = parts.map(([part]) => part).join('');
  if (whole !== text || text === '')
    throw new UsageError(`${flag}: ${JSON.stringify(text)} must be a duration (30s or 2m)`);
  return parts.reduce((sum, [, count, unit]) => sum + Number(count) * (units[unit ?? ''] ?? 0), 0);
}
