import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Fleet } from '../../members/index.ts';
import { createLogger } from '../../observe/index.ts';
import { HubCache } from '../../runtime/index.ts';
import { ClusterWatch } from './watch.ts';

beforeEach(() => void vi.useFakeTimers({ now: Date.parse('2026-01-01T00:00:00Z') }));
afterEach(() => void vi.useRealTimers());

test('a hub that was stopped knows it as soon as anybody asks since when it watches, before its own timer rings', async () => {
  const view = new HubCache({ indexKeysOf: () => [] });
  const fleet = { all: [] } as unknown as Fleet;
  const watch = new ClusterWatch({ view, fleet, hub: {} as never, log: createLogger({ level: 'silent' }) } as never);
  watch.start();
  expect(view.awakeSince).toBe('2026-01-01T00:00:00Z');
  vi.setSystemTime(Date.parse('2026-01-01T00:00:05Z'));
  expect(view.awakeSince).toBe('2026-01-01T00:00:00Z');
  vi.setSystemTime(Date.parse('2026-01-01T00:05:05Z'));
  expect(view.awakeSince).toBe('2026-01-01T00:05:05Z');
  await watch.stop();
});
