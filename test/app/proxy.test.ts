import { createServer } from 'node:http';
import type { Server } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Cluster } from '../../src/api/index.ts';
import { refOf } from '../../src/api/index.ts';
import { startLive } from '../kit/live.ts';
import type { Live } from '../kit/live.ts';
import { configMap, configMaps, memberCluster, policy } from '../kit/objects.ts';
import { until } from '../kit/until.ts';

/** A proxy as companies have them: tunnels for who carries its header, and nobody else. */
class Proxy {
  readonly #server: Server = createServer((_, response) => response.writeHead(405).end());
  readonly #sockets = new Set<Socket>();
  tunnels = 0;
  refused = 0;

  async open(): Promise<string> {
    this.#server.on('connect', ({ url = '', headers }, socket: Socket) => {
      this.#sockets.add(socket);
      socket.on('error', () => socket.destroy());
      if (headers['x-team'] !== 'shop') {
        this.refused++;
        socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
        return;
      }
      this.tunnels++;
      const [host, port] = url.split(':');
      const target = connect(Number(port), host, () => {
        socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
        target.pipe(socket).pipe(target);
      });
      target.on('error', () => socket.destroy());
      socket.on('close', () => target.destroy());
    });
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }
}

const proxy = new Proxy();
let live: Live;
let url: string;
beforeAll(async () => {
  url = await proxy.open();
  live = await startLive({ members: ['member1'] });
  await live.untilReady();
  await live.apply(policy('all', { to: 'member1', select: [configMaps({ name: 'a' }), configMaps({ name: 'b' })] }));
});
afterAll(async () => {
  await live.close();
  proxy.close();
});

const cluster = refOf(memberCluster('member1'));
const isReady = async (): Promise<boolean> => {
  const { status } = await live.user.get<Cluster>(cluster);
  return status?.conditions?.find(({ type }) => type === 'Ready')?.status === 'True';
};

test('a member behind a proxy is reached through it, with its headers', async () => {
  await live.user.patch(cluster, { spec: { proxyURL: url, proxyHeader: { 'X-Team': 'shop' } } }, { type: 'merge' });
  await until('there is a tunnel', async () => proxy.tunnels > 0);
  await live.apply(configMap('a'));
  await until('a has arrived', async () => (await live.placesOf(refOf(configMap('a')))).length === 1);
  expect(proxy.refused).toBe(0);
});

test('a proxy that says no is told in the condition of the Cluster, and what waits goes when it says yes', async () => {
  await live.user.patch(cluster, { spec: { proxyHeader: { 'X-Team': 'nobody' } } }, { type: 'merge' });
  await until('the proxy was asked', async () => proxy.refused > 0);
  await until('the member is not ready', async () => !(await isReady()));
  const { status } = await live.user.get<Cluster>(cluster);
  expect(status?.conditions?.find(({ type }) => type === 'Ready')?.message).toMatch(/not reachable: .*407/);
  await live.apply(configMap('b'));
  await live.user.patch(cluster, { spec: { proxyHeader: { 'X-Team': 'shop' } } }, { type: 'merge' });
  await until('b has arrived', async () => (await live.placesOf(refOf(configMap('b')))).length === 1);
  expect(await isReady()).toBe(true);
}, 60_000);
