import { Table } from '../table.ts';
import type { Value } from '../value.ts';
import type { Arguments, Native } from './arguments.ts';

const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const months = 'January February March April May June July August September October November December'.split(' ');

const two = (number: number): string => String(number).padStart(2, '0');
const clockOf = (date: Date): string =>
  [date.getUTCHours(), date.getUTCMinutes(), date.getUTCSeconds()].map(two).join(':');
const dayOf = (date: Date): string =>
  `${date.getUTCFullYear()}-${two(date.getUTCMonth() + 1)}-${two(date.getUTCDate())}`;

/** The letters of a format, as `strftime` has them. */
const letters: Readonly<Record<string, (date: Date) => string>> = {
  a: (date) => (days[date.getUTCDay()] ?? '').slice(0, 3),
  A: (date) => days[date.getUTCDay()] ?? '',
  b: (date) => (months[date.getUTCMonth()] ?? '').slice(0, 3),
  B: (date) => months[date.getUTCMonth()] ?? '',
  c: (date) => `${dayOf(date)} ${clockOf(date)}`,
  d: (date) => two(date.getUTCDate()),
  F: dayOf,
  H: (date) => two(date.getUTCHours()),
  I: (date) => two(date.getUTCHours() % 12 || 12),
  m: (date) => two(date.getUTCMonth() + 1),
  M: (date) => two(date.getUTCMinutes()),
  p: (date) => (date.getUTCHours() < 12 ? 'AM' : 'PM'),
  S: (date) => two(date.getUTCSeconds()),
  x: dayOf,
  X: clockOf,
  y: (date) => two(date.getUTCFullYear() % 100),
  Y: (date) => String(date.getUTCFullYear()),
  z: () => '+0000',
  Z: () => 'UTC',
  '%': () => '%',
};

function dateOf(args: Arguments): readonly Value[] {
  const format = args.text(0, '%c').replace(/^!/, '');
  const date = new Date(args.number(1, args.run.now()) * 1000);
  if (Number.isNaN(date.getTime())) args.reject(1, 'no time');
  if (format.startsWith('*t')) return [fieldsOf(date, args)];
  return [format.replace(/%(.)/g, (all: string, letter: string) => letters[letter]?.(date) ?? all)];
}

function fieldsOf(date: Date, { run }: Arguments): Table {
  const firstDay = Date.UTC(date.getUTCFullYear(), 0, 1);
  const fields: Readonly<Record<string, Value>> = {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    hour: date.getUTCHours(),
    min: date.getUTCMinutes(),
    sec: date.getUTCSeconds(),
    wday: date.getUTCDay() + 1,
    yday: Math.floor((date.getTime() - firstDay) / 86_400_000) + 1,
    isdst: false,
  };
  const table = new Table(run.budget);
  for (const [name, value] of Object.entries(fields)) table.set(name, value);
  return table;
}

function timeOf(args: Arguments): readonly Value[] {
  if (args.at(0) === undefined) return [args.run.now()];
  const table = args.table(0);
  const field = (name: string, otherwise: number): number => {
    const value = table.get(name);
    return typeof value === 'number' ? value : otherwise;
  };
  const day = Date.UTC(field('year', 1970), field('month', 1) - 1, field('day', 1));
  return [day / 1000 + field('hour', 12) * 3600 + field('min', 0) * 60 + field('sec', 0)];
}

/** The library `os`, of which only the time is there; it is UTC. */
export const timeFunctions: Readonly<Record<string, Native>> = { date: dateOf, time: timeOf };
