interface Bounds {
  readonly name: string;
  readonly low: number;
  readonly high: number;
  readonly names?: readonly string[];
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const days = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const fields: readonly Bounds[] = [
  { name: 'minute', low: 0, high: 59 },
  { name: 'hour', low: 0, high: 23 },
  { name: 'day of month', low: 1, high: 31 },
  { name: 'month', low: 1, high: 12, names: months },
  { name: 'day of week', low: 0, high: 6, names: days },
];
const descriptors = new Set(['@yearly', '@annually', '@monthly', '@weekly', '@daily', '@midnight', '@hourly']);

/** What is wrong with a cron schedule; undefined when nothing is. */
export function cronFault(schedule: string): string | undefined {
  if (schedule.startsWith('@')) return descriptorFault(schedule);
  const parts = schedule.trim().split(/\s+/);
  if (parts.length !== fields.length) {
    return `expected exactly 5 fields, found ${parts.length}: [${parts.join(' ')}]`;
  }
  for (const [i, bounds] of fields.entries()) {
    const fault = fieldFault(parts[i] ?? '', bounds);
    if (fault) return fault;
  }
  return undefined;
}

function descriptorFault(text: string): string | undefined {
  if (descriptors.has(text)) return undefined;
  const every = /^@every (.+)$/.exec(text)?.[1];
  if (every !== undefined)
    return /^(\d+(\.\d+)?(ns|us|ms|s|m|h))+$/.test(every) ? undefined : `failed to parse duration ${text}`;
  return `unrecognized descriptor: ${text}`;
}

function fieldFault(text: string, bounds: Bounds): string | undefined {
  for (const range of text.split(',')) {
    const fault = rangeFault(range, bounds);
    if (fault) return fault;
  }
  return undefined;
}

function rangeFault(range: string, bounds: Bounds): string | undefined {
  const [span = '', step, ...more] = range.split('/');
  if (more.length > 0) return `too many slashes: ${range}`;
  const fault = step === undefined ? undefined : stepFault(step, range);
  return fault ?? (span === '*' || span === '?' ? undefined : spanFault(span, range, bounds));
}

function stepFault(step: string, range: string): string | undefined {
  if (!/^\d+$/.test(step)) return `failed to parse int from ${step}`;
  return Number(step) === 0 ? `step of range should be a positive number: ${range}` : undefined;
}

function spanFault(span: string, range: string, bounds: Bounds): string | undefined {
  const [from = '', to = from, ...rest] = span.split('-');
  if (rest.length > 0) return `too many hyphens: ${range}`;
  const [low, high] = [numberOf(from, bounds), numberOf(to, bounds)];
  if (low === undefined) return `failed to parse int from ${from}`;
  if (high === undefined) return `failed to parse int from ${to}`;
  return boundsFault({ low, high, range }, bounds);
}

function boundsFault(
  { low, high, range }: { low: number; high: number; range: string },
  bounds: Bounds,
): string | undefined {
  if (low < bounds.low) return `beginning of range (${low}) below minimum (${bounds.low}): ${range}`;
  if (high > bounds.high) return `end of range (${high}) above maximum (${bounds.high}): ${range}`;
  return low > high ? `beginning of range (${low}) beyond end of range (${high}): ${range}` : undefined;
}

function numberOf(text: string, { names, low }: Bounds): number | undefined {
  if (/^\d+$/.test(text)) return Number(text);
  const index = names?.indexOf(text.toLowerCase()) ?? -1;
  return index < 0 ? undefined : index + low;
}
