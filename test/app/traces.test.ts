import { afterAll, beforeAll, expect, test } from 'vitest';
import { refOf } from '../../src/api/index.ts';
import { openTracer, silentLogger } from '../../src/observe/index.ts';
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

test('an endpoint without an SDK that could send to it costs a warning and nothing else', async () => {
  const warnings: string[] = [];
  const log = { ...silentLogger, warn: (message: string) => void warnings.push(message) };
  const tracer = await openTracer({
    endpoint: 'http://127.0.0.1:4318',
    log,
    loadSdk: () => Promise.reject(new Error('no')),
  });
  expect(await tracer.span('a', {}, () => Promise.resolve(1))).toBe(1);
  expect(warnings).toEqual([expect.stringContaining('traces are off')]);
});
