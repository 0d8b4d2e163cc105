/** When a CronJob is due. */
export interface Schedule {
  /** The first time after this one, in milliseconds; undefined when there is none within a leap cycle. */
  next(after: number): number | undefined;
}

const names: Readonly<Record<string, readonly string[]>> = {
  month: ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'],
  weekday: ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'],
};

const shorthands: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
};

const units: Readonly<Record<string, number>> = { ns: 1e-6, us: 1e-3, ms: 1, s: 1000, m: 60_000, h: 3_600_000 };
const minute = 60_000;
const day = 24 * 60 * minute;
/** February 29th comes back within eight years. */
const horizon = 8 * 366;

interface Fields {
  readonly minutes: ReadonlySet<number>;
  readonly hours: ReadonlySet<number>;
  readonly days: ReadonlySet<number>;
  readonly months: ReadonlySet<number>;
  readonly weekdays: ReadonlySet<number>;
  /** Both kinds of day are restricted: then either will do. */
  readonly eitherDay: boolean;
}

/** Reads a schedule that the API server has accepted; undefined for one that makes no sense. */
export function scheduleOf(text: string, timeZone = 'UTC'): Schedule | undefined {
  const every = /^@every (.+)$/.exec(text)?.[1];
  if (every !== undefined) return everySo(durationOf(every));
  const fields = fieldsOf(shorthands[text] ?? text);
  return fields && { next: (after) => nextIn(fields, after, timeZone) };
}

function everySo(milliseconds: number): Schedule | undefined {
  return milliseconds >= 1000 ? { next: (after) => after + milliseconds } : undefined;
}

function durationOf(text: string): number {
  let total = 0;
  for (const [, amount, unit] of text.matchAll(/(\d+(?:\.\d+)?)(ns|us|ms|s|m|h)/g))
    total += Number(amount) * (units[unit ?? ''] ?? 0);
  return Math.floor(total / 1000) * 1000;
}

function fieldsOf(text: string): Fields | undefined {
  const parts = text.trim().split(/\s+/);
  if (parts.length !== 5) return undefined;
  const [minutes = '', hours = '', days = '', months = '', weekdays = ''] = parts.map((part) => part.toLowerCase());
  return {
    minutes: valuesOf(minutes, 0, 59),
    hours: valuesOf(hours, 0, 23),
    days: valuesOf(days, 1, 31),
    months: valuesOf(named(months, 'month', 1), 1, 12),
    weekdays: valuesOf(named(weekdays, 'weekday', 0), 0, 6),
    eitherDay: !/^[*?]/.test(days) && !/^[*?]/.test(weekdays),
  };
}

function named(text: string, kind: string, first: number): string {
  return text.replaceAll(/[a-z]{3}/g, (word) => String((names[kind]?.indexOf(word) ?? 0) + first));
}

/** `1-4`, `10-20/2`, `2,3` and what they may be put together to. */
function valuesOf(text: string, low: number, high: number): ReadonlySet<number> {
  const values = new Set<number>();
  for (const item of text.split(',')) {
    const [span = '', step = '1'] = item.split('/');
    const [from, to] = boundsOf(span, { low, high, open: item.includes('/') });
    for (let value = from; value <= to; value += Math.max(1, Number(step))) values.add(value);
  }
  return values;
}

interface Bounds {
  readonly low: number;
  readonly high: number;
  /** `5/10` goes on to the end; `5` is 5. */
  readonly open: boolean;
}

function boundsOf(span: string, { low, high, open }: Bounds): readonly [from: number, to: number] {
  if (span === '*' || span === '?') return [low, high];
  const [from = '', to] = span.split('-');
  if (to !== undefined) return [Number(from), Number(to)];
  return [Number(from), open ? high : Number(from)];
}

/** Days first, then hours, then minutes: a schedule for one day of the year costs no more than one for every minute. */
function nextIn(fields: Fields, after: number, timeZone: string): number | undefined {
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

function isDay({ days, months, weekdays, eitherDay }: Fields, date: Date): boolean {
  if (!months.has(date.getUTCMonth() + 1)) return false;
  const [inMonth, inWeek] = [days.has(date.getUTCDate()), weekdays.has(date.getUTCDay())];
  return eitherDay ? inMonth || inWeek : inMonth && inWeek;
}

function timeWithin({ hours, minutes }: Fields, date: number, start: number): number | undefined {
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
