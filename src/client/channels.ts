import { WebSocket } from 'undici';
import { Unreachable } from './errors.ts';
import { agentOf } from './https.ts';
import type { Connection } from './https.ts';

/** The channels of a stream into a container, as Kubernetes numbers them. */
export const channelNumbers = { stdin: 0, stdout: 1, stderr: 2, error: 3, resize: 4, close: 255 } as const;

/** Newest first: from version 5 on the end of the input can be said. */
const protocols = ['v5.channel.k8s.io', 'v4.channel.k8s.io'];

export interface ChannelRequest {
  readonly path: string;
  /** Encoded, without the question mark. */
  readonly query: string;
  readonly connectMilliseconds: number;
  readonly onData: (channel: number, data: Buffer) => void;
}

/** An open stream into a container: `exec` and `attach`. */
export interface Channels {
  send(channel: number, data: Uint8Array): void;
  /** Says that there is no more input; servers before version 5 of the protocol cannot be told. */
  endInput(): void;
  /** Resolves when the server has closed the stream. */
  readonly ended: Promise<void>;
  close(): void;
}

/** Opens a stream by WebSocket; throws Unreachable when the server opens none. */
export async function openChannels(connection: Connection, request: ChannelRequest): Promise<Channels> {
  const { path, query, connectMilliseconds, onData } = request;
  const { token, server } = connection;
  const bearer = typeof token === 'function' ? await token() : token;
  const dispatcher = agentOf(connection, connectMilliseconds);
  const url = `${server.replace(/\/+$/, '').replace(/^http/, 'ws')}${path}?${query}`;
  const headers = { 'user-agent': 'sluice-cli', ...(bearer && { authorization: `Bearer ${bearer}` }) };
  const socket = new WebSocket(url, { protocols, headers, dispatcher });
  socket.binaryType = 'arraybuffer';
  socket.addEventListener('message', ({ data }) => {
    const bytes = Buffer.from(data as ArrayBuffer);
    if (bytes.length > 0) onData(bytes[0] ?? 0, bytes.subarray(1));
  });
  const ended = new Promise<void>((resolve) => {
    socket.addEventListener('close', () => resolve());
  }).finally(() => dispatcher.destroy());
  await opened(socket, server);
  return {
    send: (channel, data) => socket.send(Buffer.concat([Buffer.of(channel), data])),
    endInput: () => {
      if (socket.protocol === protocols[0]) socket.send(Buffer.of(channelNumbers.close, channelNumbers.stdin));
    },
    ended,
    close: () => socket.close(),
  };
}

function opened(socket: WebSocket, server: string): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.addEventListener('open', () => resolve());
    socket.addEventListener('error', ({ error }) => {
      const why = error instanceof Error ? `: ${error.message}` : '';
      reject(new Unreachable('nonsense', `${server} opened no stream${why}`, { sent: true }));
    });
  });
}
