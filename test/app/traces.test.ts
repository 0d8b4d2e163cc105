import { afterAll, beforeAll, expect, test } from 'vitest';
import { refOf } from '../../src/api/index.ts';
import type { Attributes, Tracer } from '../../src/observe/index.ts';
import { startLive } from '../kit/live.ts';
import type { Live } from '../kit/live.ts';
import { configMap, configMaps, policy } from '../kit/objects.ts';

let live: Live;
beforeAll(async () => {
  live = await startLive({ members: ['member1'] });
  await live.untilReady();
});
afterAll(() => live.close());

test('every answer that acts is a span, with its reason and its object', async () => {
  const spans: string[] = [];
  const tracer: Tracer = {
    span: (name: string, { object }: Attributes, work) => {
      spans.push(`${name} ${String(object)}`);
      return work();
    },
    close: () => Promise.resolve(),
  };
  await live.stop();
  await live.start({ tracer });
  const settings = configMap('settings');
  await live.apply(policy('pp', { to: 'member1', select: [configMaps({ name: 'settings' })] }), settings);
  await live.settle();
  expect(await live.placesOf(refOf(settings))).toEqual(['member1']);
  expect(spans).toEqual(
    expect.arrayContaining([
      'detector Elected v1|ConfigMap|default|settings',
      expect.stringMatching(/^binder Rendered .*\|settings-configmap$/),
      expect.stringMatching(/^dispatcher member1 Created /),
    ]),
  );
});
