import { cronOf } from '../../api/index.ts';
import type { CronFields } from '../../api/index.ts';

/** When a CronJob is due. */
export interface Schedule {
  /** The first time after this one, in milliseconds; undefined when there is none within a leap cycle. */
  next(after: number): number | undefined;
}

const minute = 60_000;
const day = 24 * 60 * minute;
/** February 29th comes back within eight years. */
const horizon = 8 * 366;

/** The times of a schedule; undefined for a text that is not a schedule. */
export function scheduleOf(text: string, timeZone = 'UTC'): Schedule | undefined {
  const schedule = cronOf(text);
  if ('fault' in schedule) return undefined;
  if ('every' in schedule) return { next: (after) => after + schedule.every };
  return { next: (after) => nextIn(schedule.fields, after, timeZone) };
}

/** Days first, then hours, then minutes: a schedule for one day of the year costs no more than one for every minute. */
function nextIn(fields: CronFields, after: number, timeZone: string): number | undefined {
  const start = Math.floor((after + offsetOf(after, timeZone)) / minute) * minute + minute;
  const firstDay = Math.floor(start / day) * day;
  for (let i = 0; i < horizon; i++) {
    const date = firstDay + i * day;
    if (!isDay(fields, new Date(date))) continue;
    const found = timeWithin(fields, date, start);
    if (found !== undefined) return found - offsetOf(found - offsetOf(found, timeZone), timeZone);
  }
  return undefined;
}

function isDay({ days, months, weekdays, eitherDay }: CronFields, date: Date): boolean {
  if (!months.has(date.getUTCMonth() + 1)) return false;
  const [inMonth, inWeek] = [days.has(date.getUTCDate()), weekdays.has(date.getUTCDay())];
  return eitherDay ? inMonth || inWeek : inMonth && inWeek;
}

function timeWithin({ hours, minutes }: CronFields, date: number, start: number): number | undefined {
  for (let hour = 0; hour < 24; hour++) {
    if (!hours.has(hour) || date + (hour + 1) * 60 * minute <= start) continue;
    for (let i = 0; i < 60; i++) {
      const time = date + (hour * 60 + i) * minute;
      if (time >= start && minutes.has(i)) return time;
    }
  }
  return undefined;
}

/** How far the clocks of a zone are ahead of UTC at a time. */
function offsetOf(time: number, timeZone: string): number {
  if (timeZone === 'UTC' || timeZone === 'Etc/UTC') return 0;
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(time);
  const of = (type: string): number => Number(parts.find((part) => part.type === type)?.value);
  const wall = Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'));
  return wall - Math.floor(time / 1000) * 1000;
}
