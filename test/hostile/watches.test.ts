import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { builtinCatalog } from '../../src/api/index.ts';
import { createHub } from '../../src/apiserver/index.ts';
import type { Hub } from '../../src/apiserver/index.ts';
import { Backlog } from '../../src/apiserver/watch/backlog.ts';
import { WatchStream } from '../../src/apiserver/watch/stream.ts';
import { wallClock } from '../../src/observe/index.ts';
import { memoryStore } from '../../src/store/index.ts';
import type { Store } from '../../src/store/index.ts';

const pods = '/api/v1/namespaces/default/pods';
const asTable = 'application/json;as=Table;v=v1;g=meta.k8s.io';
let store: Store;
let hub: Hub;
let faults: unknown[];

beforeEach(async () => {
  store = memoryStore();
  faults = [];
  hub = await createHub({ store, onFault: (error) => void faults.push(error) });
});
afterEach(() => hub.close());

interface Watched {
  readonly status: number;
  readonly text: () => string;
  readonly ended: () => boolean;
}

async function watch(query: string, accept: string): Promise<Watched> {
  const request = { method: 'GET', path: pods, query: `watch=true&${query}`, headers: { accept } };
  const { status, stream } = await hub.handle(request);
  let text = '';
  let over = false;
  stream?.open({
    write: (chunk) => void (text += chunk.toString()),
    pending: () => 0,
    end: () => void (over = true),
  });
  return { status, text: () => text, ended: () => over };
}

async function create(name: string): Promise<number> {
  const body = Buffer.from(JSON.stringify({ metadata: { name }, spec: { containers: [{ name: 'c', image: 'i' }] } }));
  const headers = { 'content-type': 'application/json' };
  const { status } = await hub.handle({ method: 'POST', path: pods, query: '', headers, body });
  await new Promise((resolve) => setImmediate(resolve));
  return status;
}

describe('a watch', () => {
  test('for tables of something unknown is refused when it starts, not when the first event comes', async () => {
    const { status } = await watch('includeObject=-1', asTable);
    expect(status).toBe(400);
    expect(await create('a')).toBe(201);
  });

  test('a watch whose events cannot be written ends alone, with an error', async () => {
    const other = await watch('', 'application/json');
    let text = '';
    let over = false;
    const kind = builtinCatalog().byResource('', 'v1', 'pods');
    if (!kind) throw new Error('there are no pods');
    const plan = {
      store,
      clock: wallClock,
      kind,
      selection: { prefix: '/registry/core/pods/' },
      backlog: new Backlog(),
      from: store.revision,
      marksInitialEnd: false,
      bookmarks: false,
      lastsMilliseconds: 60_000,
      wantsObjects: false,
      encode: () => {
        throw new TypeError('unwritable');
      },
      onFault: (error: unknown) => void faults.push(error),
    };
    const stream = new WatchStream(plan, {
      write: (chunk) => void (text += chunk.toString()),
      pending: () => 0,
      end: () => void (over = true),
    });
    stream.start();
    expect(await create('b')).toBe(201);
    expect(text).toContain('"type":"ERROR"');
    expect(text).not.toContain('unwritable');
    expect(over).toBe(true);
    expect(faults).toMatchObject([{ message: 'unwritable' }]);
    expect(other.text()).toContain('"name":"b"');
  });
});
