import { expect, test } from 'vitest';
import { inSlices } from './slices.ts';

function busy(milliseconds: number): void {
  for (const end = performance.now() + milliseconds; performance.now() < end;);
}

function* steps(count: number, milliseconds: number): Generator<undefined, string, undefined> {
  for (let i = 0; i < count; i++) {
    busy(milliseconds);
    yield;
  }
  return 'done';
}

test('the event loop is free between two long steps', async () => {
  let looks = 0;
  let isDone = false;
  const look = (): void => {
    looks++;
    if (!isDone) setImmediate(look);
  };
  look();
  expect(await inSlices(steps(5, 10))).toBe('done');
  isDone = true;
  expect(looks).toBeGreaterThanOrEqual(5);
});

test('short steps run at once', async () => {
  let isLate = false;
  setImmediate(() => (isLate = true));
  await inSlices(steps(5, 0));
  expect(isLate).toBe(false);
});

test('a failure of a step is the failure of all', async () => {
  const failing = (function* () {
    yield;
    throw new Error('no');
  })();
  await expect(inSlices(failing)).rejects.toThrow('no');
});
