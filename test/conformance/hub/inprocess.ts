import { crds } from '../../../src/api/index.ts';
import { createHub } from '../../../src/apiserver/index.ts';
import type { Hub, HubRequest, HubResponse } from '../../../src/apiserver/index.ts';
import { memoryStore } from '../../../src/store/index.ts';
import { frozen } from './frozen.ts';
import { EventReader } from './driver.ts';
import type { Driver, OpenTarget, Reply, Request, Target } from './driver.ts';

const user = { name: 'conformance', groups: ['system:masters', 'system:authenticated'] };

/** The hub as a function, without a socket. */
export const inProcess: Target = {
  name: 'in process',
  async open(): Promise<OpenTarget> {
    const store = frozen(memoryStore());
    const hub = await createHub({ store, definitions: crds() });
    return {
      driver: driverOf(hub),
      async close() {
        await hub.close();
        await store.close();
      },
    };
  },
};

function driverOf(hub: Hub): Driver {
  return {
    send: async (request) => replyOf(await hub.handle(requestOf(request))),
    async watch(path, headers = {}) {
      const response = await hub.handle(requestOf({ method: 'GET', path, headers }));
      let stop: (() => void) | undefined;
      const reader = new EventReader(response.status, () => stop?.());
      if (!response.stream) return finished(reader, response);
      stop = response.stream.open({
        write: (chunk) => reader.take(chunk),
        pending: () => 0,
        end: () => reader.end(),
      });
      return reader;
    },
  };
}

function finished(reader: EventReader, response: HubResponse): EventReader {
  reader.take(Buffer.concat([bodyOf(response), Buffer.from('\n')]));
  reader.end();
  return reader;
}

function requestOf({ method, path, body, headers = {} }: Request): HubRequest {
  const [bare = '', query = ''] = path.split('?');
  return {
    method,
    path: bare,
    query,
    headers: { 'content-type': 'application/json', ...headers },
    user,
    ...(body !== undefined && { body: bytesOf(body) }),
  };
}

/** A value as the bytes of a request. */
export function bytesOf(body: unknown): Buffer {
  if (Buffer.isBuffer(body)) return body;
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}

function bodyOf({ body, parts }: HubResponse): Buffer {
  return body ?? Buffer.concat(parts ?? []);
}

function replyOf(response: HubResponse): Reply {
  const text = bodyOf(response).toString('utf8');
  return { status: response.status, headers: response.headers, text, body: parsed(text) };
}

/** JSON, or undefined for what is none. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
