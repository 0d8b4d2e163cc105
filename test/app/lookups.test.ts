import { afterAll, beforeAll, expect, test } from 'vitest';
import { refOf } from '../../src/api/index.ts';
import type { KubeObject } from '../../src/api/index.ts';
import { delayed } from '../kit/delayed.ts';
import { startLive } from '../kit/live.ts';
import type { Live } from '../kit/live.ts';
import { configMap, configMaps, policy } from '../kit/objects.ts';
import { until } from '../kit/until.ts';

let live: Live;
const later = Promise.withResolvers<void>();

/** Requests that list ConfigMaps of a member wait until the end; single ones can be read. */
const withoutLists = delayed(async ({ method, path }) => {
  if (method === 'GET' && path.endsWith('/configmaps')) await later.promise;
});

const valueIn = async (object: KubeObject): Promise<unknown> => {
  const found = await live.member('member1').find<KubeObject & { readonly data?: object }>(refOf(object));
  return found?.data;
};

beforeAll(async () => {
  live = await startLive({ members: ['member1'] });
  await live.apply(policy('all', { to: 'member1', select: [configMaps()] }));
  for (const name of ['edited', 'left', 'ended']) await live.apply(configMap(name, { value: 'one' }));
  await live.settle();
  await live.stop();
  await live.start({ betweenMembers: withoutLists });
});
afterAll(async () => {
  later.resolve();
  await live.close();
});

test('after a start, what a person does waits for no list of all that a member has', async () => {
  await live.apply(configMap('edited', { value: 'two' }));
  await live.apply(configMap('made', { value: 'two' }));
  await live.user.delete(refOf(configMap('ended')));
  await until('the edit is there', async () => {
    expect(await valueIn(configMap('edited'))).toEqual({ value: 'two' });
    expect(await valueIn(configMap('made'))).toEqual({ value: 'two' });
    expect(await valueIn(configMap('ended'))).toBeUndefined();
    return true;
  });

  later.resolve();
  await live.settle();
  expect(await valueIn(configMap('left'))).toEqual({ value: 'one' });
});
