import { describe, expect, it } from 'vitest';
import { expired, failure, forbidden, timeout, tooManyRequests } from '../../api/index.ts';
import { Unreachable } from '../errors.ts';
import { backoffOf, firstState, stateText, step } from './machine.ts';
import type { Happening, ReflectorState } from './machine.ts';

const listed: Happening = { did: 'listed', resourceVersion: '10' };
const saw = (resourceVersion: string): Happening => ({ did: 'saw', resourceVersion });
const failed = (error: unknown, lasted = 0): Happening => ({ did: 'failed', error, lasted });
const ended = (lasted: number): Happening => ({ did: 'ended', lasted });
const waited: Happening = { did: 'waited' };
const stalled: Happening = { did: 'stalled' };
const gone = failed(expired('too old'));
const cutAgain = new Unreachable('cut', 'cut', { sent: true });
const cut = failed(cutAgain);

function after(watchList: boolean, ...happenings: readonly Happening[]): ReflectorState {
  return happenings.reduce(step, firstState(watchList));
}

/** `phase→next@revision`, with the failures where there are any. */
function brief({ phase, next, resourceVersion, failures }: ReflectorState): string {
  return `${phase}${phase === 'waiting' ? `→${next}` : ''}@${resourceVersion}${failures ? ` ${failures}` : ''}`;
}

describe('the states of a reflector', () => {
  it.each<[string, boolean, readonly Happening[], string]>([
    ['starts with a stream where that is offered', true, [], 'streaming@'],
    ['starts with a list elsewhere', false, [], 'listing@'],
    ['watches from the revision of the list', false, [listed], 'watching@10'],
    ['moves on with every event and bookmark', false, [listed, saw('12'), saw('15')], 'watching@15'],
    ['watches on when the server ends the watch', false, [listed, saw('12'), ended(300_000)], 'watching@12'],
    ['waits when it ends at once', false, [listed, ended(5)], 'waiting→watch@10 1'],
    ['resumes where it was after a cut', false, [listed, saw('12'), cut, waited], 'watching@12 1'],
    [
      'forgets failures after a watch that held',
      false,
      [listed, cut, waited, cut, waited, ended(20_000)],
      'watching@10',
    ],
    [
      'forgets a few failures after a watch that held longer than they made it wait',
      false,
      [listed, cut, waited, cut, waited, ended(1_000)],
      'watching@10',
    ],
    [
      'remembers many failures after a watch that held for less',
      false,
      [listed, cut, waited, cut, waited, cut, waited, cut, waited, ended(1_500)],
      'watching@10 4',
    ],
    [
      'counts anew when one trouble follows another',
      false,
      [listed, cut, waited, failed(cutAgain, 3_000)],
      'waiting→watch@10 1',
    ],
    ['reads everything again after 410', false, [listed, saw('12'), gone], 'listing@12 1'],
    ['waits when the server keeps saying 410', false, [listed, gone, listed, gone], 'waiting→collection@10 2'],
    ['reads again when its revision is from another past', false, [listed, failed(tooLarge())], 'listing@10 1'],
    ['falls back to a list when the stream is refused', true, [failed(failure('Invalid', 'no'))], 'listing@'],
    ['falls back to a list when the stream never says that it is complete', true, [stalled], 'listing@'],
    ['watches again after a stall', false, [listed, saw('12'), stalled, waited], 'watching@12 1'],
    [
      'lists again when it may not watch',
      false,
      [listed, failed(forbidden(pods, '', 'no'))],
      'waiting→collection@10 1',
    ],
    ['watches again when told to slow down', false, [listed, failed(tooManyRequests('slow', 1))], 'waiting→watch@10 1'],
    ['lists again after a list that failed', false, [cut, waited], 'listing@ 1'],
    ['streams again after a stream that was cut', true, [cut, waited], 'streaming@ 1'],
    ['doubts its revision after many failures', false, [listed, cut, cut, cut, cut, cut], 'waiting→collection@10 5'],
    ['stops', false, [listed, { did: 'stopped' }], 'stopped@10'],
  ])('%s', (_name, watchList, happenings, expected) => {
    expect(brief(after(watchList, ...happenings))).toBe(expected);
  });

  it('prints itself', () => {
    expect(stateText(after(false, listed))).toBe('watching from 10: listed');
    expect(stateText(after(false, listed, cut))).toBe('waiting before the watch (failure 1): cut');
  });

  it('is synced from the first whole collection on', () => {
    expect(after(true).synced).toBe(false);
    expect(after(true, listed).synced).toBe(true);
    expect(after(true, listed, gone, cut, waited).synced).toBe(true);
  });

  it('waits from 100 ms up to half a minute', () => {
    expect([1, 2, 3, 50].map((failures) => backoffOf(failures, () => 0))).toEqual([100, 200, 400, 15_000]);
    expect(backoffOf(50, () => 1)).toBe(30_000);
  });
});

const pods = { group: '', plural: 'pods' };

function tooLarge(): unknown {
  const { status } = timeout('Too large resource version: 12, current: 3', 1);
  const causes = [{ reason: 'ResourceVersionTooLarge' }];
  return Object.assign(timeout('', 1), { status: { ...status, details: { ...status.details, causes } } });
}
