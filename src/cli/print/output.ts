import { Option } from 'commander';
import type { Io } from '../io.ts';
import { yamlOf } from '../yaml.ts';

/** The flag `-o` with the formats that a command knows. */
export function outputOption(...formats: readonly string[]): Option {
  return new Option('-o, --output <FORMAT>', 'how to print').choices(['table', ...formats]).default('table');
}

/** Prints a value for programs; false when the format is for people. */
export function printed(io: Io, format: string, value: unknown): boolean {
  if (format === 'json') io.out(`${JSON.stringify(value, undefined, 2)}\n`);
  else if (format === 'yaml') io.out(yamlOf(value));
  else return false;
  return true;
}

/** How long ago, as kubectl writes it: 5s, 3m, 2h, 4d. */
export function ageOf(time: string | undefined, now: number): string {
  if (time === undefined) return '<unknown>';
  const seconds = Math.max(0, Math.floor((now - Date.parse(time)) / 1000));
  if (seconds < 120) return `${seconds}s`;
  if (seconds < 7200) return `${Math.floor(seconds / 60)}m`;
  return seconds < 172_800 ? `${Math.floor(seconds / 3600)}h` : `${Math.floor(seconds / 86_400)}d`;
}

/** `1 template`, `2 templates`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
