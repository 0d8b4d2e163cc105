import type { IncomingMessage } from 'node:http';
import { Agent, request as send } from 'node:https';
import { crds } from '../../../src/api/index.ts';
import { createHub, listen } from '../../../src/apiserver/index.ts';
import { openAuthority } from '../../../src/auth/index.ts';
import { memoryStore } from '../../../src/store/index.ts';
import { EventReader } from './driver.ts';
import type { Driver, OpenTarget, Reply, Request, Target } from './driver.ts';
import { bytesOf, parsed } from './inprocess.ts';

/** The hub behind its listener, reached with the administrator's certificate. */
export const https: Target = {
  name: 'HTTPS',
  async open(): Promise<OpenTarget> {
    const authority = await openAuthority();
    const store = memoryStore();
    const hub = await createHub({ store, definitions: crds(), authority });
    const listener = await listen({
      hub,
      serving: authority.serving,
      clientAuthority: authority.certificate,
      port: 0,
    });
    const { certificate: cert, key } = authority.admin;
    const agent = new Agent({ keepAlive: true, ca: authority.certificate, cert, key });
    return {
      driver: httpsDriver({ host: '127.0.0.1', port: listener.port, agent }),
      async close() {
        agent.destroy();
        await listener.close();
        await hub.close();
        await store.close();
      },
    };
  },
};

interface Connection {
  readonly host: string;
  readonly port: number;
  readonly agent: Agent;
}

/** Any API server that speaks HTTPS. */
export function httpsDriver(connection: Connection): Driver {
  return {
    async send(request) {
      const { response } = await exchange(connection, request);
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk as Buffer);
      return replyOf(response, Buffer.concat(chunks).toString('utf8'));
    },
    async watch(path, headers) {
      const { response, stop } = await exchange(connection, { method: 'GET', path, ...(headers && { headers }) });
      const reader = new EventReader(response.statusCode ?? 0, stop);
      response.on('data', (chunk: Buffer) => reader.take(chunk));
      response.on('end', () => reader.end());
      response.on('error', () => reader.end());
      return reader;
    },
  };
}

interface Exchange {
  readonly response: IncomingMessage;
  readonly stop: () => void;
}

function exchange({ host, port, agent }: Connection, request: Request): Promise<Exchange> {
  const { method, path, body, headers = {} } = request;
  const bytes = body === undefined ? undefined : bytesOf(body);
  const all = { 'content-type': 'application/json', ...(bytes && { 'content-length': bytes.length }), ...headers };
  return new Promise((resolve, reject) => {
    const outgoing = send({ host, port, agent, method, path, headers: all }, (response) =>
      resolve({ response, stop: () => outgoing.destroy() }),
    );
    outgoing.on('error', reject);
    outgoing.end(bytes);
  });
}

function replyOf(response: IncomingMessage, text: string): Reply {
  return { status: response.statusCode ?? 0, headers: response.headers, text, body: parsed(text) };
}
