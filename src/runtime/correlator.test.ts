import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../api/index.ts';
import { ManualClock } from './clock.ts';
import { Correlator } from './correlator.ts';
import type { Note } from './correlator.ts';

const about = (name: string): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'ns', uid: name },
});

function correlatorOf(): { clock: ManualClock; say: (message: string, name?: string) => Note | undefined } {
  const clock = new ManualClock();
  const correlator = new Correlator(clock);
  const say = (message: string, name = 'a'): Note | undefined =>
    correlator.note(about(name), { type: 'Normal', reason: 'Elected', message, component: 'detector' });
  return { clock, say };
}

describe('events that belong together', () => {
  it('counts repeats within ten minutes, and writes a new Event after that', () => {
    const { clock, say } = correlatorOf();
    const first = say('x');
    clock.advance(9 * 60_000);
    expect(say('x')).toBe(first);
    expect(first?.count).toBe(2);
    clock.advance(9 * 60_000);
    expect(say('x')?.count).toBe(3);
    clock.advance(10 * 60_000);
    expect(say('x')).toMatchObject({ count: 1 });
  });

  it('keeps objects and messages apart', () => {
    const { say } = correlatorOf();
    expect(new Set([say('x'), say('y'), say('x', 'b')]).size).toBe(3);
  });

  it('tells many messages of one reason together', () => {
    const { say } = correlatorOf();
    const notes = Array.from({ length: 12 }, (_, i) => say(`message ${i}`));
    expect(notes[9]?.message).toBe('message 9');
    expect(notes[10]).toBe(notes[11]);
    expect(notes[11]).toMatchObject({ count: 2, message: '(combined from similar events): message 11' });
    expect(say('message 3')).toMatchObject({ count: 2, message: 'message 3' });
  });

  it('stops listening to an object that talks too much, and to no other', () => {
    const { clock, say } = correlatorOf();
    const said = Array.from({ length: 30 }, () => say('x')).filter(Boolean).length;
    expect(said).toBe(26);
    expect(say('x', 'b')).toBeDefined();
    clock.advance(5 * 60_000);
    expect(say('x')).toBeDefined();
    expect(say('x')).toBeUndefined();
  });

  it('always takes a reason that is new to an object, however much was said of it', () => {
    const correlator = new Correlator(new ManualClock());
    const note = (reason: string): Note | undefined =>
      correlator.note(about('a'), { type: 'Normal', reason, message: 'm', component: 'detector' });
    for (let i = 0; i < 100; i++) note('SyncSucceed');
    expect(note('SyncSucceed')).toBeUndefined();
    expect(note('PreemptPolicySucceed')).toMatchObject({ isFirst: true, count: 1 });
  });

  it('always takes an event that a person has caused, also when its reason is not new', () => {
    const correlator = new Correlator(new ManualClock());
    const note = (message: string): Note | undefined =>
      correlator.note(about('a'), { type: 'Normal', reason: 'WorkDispatching', message, component: 'c', isKept: true });
    expect(note('flows')).toMatchObject({ isFirst: true });
    expect(note('suspended')).toMatchObject({ isFirst: true });
  });

  it('cuts messages that are too long for the API', () => {
    const { say } = correlatorOf();
    expect(say('x'.repeat(5000))?.message.length).toBe(1024);
  });
});
