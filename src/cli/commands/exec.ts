import { Command } from 'commander';
import { isObject } from '../../base/index.ts';
import { channelNumbers, openChannels } from '../../client/index.ts';
import type { Channels } from '../../client/index.ts';
import type { Run } from '../commands.ts';
import { connecting, namespaceOption, withHub } from '../connect.ts';
import { Failure } from '../failure.ts';
import type { Io } from '../io.ts';
import { clusterOption, containerOption, withPod } from '../pods.ts';
import type { MemberPod, PodFlags } from '../pods.ts';

interface StreamFlags extends PodFlags {
  readonly stdin?: boolean;
  readonly tty?: boolean;
}

/** `sluice exec` */
export function execCommand({ io }: Run): Command {
  return connecting(new Command('exec'))
    .description(
      'Run a command in a container of a member, through the cluster proxy and with your rights in the member.',
    )
    .argument('<POD>', 'a pod, or a workload as KIND/NAME of which one pod is taken')
    .argument('<COMMAND...>', 'the command, after --')
    .addOption(clusterOption())
    .addOption(namespaceOption())
    .addOption(containerOption())
    .option('-i, --stdin', 'pass standard input to the command')
    .option('-t, --tty', 'give the command a terminal')
    .addHelpText(
      'after',
      '\nExamples:\n  sluice exec deployment/nginx -n shop -C member1 -- nginx -T\n  sluice exec nginx-abc -C member1 -it -- sh\n',
    )
    .action((word: string, command: readonly string[], flags: StreamFlags) =>
      withHub(flags, io, (hub) =>
        withPod(hub, { word, flags }, (pod) => stream(pod, { part: 'exec', command, flags, io })),
      ),
    );
}

/** `sluice attach` */
export function attachCommand({ io }: Run): Command {
  return connecting(new Command('attach'))
    .description(
      'Attach to the main process of a container in a member, through the cluster proxy and with your rights in the member.',
    )
    .argument('<POD>', 'a pod, or a workload as KIND/NAME of which one pod is taken')
    .addOption(clusterOption())
    .addOption(namespaceOption())
    .addOption(containerOption())
    .option('-i, --stdin', 'pass standard input to the process')
    .option('-t, --tty', 'the process has a terminal')
    .addHelpText('after', '\nExample:\n  sluice attach deployment/nginx -n shop -C member1\n')
    .action((word: string, flags: StreamFlags) =>
      withHub(flags, io, (hub) =>
        withPod(hub, { word, flags }, (pod) => stream(pod, { part: 'attach', command: [], flags, io })),
      ),
    );
}

interface Streaming {
  readonly part: 'exec' | 'attach';
  readonly command: readonly string[];
  readonly flags: StreamFlags;
  readonly io: Io;
}

async function stream(pod: MemberPod, streaming: Streaming): Promise<void> {
  const { part, io, flags } = streaming;
  const path = `${pod.path}/${part}`;
  const query = queryOf(pod, streaming);
  let outcome: unknown;
  const onData = (channel: number, data: Buffer): void => {
    if (channel === channelNumbers.stdout) io.out(data.toString('utf8'));
    else if (channel === channelNumbers.stderr) io.err(data.toString('utf8'));
    else if (channel === channelNumbers.error) outcome = JSON.parse(data.toString('utf8')) as unknown;
  };
  const channels = await opened(pod, { path, query, onData });
  const leave = (): void => channels.close();
  io.interrupted.addEventListener('abort', leave, { once: true });
  const stop = flags.stdin ? feed(channels, flags.tty === true) : undefined;
  await channels.ended;
  stop?.();
  requireSuccess(outcome);
}

/** A WebSocket cannot say why it was refused; the same request without an upgrade gets the reason as an answer. */
async function opened(
  { server, member }: MemberPod,
  request: { readonly path: string; readonly query: string; readonly onData: (channel: number, data: Buffer) => void },
): Promise<Channels> {
  try {
    return await openChannels(server.connection, { ...request, connectMilliseconds: 10_000 });
  } catch (error) {
    const { path, query } = request;
    await server.client.raw({ method: 'GET', path, query });
    throw new Failure(`${member} opened no stream`, { cause: error });
  }
}

function queryOf({ container }: MemberPod, { command, flags }: Streaming): string {
  const query = new URLSearchParams({ container, stdout: 'true' });
  // With a terminal both outputs are one.
  if (!flags.tty) query.set('stderr', 'true');
  if (flags.stdin) query.set('stdin', 'true');
  if (flags.tty) query.set('tty', 'true');
  for (const word of command) query.append('command', word);
  return query.toString();
}

/** Passes on what is typed, and the size of the terminal; returns what ends it. */
function feed(channels: Channels, tty: boolean): () => void {
  const { stdin, stdout } = process;
  const isRaw = tty && stdin.isTTY;
  const typed = (data: Buffer): void => channels.send(channelNumbers.stdin, data);
  const ended = (): void => channels.endInput();
  const resized = (): void => {
    const size = { Width: stdout.columns, Height: stdout.rows };
    channels.send(channelNumbers.resize, Buffer.from(JSON.stringify(size)));
  };
  if (isRaw) stdin.setRawMode(true);
  stdin.on('data', typed).on('end', ended).resume();
  if (isRaw && stdout.isTTY) {
    resized();
    stdout.on('resize', resized);
  }
  return () => {
    stdin.off('data', typed).off('end', ended).pause();
    stdout.off('resize', resized);
    if (isRaw) stdin.setRawMode(false);
  };
}

/** The stream ends with a Status: of what the command returned, or of why there was none. */
function requireSuccess(outcome: unknown): void {
  if (!isObject(outcome) || outcome['status'] !== 'Failure') return;
  const { message } = outcome;
  throw new Failure(typeof message === 'string' && message !== '' ? message : 'the command failed');
}
