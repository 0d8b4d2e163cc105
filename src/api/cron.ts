/** The one reader of cron schedules: five fields, names of months and weekdays, descriptors such as `@daily` and `@every 1h`. */

interface Bounds {
  readonly name: 'minutes' | 'hours' | 'days' | 'months' | 'weekdays';
  readonly low: number;
  readonly high: number;
  readonly names?: readonly string[];
}

const monthNames = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const weekdayNames = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const bounds: readonly Bounds[] = [
  { name: 'minutes', low: 0, high: 59 },
  { name: 'hours', low: 0, high: 23 },
  { name: 'days', low: 1, high: 31 },
  { name: 'months', low: 1, high: 12, names: monthNames },
  { name: 'weekdays', low: 0, high: 6, names: weekdayNames },
];

const descriptors: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
};

const milliseconds: Readonly<Record<string, number>> = { ns: 1e-6, us: 1e-3, ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** The values that each field of a schedule allows. */
export interface CronFields {
  readonly minutes: ReadonlySet<number>;
  readonly hours: ReadonlySet<number>;
  readonly days: ReadonlySet<number>;
  readonly months: ReadonlySet<number>;
  /** 0 is Sunday. */
  readonly weekdays: ReadonlySet<number>;
  /** Both the day of the month and the weekday are restricted: then either of them is enough. */
  readonly eitherDay: boolean;
}

/** A schedule: by fields, or every so many milliseconds. */
export type CronSchedule = { readonly fields: CronFields } | { readonly every: number };

/** Parses a schedule; returns Kubernetes' words for what is wrong when the text is not one. */
export function cronOf(schedule: string): CronSchedule | { readonly fault: string } {
  const text = schedule.startsWith('@') ? descriptors[schedule] : schedule;
  if (text === undefined) return everyOf(schedule);
  const parts = text.trim().split(/\s+/);
  if (parts.length !== bounds.length) {
    return { fault: `expected exactly 5 fields, found ${parts.length}: [${parts.join(' ')}]` };
  }
  const values = new Map<string, ReadonlySet<number>>();
  for (const [i, field] of bounds.entries()) {
    const read = valuesOf(parts[i] ?? '', field);
    if (typeof read === 'string') return { fault: read };
    values.set(field.name, read);
  }
  const eitherDay = !/^[*?]/.test(parts[2] ?? '') && !/^[*?]/.test(parts[4] ?? '');
  return { fields: { ...(Object.fromEntries(values) as unknown as Omit<CronFields, 'eitherDay'>), eitherDay } };
}

/** Says what is wrong with a schedule; undefined when nothing is. */
export function cronFault(schedule: string): string | undefined {
  const read = cronOf(schedule);
  return 'fault' in read ? read.fault : undefined;
}

function everyOf(text: string): CronSchedule | { readonly fault: string } {
  const duration = /^@every (.+)$/.exec(text)?.[1];
  if (duration === undefined) return { fault: `unrecognized descriptor: ${text}` };
  if (!/^(\d+(\.\d+)?(ns|us|ms|s|m|h))+$/.test(duration)) return { fault: `failed to parse duration ${text}` };
  let total = 0;
  for (const [, amount, unit = ''] of duration.matchAll(/(\d+(?:\.\d+)?)(ns|us|ms|s|m|h)/g))
    total += Number(amount) * (milliseconds[unit] ?? 0);
  return { every: Math.max(1000, Math.floor(total / 1000) * 1000) };
}

/** The values of one field, for example `1-4`, `10-20/2` or `2,3`; a text says what is wrong. */
function valuesOf(text: string, field: Bounds): ReadonlySet<number> | string {
  const values = new Set<number>();
  for (const range of text.split(',')) {
    const read = rangeOf(range, field);
    if (typeof read === 'string') return read;
    for (let value = read.low; value <= read.high; value += read.step) values.add(value);
  }
  return values;
}

interface Range {
  readonly low: number;
  readonly high: number;
  readonly step: number;
}

function rangeOf(range: string, field: Bounds): Range | string {
  const [span = '', step, ...more] = range.split('/');
  if (more.length > 0) return `too many slashes: ${range}`;
  const size = step === undefined ? 1 : stepOf(step, range);
  const read = spanOf(span, range, field);
  if (typeof size === 'string') return size;
  if (typeof read === 'string') return read;
  // `5/10` goes on to the end of the field; `5` is 5.
  const isOpen = step !== undefined && !span.includes('-');
  return { low: read.low, high: isOpen ? field.high : read.high, step: size };
}

function stepOf(step: string, range: string): number | string {
  if (!/^\d+$/.test(step)) return `failed to parse int from ${step}`;
  return Number(step) === 0 ? `step of range should be a positive number: ${range}` : Number(step);
}

function spanOf(span: string, range: string, field: Bounds): { readonly low: number; readonly high: number } | string {
  if (/^[*?]$/.test(span)) return field;
  const [from = '', to = from, ...rest] = span.split('-');
  if (rest.length > 0) return `too many hyphens: ${range}`;
  const [low, high] = [numberOf(from, field), numberOf(to, field)];
  if (low === undefined) return `failed to parse int from ${from}`;
  if (high === undefined) return `failed to parse int from ${to}`;
  if (low < field.low) return `beginning of range (${low}) below minimum (${field.low}): ${range}`;
  if (high > field.high) return `end of range (${high}) above maximum (${field.high}): ${range}`;
  return low > high ? `beginning of range (${low}) beyond end of range (${high}): ${range}` : { low, high };
}

function numberOf(text: string, { names, low }: Bounds): number | undefined {
  if (/^\d+$/.test(text)) return Number(text);
  const index = names?.indexOf(text.toLowerCase()) ?? -1;
  return index < 0 ? undefined : index + low;
}
