import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { expired, refOf } from '../../src/api/index.ts';
import type { KubeObject } from '../../src/api/index.ts';
import { Reflector, Unreachable } from '../../src/client/index.ts';
import type { ApiClient, ReflectedChange, ReflectorOptions } from '../../src/client/index.ts';
import { ManualClock } from '../../src/runtime/index.ts';
import { configMap, Faults, namespaceOf, ours, targets, until } from './kit.ts';
import type { OpenHub } from './kit.ts';

const kind = { apiVersion: 'v1', kind: 'ConfigMap' };
const cutError = new Unreachable('cut', 'the connection broke', { sent: true });
const goneBody = { status: 410, headers: {}, body: expired('too old').status };

describe.each(targets)('a reflector %s', (_name, open) => {
  let hub: OpenHub;
  let faults: Faults;
  let client: ApiClient;
  let namespace = '';
  let clock: ManualClock;
  let changes: ReflectedChange[] = [];
  let stop: AbortController;
  let running: Promise<void>;

  beforeEach(async () => {
    hub = await open();
    faults = new Faults(hub.transport);
    client = hub.client();
    namespace = await namespaceOf(client);
    clock = new ManualClock();
    changes = [];
    stop = new AbortController();
    running = Promise.resolve();
  });
  afterEach(async () => {
    stop.abort();
    await running;
    await hub.close();
  });

  function follow(more: Partial<ReflectorOptions> = {}): Reflector {
    const server = hub.client(faults, { retry: { attempts: 1, longestMilliseconds: 0 } });
    const reflector = new Reflector({
      server,
      of: kind,
      select: { namespace, labelSelector: ours },
      onChanges: (told) => changes.push(...told),
      clock,
      random: () => 0,
      ...more,
    });
    running = reflector.run(stop.signal);
    return reflector;
  }

  const create = (name: string): Promise<KubeObject> => client.create(configMap(namespace, {}, name));
  const told = (): string[] =>
    changes.map(({ key, after, origin }) => `${after ? '+' : '-'}${key.split('|')[3]} ${origin}`);
  const tick = (): void => clock.advance(20);
  const watching = (reflector: Reflector) => () => reflector.state.phase === 'watching' && faults.streams === 1;

  it.each([true, false])('tells what is there, then what happens (begins with a stream: %s)', async (watchList) => {
    await create('a');
    await create('b');
    let synced = 0;
    const reflector = follow({ watchList, onSynced: () => synced++, pageSize: 1 });
    await until(watching(reflector));
    expect([told(), synced]).toEqual([['+a list', '+b list'], 1]);
    const c = await create('c');
    await client.delete(refOf(c));
    await until(() => changes.length === 4);
    expect(told().slice(2)).toEqual(['+c watch', '-c watch']);
    expect(Object.isFrozen(changes[0]?.after?.metadata)).toBe(true);
    expect(reflector.size).toBe(2);
  });

  it.each([true, false])('lets others go on while it tells a large collection (stream: %s)', async (watchList) => {
    for (const name of ['a', 'b', 'c', 'd', 'e']) await create(name);
    let [turn, syncedWith] = [0, -1];
    const reports: { readonly turn: number; readonly count: number }[] = [];
    const reflector = follow({
      watchList,
      pieceSize: 2,
      onChanges: (told) => {
        changes.push(...told);
        reports.push({ turn, count: told.length });
        setImmediate(() => turn++);
      },
      onSynced: () => (syncedWith = changes.length),
    });
    await until(watching(reflector));
    expect(reports).toEqual([
      { turn: 0, count: 2 },
      { turn: 1, count: 2 },
      { turn: 2, count: 1 },
    ]);
    expect(syncedWith).toBe(5);
  });

  it('tells no more of a large collection once it is stopped', async () => {
    for (const name of ['a', 'b', 'c']) await create(name);
    const reflector = follow({
      pieceSize: 1,
      onChanges: (told) => {
        changes.push(...told);
        stop.abort();
      },
    });
    await running;
    expect([told(), reflector.state.phase]).toEqual([['+a list'], 'stopped']);
  });

  it('tells what was there before when it is asked to remember', async () => {
    const a = await create('a');
    const reflector = follow({ remember: true });
    await until(watching(reflector));
    await client.delete(refOf(a));
    await until(() => changes.length === 2);
    expect(changes.map(({ before }) => before)).toEqual([undefined, a]);
  });

  it('resumes after a cut where it was, and misses nothing', async () => {
    const reflector = follow();
    await until(watching(reflector));
    const { resourceVersion } = (await create('a')).metadata;
    await until(() => changes.length === 1);
    faults.cut(cutError);
    await until(() => reflector.state.phase === 'waiting');
    await create('b');
    clock.advance(100);
    await until(() => changes.length === 2);
    expect(told()).toEqual(['+a watch', '+b watch']);
    expect(faults.asked.at(-1)).toContain(`resourceVersion=${resourceVersion}`);
  });

  it('waits no longer when it hears that the server answers', async () => {
    const reflector = follow();
    await until(watching(reflector));
    reflector.hurry();
    faults.cut(cutError);
    await until(() => reflector.state.phase === 'waiting');
    await create('a');
    reflector.hurry();
    await until(() => changes.length === 1);
    expect(clock.now()).toBe(new ManualClock().now());
  });

  it('does not take a long reading of the collection for a watch that held', async () => {
    await create('a');
    const slowly = (object: KubeObject): KubeObject => {
      clock.advance(20_000);
      return object;
    };
    const reflector = follow({ keep: slowly });
    await until(watching(reflector));
    faults.answerStream = ({ query }) => (query.includes('resourceVersion=') ? goneBody : undefined);
    faults.cut(cutError);
    for (const failures of [1, 2]) {
      await until(() => reflector.state.phase === 'waiting' && reflector.state.failures === failures);
      reflector.hurry();
    }
    await until(watching(reflector));
    faults.cut(cutError);
    await until(() => reflector.state.phase === 'waiting');
    expect(reflector.state.failures).toBe(3);
  });

  it.each([true, false])('reads again after 410 and tells only differences (stream: %s)', async (watchList) => {
    const a = await create('a');
    await create('b');
    const reflector = follow({ watchList });
    await until(watching(reflector));
    faults.answerStream = ({ query }) => (query.includes('resourceVersion=') ? goneBody : undefined);
    faults.silent = true;
    await client.delete(refOf(a));
    await create('c');
    faults.cut(cutError);
    faults.silent = false;
    await until(() => changes.length === 4, tick);
    expect(told().slice(2).sort()).toEqual(['+c list', '-a list']);
    faults.answerStream = undefined;
    await until(watching(reflector), tick);
    await create('d');
    await until(() => changes.length === 5);
    expect(told()[4]).toBe('+d watch');
  });

  it('reads again when the watch itself says that it is too old', async () => {
    await create('a');
    const reflector = follow();
    await until(watching(reflector));
    let sent = 0;
    const error = { type: 'ERROR', object: expired('too old').status };
    faults.answerStream = () => {
      if (sent++ > 0) return undefined;
      const chunks = (async function* () {
        yield [error];
      })();
      return { status: 200, headers: {}, chunks };
    };
    faults.cut(cutError);
    await until(() => reflector.state.phase === 'waiting');
    clock.advance(100);
    await until(() => sent === 1 && reflector.state.because === 'gone');
    clock.advance(30_000);
    await until(watching(reflector));
    expect(told()).toEqual(['+a list']);
  });

  it('waits longer and longer for a server that does not answer, and never asks without pause', async () => {
    faults.answerStream = () => cutError;
    faults.answer = () => cutError;
    const reflector = follow();
    const asked: number[] = [];
    for (let round = 0; round < 6; round++) {
      await until(() => reflector.state.phase === 'waiting' && reflector.state.failures === round + 1);
      asked.push(faults.asked.length);
      clock.advance(100 * 2 ** round);
    }
    expect(asked).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('falls back to lists where streams of the collection are refused', async () => {
    await create('a');
    const refusal = {
      kind: 'Status',
      status: 'Failure',
      code: 422,
      reason: 'Invalid',
      message: 'sendInitialEvents is forbidden',
    };
    faults.answerStream = ({ query }) =>
      query.includes('sendInitialEvents') ? { status: 422, headers: {}, body: refusal } : undefined;
    const reflector = follow();
    await until(watching(reflector));
    expect(told()).toEqual(['+a list']);
    expect(reflector.state.watchList).toBe(false);
  });

  it('takes a watch on which nothing comes for dead, and goes on from where it was', async () => {
    const reflector = follow({ stallMilliseconds: 1000 });
    await until(watching(reflector));
    faults.silent = true;
    await create('a');
    clock.advance(1000);
    await until(() => reflector.state.phase === 'waiting');
    expect(reflector.state.because).toBe('stalled');
    faults.silent = false;
    clock.advance(100);
    await until(() => changes.length === 1);
    expect(told()).toEqual(['+a watch']);
  });

  it('waits for a server that ends every watch at once', async () => {
    const reflector = follow();
    await until(watching(reflector));
    const none = (async function* () {})();
    faults.answerStream = () => ({ status: 200, headers: {}, chunks: none });
    faults.cut(cutError);
    await until(() => reflector.state.phase === 'waiting');
    clock.advance(100);
    await until(() => reflector.state.phase === 'waiting' && reflector.state.failures === 2);
    expect(reflector.state.because).toBe('the server ended the watch at once');
  });

  it('doubts a server that talks nonsense', async () => {
    faults.answerStream = () => ({ status: 200, headers: {}, chunks: bytes('<html>maintenance</html>\n') });
    const reflector = follow();
    await until(() => reflector.state.phase === 'waiting');
    expect(reflector.state.because).toBe('the watch sent a line that is not JSON');
    faults.answerStream = undefined;
    clock.advance(100);
    await until(watching(reflector));
  });

  it('starts over with a server whose revisions began anew', async () => {
    for (let i = 0; i < 5; i++) await create(`a${i}`);
    const reflector = follow();
    await until(watching(reflector));
    const other = await open();
    const younger = other.client();
    await younger.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
    await younger.create(configMap(namespace, {}, 'a0'));
    faults.answerStream = (request) => (request.query.includes('resourceVersion=') ? goneBody : undefined);
    const replaced = new Faults(other.transport);
    faults.stream = (request) => replaced.stream(request);
    faults.send = (request) => replaced.send(request);
    faults.cut(cutError);
    await until(() => changes.length === 10, tick);
    expect(changes.slice(5).every(({ rewound }) => rewound)).toBe(true);
    expect(told().slice(5).sort()).toEqual(['+a0 list', '-a1 list', '-a2 list', '-a3 list', '-a4 list']);
    stop.abort();
    await running;
    await other.close();
  });

  it('stops when told to, in every state', async () => {
    const reflector = follow();
    await until(watching(reflector));
    stop.abort();
    await running;
    expect(reflector.state.phase).toBe('stopped');
  });
});

async function* bytes(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text);
}
