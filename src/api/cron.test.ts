import { describe, expect, test } from 'vitest';
import { cronFault, cronOf } from './cron.ts';

describe('a schedule', () => {
  test.each([
    '* * * * *',
    '0 8 * * 1-5',
    '*/15 0-6/2 1,15 jan-mar MON,fri',
    '59 23 31 12 6',
    '@daily',
    '@every 1h30m',
    ' 0  0 * * ? ',
  ])('%j is accepted', (text) => {
    expect(cronFault(text)).toBeUndefined();
  });

  test.each([
    ['', 'expected exactly 5 fields, found 1: []'],
    ['* * * *', 'expected exactly 5 fields, found 4: [* * * *]'],
    ['* * * * * *', 'expected exactly 5 fields, found 6: [* * * * * *]'],
    ['60 * * * *', 'end of range (60) above maximum (59): 60'],
    ['* 24 * * *', 'end of range (24) above maximum (23): 24'],
    ['* * 0 * *', 'beginning of range (0) below minimum (1): 0'],
    ['* * * foo *', 'failed to parse int from foo'],
    ['* * * * 7', 'end of range (7) above maximum (6): 7'],
    ['*/0 * * * *', 'step of range should be a positive number: */0'],
    ['5-1 * * * *', 'beginning of range (5) beyond end of range (1): 5-1'],
    ['1-2-3 * * * *', 'too many hyphens: 1-2-3'],
    ['1,,2 * * * *', 'failed to parse int from '],
    ['1/2/3 * * * *', 'too many slashes: 1/2/3'],
    ['@often', 'unrecognized descriptor: @often'],
    ['@every day', 'failed to parse duration @every day'],
  ])('%j is refused', (text, why) => {
    expect(cronFault(text)).toBe(why);
  });

  test('lists the values of every field', () => {
    expect(cronOf('5/20 1-3 1,15 feb mon')).toEqual({
      fields: {
        minutes: new Set([5, 25, 45]),
        hours: new Set([1, 2, 3]),
        days: new Set([1, 15]),
        months: new Set([2]),
        weekdays: new Set([1]),
        eitherDay: true,
      },
    });
    expect(cronOf('@every 1h30m')).toEqual({ every: 5_400_000 });
  });
});
