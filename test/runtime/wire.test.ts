import { connect, createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ApiClient, HttpsTransport, Reflector } from '../../src/client/index.ts';
import type { ReflectorState } from '../../src/client/index.ts';
import { builtinCatalog } from '../../src/api/index.ts';
import { HubCache, ManualClock } from '../../src/runtime/index.ts';
import { configMap, namespaceOf, openSecureHub, ours, until } from './kit.ts';
import type { SecureHub } from './kit.ts';

const kind = { apiVersion: 'v1', kind: 'ConfigMap' };

/** The wire between a client and a hub, which can be cut, and which can swallow everything without a word. */
class Wire {
  readonly #server: Server;
  readonly #pairs = new Set<readonly [Socket, Socket]>();
  swallows = false;

  constructor(port: number) {
    this.#server = createServer((near) => {
      const far = connect(port, '127.0.0.1');
      const pair = [near, far] as const;
      this.#pairs.add(pair);
      const end = (): void => {
        near.destroy();
        far.destroy();
        this.#pairs.delete(pair);
      };
      for (const [from, to] of [pair, [far, near] as const]) {
        from.on('data', (bytes) => this.swallows || to.write(bytes));
        from.on('close', end);
        from.on('error', end);
      }
    });
  }

  async open(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `https://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  cut(): void {
    for (const [near] of this.#pairs) near.destroy();
  }

  async close(): Promise<void> {
    this.cut();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

describe('on a real wire', () => {
  let hub: SecureHub;
  let wire: Wire;
  let direct: ApiClient;
  let transport: HttpsTransport;
  let namespace = '';
  let cache: HubCache;
  let clock: ManualClock;
  let reflector: Reflector;
  let states: string[] = [];
  let stop: AbortController;
  let running: Promise<void> = Promise.resolve();

  beforeEach(async () => {
    hub = await openSecureHub();
    wire = new Wire(hub.listener.port);
    direct = hub.client();
    namespace = await namespaceOf(direct);
    const options = { timeoutMilliseconds: 200, connectMilliseconds: 200 };
    transport = new HttpsTransport({ ...hub.connection, server: await wire.open() }, options);
    clock = new ManualClock();
    cache = new HubCache({ indexKeysOf: () => [], clock });
    stop = new AbortController();
    states = [];
  });
  afterEach(async () => {
    stop.abort();
    await running;
    await transport.close();
    await wire.close();
    await hub.close();
  });

  function follow(): void {
    const retry = { attempts: 1, longestMilliseconds: 0 };
    reflector = new Reflector({
      server: new ApiClient({ transport, resources: builtinCatalog, retry }),
      of: kind,
      select: { namespace, labelSelector: ours },
      onChanges: (changes) => cache.apply(changes),
      onState: ({ phase, because }: ReflectorState) => states.push(`${phase}: ${because}`),
      clock,
      random: () => 0,
      stallMilliseconds: 60_000,
    });
    running = reflector.run(stop.signal);
  }

  const create = (name: string): Promise<unknown> => direct.create(configMap(namespace, {}, name));
  const tick = (): void => clock.advance(20);

  it('goes on after every connection was cut', async () => {
    await create('a');
    follow();
    await until(() => cache.size === 1);
    wire.cut();
    await create('b');
    await until(() => cache.size === 2, tick);
    expect(states.some((state) => state.startsWith('waiting: '))).toBe(true);
    expect(states.filter((state) => state.startsWith('streaming')).length).toBe(0);
  });

  it('notices a wire that swallows everything, and goes on when it carries again', async () => {
    await create('a');
    follow();
    await until(() => cache.size === 1);
    wire.swallows = true;
    await create('b');
    clock.advance(60_000);
    await until(() => states.includes('waiting: stalled'));
    clock.advance(100);
    await until(() => states.some((state) => state.includes('cannot be reached')));
    wire.swallows = false;
    wire.cut();
    await until(() => cache.size === 2, tick);
  });

  it('takes up new credentials while it is refused', async () => {
    const certificate = hub.authority.clientCertificate({ commonName: 'nobody' });
    transport.rotate({ ...hub.connection, certificate });
    await create('a');
    follow();
    await until(() => states.some((state) => state.includes('forbidden')));
    expect(cache.size).toBe(0);
    transport.rotate(hub.connection);
    await until(() => cache.size === 1, tick);
    expect(reflector.state.synced).toBe(true);
  });
});
