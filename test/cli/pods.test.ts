import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { readFile, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { KubeObject } from '../../src/api/index.ts';
import { deployment, memberCluster, policy } from '../kit/objects.ts';
import { openSystem } from './kit.ts';
import type { System } from './kit.ts';

let system: System;
let kubelet: Kubelet;
const web = deployment('web', { replicas: 1 });

beforeAll(async () => {
  system = await openSystem({ members: ['member1'], proxy: true, pods: true });
  await system.apply(policy('web', { to: 'member1' }), web);
  await system.untilHealthy(web, 'member1');
  kubelet = await Kubelet.open();
  await system.user.create(memberCluster('real'));
  const config = JSON.parse(await readFile(system.kubeconfig, 'utf8')) as Record<string, { name: string }[]>;
  config['clusters']?.push({ name: 'real', cluster: { server: kubelet.url } } as { name: string });
  config['users']?.push({ name: 'real', user: {} } as { name: string });
  config['contexts']?.push({ name: 'real', context: { cluster: 'real', user: 'real' } } as { name: string });
  await writeFile(`${system.folder}/both.json`, JSON.stringify(config));
}, 60_000);
afterAll(async () => {
  await kubelet.close();
  await system.close();
});

const both = ['--kubeconfig', 'both.json'];

/** A member with one pod whose containers run: it answers as a kubelet does, by WebSocket. */
class Kubelet {
  readonly asked: string[] = [];
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(server: Server) {
    this.#server = server;
    server.on('connection', (socket) => void this.#sockets.add(socket));
    server.on('request', (incoming, outgoing) => this.#answer(incoming, outgoing));
    server.on('upgrade', (incoming: IncomingMessage, socket) => {
      this.asked.push(incoming.url ?? '');
      const key = incoming.headers['sec-websocket-key'] ?? '';
      const accept = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
      const head = ['HTTP/1.1 101 Switching Protocols', 'Connection: Upgrade', 'Upgrade: websocket'];
      const protocol = 'Sec-WebSocket-Protocol: v5.channel.k8s.io';
      socket.write([...head, `Sec-WebSocket-Accept: ${accept}`, protocol, '', ''].join('\r\n'));
      socket.write(frame(1, 'hello\n'));
      socket.write(frame(2, 'oh\n'));
      const fails = incoming.url?.includes('command=false');
      const failure = { status: 'Failure', reason: 'NonZeroExitCode', message: 'command terminated with exit code 1' };
      socket.write(frame(3, JSON.stringify(fails ? failure : { status: 'Success' })));
      socket.end(Buffer.of(0x88, 0));
    });
  }

  static async open(): Promise<Kubelet> {
    const server = createServer();
    const kubelet = new Kubelet(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return kubelet;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  #answer({ url = '' }: IncomingMessage, outgoing: ServerResponse): void {
    this.asked.push(url);
    if (url.startsWith('/api/v1/namespaces/default/pods/web-1/log')) return void outgoing.end('one\ntwo\n');
    const answer = answers[url.replace(/\?.*/, '')];
    outgoing.statusCode = answer ? 200 : 404;
    outgoing.setHeader('content-type', 'application/json');
    outgoing.end(
      JSON.stringify(answer ?? { kind: 'Status', apiVersion: 'v1', status: 'Failure', code: 404, reason: 'NotFound' }),
    );
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

function frame(channel: number, text: string): Buffer {
  const body = Buffer.concat([Buffer.of(channel), Buffer.from(text)]);
  return Buffer.concat([Buffer.of(0x82, body.length), body]);
}

const pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web-1', namespace: 'default' },
  spec: { containers: [{ name: 'web' }, { name: 'side' }] },
} as KubeObject;
const usage = (name: string, cpu: string, memory: string): object => ({
  metadata: { name, namespace: 'default' },
  containers: [
    { name: 'a', usage: { cpu, memory } },
    { name: 'b', usage: { cpu: '1m', memory: '1Mi' } },
  ],
});
const answers: Readonly<Record<string, unknown>> = {
  '/api': { kind: 'APIVersions', versions: ['v1'] },
  '/apis': { kind: 'APIGroupList', apiVersion: 'v1', groups: [] },
  '/api/v1': {
    kind: 'APIResourceList',
    groupVersion: 'v1',
    resources: [
      { name: 'pods', singularName: 'pod', namespaced: true, kind: 'Pod', verbs: ['get', 'list'] },
      { name: 'events', singularName: 'event', namespaced: true, kind: 'Event', verbs: ['get', 'list'] },
    ],
  },
  '/api/v1/namespaces/default/pods/web-1': pod,
  '/api/v1/namespaces/default/events': { kind: 'EventList', apiVersion: 'v1', metadata: {}, items: [] },
  '/apis/metrics.k8s.io/v1beta1/namespaces/default/pods': {
    kind: 'PodMetricsList',
    items: [usage('web-1', '250m', '64Mi'), usage('web-2', '2', '1Gi')],
  },
};

describe('a pod of a member that runs processes', () => {
  test('logs prints what the container wrote, with the wishes of the caller', async () => {
    const { code, out } = await system.run(['logs', 'web-1', '-C', 'real', '-c', 'side', '--tail', '2', '-p', ...both]);
    expect([code, out]).toEqual([0, 'one\ntwo\n']);
    expect(kubelet.asked.at(-1)).toBe(
      '/api/v1/namespaces/default/pods/web-1/log?container=side&previous=true&tailLines=2',
    );
  });

  test('exec runs a command, and keeps its two outputs apart', async () => {
    const { code, out, err } = await system.run(['exec', 'pod/web-1', '-C', 'real', ...both, '--', 'echo', 'a b']);
    expect([code, out, err]).toEqual([0, 'hello\n', 'oh\n']);
    expect(kubelet.asked.at(-1)).toContain('/exec?container=web&stdout=true&stderr=true&command=echo&command=a+b');
  });

  test('exec fails as its command fails', async () => {
    const { code, err } = await system.run(['exec', 'web-1', '-C', 'real', ...both, '--', 'false']);
    expect([code, err]).toEqual([1, expect.stringContaining('command terminated with exit code 1')]);
  });

  test('attach shows what the process writes', async () => {
    const { code, out } = await system.run(['attach', 'web-1', '-C', 'real', ...both]);
    expect([code, out]).toEqual([0, 'hello\n']);
  });

  test('top adds up the containers of each pod, most first', async () => {
    const { code, out } = await system.run(['top', 'pods', '-C', 'real', '--sort-by', 'cpu', ...both]);
    expect(code).toBe(0);
    expect(out.split('\n').map((line) => line.split(/ +/))).toMatchObject([
      ['CLUSTER', 'NAMESPACE', 'NAME', 'CPU', 'MEMORY'],
      ['real', 'default', 'web-2', '2001m', '1025Mi'],
      ['real', 'default', 'web-1', '251m', '65Mi'],
      [''],
    ]);
  });

  test('describe -C shows the object of the member', async () => {
    const { code, out } = await system.run(['describe', 'pod/web-1', '-C', 'real', ...both]);
    expect([code, out]).toEqual([0, expect.stringMatching(/Name: +web-1/)]);
  });

  test.each<[string, readonly string[], number, RegExp]>([
    [
      'a container that is not there',
      ['logs', 'web-1', '-c', 'no', '-C', 'real'],
      1,
      /container no is not in pod web-1; there are web, side/,
    ],
    [
      'a pod that is not there',
      ['logs', 'nobody', '-C', 'real'],
      1,
      /there is no pod of nobody in namespace default of real/,
    ],
    ['a member that is not there', ['logs', 'web-1', '-C', 'away'], 1, /there is no member away/],
  ])('%s is said as such', async (_, words, code, said) => {
    expect(await system.run([...words, ...both])).toMatchObject({ code, err: expect.stringMatching(said) as unknown });
  });
});

describe('a simulated pod, through the cluster proxy', () => {
  test.each([['logs'], ['attach'], ['exec']])('%s says that it runs no process', async (command) => {
    const words = command === 'exec' ? ['--', 'ls'] : [];
    const { out, err } = await system.run([command, 'deployment/web', '-C', 'member1', ...words]);
    expect(out + err).toContain('this pod is simulated');
  });

  test('top says that the member serves no metrics', async () => {
    const { code, err } = await system.run(['top', 'nodes', '-C', 'member1']);
    expect([code, err]).toEqual([1, expect.stringContaining('member1: serves no metrics (metrics.k8s.io)')]);
  });

  test('a team works with its own rights, and without them it is refused', async () => {
    await system.account('team');
    await system.user.create({
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name: 'proxied' },
      rules: [
        { apiGroups: ['cluster.karmada.io'], resources: ['clusters'], verbs: ['list'] },
        { apiGroups: ['cluster.karmada.io'], resources: ['clusters/proxy'], verbs: ['get', 'create'] },
      ],
    } as KubeObject);
    await system.user.create(bound('proxied'));
    const team = ['--kubeconfig', 'team.json'];
    const refused = await system.run(['logs', 'deployment/web', '-C', 'member1', ...team]);
    expect([refused.code, refused.err]).toEqual([
      1,
      expect.stringContaining('"system:serviceaccount:default:team" cannot get resource "deployments"'),
    ]);
    await system.member('member1').create(bound('cluster-admin'));
    const allowed = await system.run(['logs', 'deployment/web', '-C', 'member1', ...team]);
    expect([allowed.code, allowed.out]).toEqual([0, expect.stringContaining('this pod is simulated')]);
  });
});

function bound(role: string): KubeObject {
  return {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: { name: `team-${role}` },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role },
    subjects: [{ kind: 'ServiceAccount', name: 'team', namespace: 'default' }],
  } as KubeObject;
}
