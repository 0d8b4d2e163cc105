const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;
const year = 365 * day;

/** From which length on which units are shown: two of them while the number is small, then the larger alone. */
const steps: readonly { readonly below: number; readonly unit: number; readonly name: string; readonly rest?: Unit }[] =
  [
    { below: 10 * minute, unit: minute, name: 'm', rest: { unit: 1, name: 's' } },
    { below: 3 * hour, unit: minute, name: 'm' },
    { below: 8 * hour, unit: hour, name: 'h', rest: { unit: minute, name: 'm' } },
    { below: 48 * hour, unit: hour, name: 'h' },
    { below: 8 * day, unit: day, name: 'd', rest: { unit: hour, name: 'h' } },
    { below: 2 * year, unit: day, name: 'd' },
    { below: 8 * year, unit: year, name: 'y', rest: { unit: day, name: 'd' } },
    { below: Infinity, unit: year, name: 'y' },
  ];

interface Unit {
  readonly unit: number;
  readonly name: string;
}

/** A duration as kubectl prints ages: two or three digits that matter, `<invalid>` beyond a second in the future. */
export function humanDuration(milliseconds: number): string {
  const seconds = Math.trunc(milliseconds / 1000);
  if (seconds < -1) return '<invalid>';
  if (seconds < 0) return '0s';
  if (seconds < 2 * minute) return `${seconds}s`;
  const step = steps.find(({ below }) => seconds < below);
  if (!step) return '<invalid>';
  const rest = step.rest ? Math.floor((seconds % step.unit) / step.rest.unit) : 0;
  return `${Math.floor(seconds / step.unit)}${step.name}${rest > 0 && step.rest ? `${rest}${step.rest.name}` : ''}`;
}

/** How long ago a timestamp was, `<unknown>` without one. */
export function since(timestamp: unknown, now: number): string {
  if (typeof timestamp !== 'string' || timestamp === '') return '<unknown>';
  const then = Date.parse(timestamp);
  return Number.isNaN(then) ? '<invalid>' : humanDuration(now - then);
}
