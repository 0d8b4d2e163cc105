import { expect, test } from 'vitest';
import { scheduleOf } from './cron.ts';

const next = (schedule: string, after: string, timeZone?: string): string | undefined => {
  const time = scheduleOf(schedule, timeZone)?.next(Date.parse(after));
  return time === undefined ? undefined : new Date(time).toISOString().slice(0, 16);
};

test.each([
  ['* * * * *', '2026-03-01T10:00:30Z', '2026-03-01T10:01'],
  ['* * * * *', '2026-03-01T10:00:00Z', '2026-03-01T10:01'],
  ['*/15 * * * *', '2026-03-01T10:46:00Z', '2026-03-01T11:00'],
  ['5/20 * * * *', '2026-03-01T10:00:00Z', '2026-03-01T10:05'],
  ['5/20 * * * *', '2026-03-01T10:30:00Z', '2026-03-01T10:45'],
  ['30 2-4 * * *', '2026-03-01T03:31:00Z', '2026-03-01T04:30'],
  ['0 9 * * mon-fri', '2026-02-27T09:00:00Z', '2026-03-02T09:00'],
  ['0 0 1 jan *', '2026-03-01T00:00:00Z', '2027-01-01T00:00'],
  ['0 0 29 2 *', '2026-03-01T00:00:00Z', '2028-02-29T00:00'],
  ['0 0 13 * 5', '2026-03-01T00:00:00Z', '2026-03-06T00:00'],
  ['0 0 13 * *', '2026-03-01T00:00:00Z', '2026-03-13T00:00'],
  ['0,30 1,2 * * *', '2026-03-01T01:30:00Z', '2026-03-01T02:00'],
  ['@hourly', '2026-03-01T10:59:59Z', '2026-03-01T11:00'],
  ['@weekly', '2026-03-01T00:00:00Z', '2026-03-08T00:00'],
  ['@yearly', '2026-03-01T00:00:00Z', '2027-01-01T00:00'],
  ['@every 1h30m', '2026-03-01T10:00:00Z', '2026-03-01T11:30'],
  ['0 0 31 2 *', '2026-03-01T00:00:00Z', undefined],
  ['not a schedule', '2026-03-01T00:00:00Z', undefined],
])('%s after %s', (schedule, after, expected) => expect(next(schedule, after)).toBe(expected));

test.each([
  ['Asia/Tokyo', '2026-03-01T00:00:00Z', '2026-03-02T00:00'],
  ['America/New_York', '2026-03-01T00:00:00Z', '2026-03-01T14:00'],
  // The clocks go forward in the night to March 8th.
  ['America/New_York', '2026-03-08T00:00:00Z', '2026-03-08T13:00'],
])('nine in the morning of %s', (zone, after, expected) => expect(next('0 9 * * *', after, zone)).toBe(expected));
