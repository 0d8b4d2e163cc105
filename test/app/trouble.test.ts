import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Binding, Cluster, KubeObject } from '../../src/api/index.ts';
import { refOf } from '../../src/api/index.ts';
import { Unreachable } from '../../src/client/index.ts';
import type { Chunk, Transport } from '../../src/client/index.ts';
import { bindingRefOf } from '../../src/engine/index.ts';
import { startLive } from '../kit/live.ts';
import type { Live } from '../kit/live.ts';
import { configMap, configMaps, memberCluster, policy } from '../kit/objects.ts';
import { until } from '../kit/until.ts';

let live: Live;
beforeAll(async () => {
  live = await startLive({ members: ['sick', 'well'] });
  await live.untilReady();
});
afterAll(() => live.close());

const select = [configMaps({ labelSelector: { matchLabels: { app: 'web' } } })];
const labels = { app: 'web' };
const changed = configMap('changed', { labels });
const quiet = configMap('quiet', { labels });

async function itemOf(
  template: KubeObject,
): Promise<NonNullable<NonNullable<Binding['status']>['aggregatedStatus']>[number] | undefined> {
  const binding = await live.user.get<Binding>(bindingRefOf(template));
  return binding.status?.aggregatedStatus?.find(({ clusterName }) => clusterName === 'sick');
}

async function lostSince(): Promise<string> {
  return until('the member is called not ready', async () => {
    const { status } = await live.user.get<Cluster>(refOf(memberCluster('sick')));
    const ready = status?.conditions?.find(({ type }) => type === 'Ready');
    return ready?.status === 'False' && ready.lastTransitionTime;
  });
}

test('a binding says what waits for a member that is down, and since when; what does not wait says nothing', async () => {
  await live.apply(policy('web', { to: ['sick', 'well'], select }), changed, quiet);
  await live.settle();
  // Times are told in seconds: what was sent in the very second of the loss may have arrived or not.
  const sent = Math.floor(Date.now() / 1000);
  await until('another second', async () => Math.floor(Date.now() / 1000) > sent);
  const began = Date.now();
  await live.simulated('sick').setFaults({ down: true });
  const since = await lostSince();
  expect(Date.parse(since)).toBeGreaterThanOrEqual(Math.floor(began / 1000) * 1000);

  await live.apply(configMap('changed', { labels, value: 'two' }));
  await until('the binding says so', async () => {
    expect(await itemOf(changed)).toMatchObject({
      applied: false,
      appliedMessage: expect.stringContaining(`sick is not ready since ${since}: cluster is not reachable`) as string,
    });
    return true;
  });
  expect(await itemOf(quiet)).toMatchObject({ applied: true });

  const writes = async (): Promise<string> => {
    const [a, b] = [await live.user.get(bindingRefOf(changed)), await live.user.get(bindingRefOf(quiet))];
    return `${a.metadata.resourceVersion} ${b.metadata.resourceVersion}`;
  };
  await live.settle();
  const before = await writes();
  await live.restart();
  await until('everything was looked at', async () => live.plane.pipeline.idle);
  expect(await writes()).toBe(before);

  await live.simulated('sick').reset();
  await until('it has arrived', async () => (await itemOf(changed))?.applied === true);
  expect(await live.member('sick').get(refOf(changed))).toMatchObject({ data: { value: 'two' } });
});

/** A way to members on which so many questions whether they are ready are answered with an error. */
function ill(times: number): (transport: Transport) => Transport {
  let left = times;
  return (transport) => ({
    send: async (request) => {
      if (request.path !== '/readyz' || left <= 0) return transport.send(request);
      left--;
      return { status: 500, headers: {}, body: 'etcd has no leader' };
    },
    stream: (request) => transport.stream(request),
    close: () => transport.close(),
  });
}

// The kinds of the member are unknown then, and nothing about its Cluster changes once they are known.
test('a member that is ill when the controllers start is looked after as soon as it is well', async () => {
  const lost = configMap('lost', { labels });
  await live.apply(policy('web', { to: ['sick', 'well'], select }), lost);
  await until('both have it', async () => (await live.placesOf(refOf(lost))).length === 2);
  await live.settle();
  await live.stop();
  for (const name of live.members) await live.member(name).delete(refOf(lost));
  await live.start({ betweenMembers: ill(live.members.length) });
  await until('both have it again', async () => (await live.placesOf(refOf(lost))).length === 2);
});

/** A way to members that dies and comes back: connections from before stay open, and nothing is heard on them ever again. */
class Line {
  isDead = false;
  #deaths = 0;

  die(): void {
    this.isDead = true;
    this.#deaths++;
  }

  readonly between = (transport: Transport): Transport => ({
    send: async (request) => {
      if (this.isDead) throw new Unreachable('timeout', 'nobody answers', { sent: true });
      return transport.send(request);
    },
    stream: async (request) => {
      if (this.isDead) throw new Unreachable('timeout', 'nobody answers', { sent: true });
      const opened = await transport.stream(request);
      return opened.chunks ? { ...opened, chunks: this.#heard(opened.chunks) } : opened;
    },
    close: () => transport.close(),
  });

  async *#heard(chunks: AsyncIterable<Chunk>): AsyncGenerator<Chunk> {
    const deaths = this.#deaths;
    for await (const chunk of chunks) if (deaths === this.#deaths) yield chunk;
  }
}

test('a change in a member that was cut off is seen when it answers again, though its watches never ended', async () => {
  const line = new Line();
  const strayed = configMap('strayed', { labels, value: 'told' });
  await live.restart();
  await live.apply(policy('web', { to: ['sick', 'well'], select }), strayed);
  await live.settle();
  await live.stop();
  await live.start({ betweenMembers: line.between });
  await live.settle();
  line.die();
  await live.member('sick').patch(refOf(strayed), { data: { value: 'by hand' } }, { type: 'merge' });
  await until('it is missed', async () => !live.plane.members.of('sick').reachable);
  line.isDead = false;
  await until('it is as it was told to be', async () => {
    expect(await live.member('sick').get(refOf(strayed))).toMatchObject({ data: { value: 'told' } });
    return true;
  });
});
