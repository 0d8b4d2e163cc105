import { describe, expect, test } from 'vitest';
import { chunkOf, sendSoon } from './pace.ts';

const moment = (): Promise<void> => new Promise((resolve) => sendSoon(resolve));

describe('sendSoon', () => {
  test('a sender that asks twice is called once, together with later ones', async () => {
    const calls: string[] = [];
    const send = (): void => void calls.push('a');
    sendSoon(send);
    sendSoon(send);
    sendSoon(() => calls.push('b'));
    expect(calls).toEqual([]);
    await moment();
    expect(calls).toEqual(['a', 'b']);
  });

  test('a sender that asks during the calls is called the next time', async () => {
    const calls: string[] = [];
    const again = new Promise<void>((resolve) => {
      sendSoon(() => {
        calls.push('first');
        sendSoon(() => {
          calls.push('second');
          resolve();
        });
      });
    });
    await moment();
    expect(calls).toEqual(['first']);
    await again;
    expect(calls).toEqual(['first', 'second']);
  });
});

describe('chunkOf', () => {
  const [a, b, c] = ['a', 'b', 'c'].map((text) => Buffer.from(text)) as [Buffer, Buffer, Buffer];

  test('one frame is not copied', () => expect(chunkOf([a])).toBe(a));

  test('the same frames are put together once', () => {
    const chunk = chunkOf([a, b]);
    expect(chunk.toString()).toBe('ab');
    expect(chunkOf([a, b])).toBe(chunk);
  });

  test('other frames are other chunks', () => {
    chunkOf([a, b]);
    expect(chunkOf([a, b, c]).toString()).toBe('abc');
    expect(chunkOf([a, c]).toString()).toBe('ac');
    expect(chunkOf([b, a]).toString()).toBe('ba');
  });
});
