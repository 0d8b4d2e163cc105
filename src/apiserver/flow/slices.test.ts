import { expect, test } from 'vitest';
import type { HubRequest } from '../http.ts';
import { beginStage, endOfStage, inSlices } from './slices.ts';

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

/** A request with a body of so many bytes. */
const requestOf = (bytes: number): HubRequest => ({
  method: 'PATCH',
  path: '/',
  query: '',
  headers: {},
  body: Buffer.alloc(bytes),
});

test('a long stage of a large request ends with a pause, a short one does not', async () => {
  const large = requestOf(1_000_000);
  beginStage(large);
  busy(10);
  const pause = endOfStage(large);
  expect(pause).toBeDefined();
  let isFree = false;
  setImmediate(() => (isFree = true));
  await pause;
  expect(isFree).toBe(true);
  expect(endOfStage(large)).toBe(undefined);
});

test('a small request is never interrupted', () => {
  const small = requestOf(1_000);
  beginStage(small);
  busy(10);
  expect(endOfStage(small)).toBe(undefined);
});
