import { readFileSync, writeFileSync } from 'node:fs';

/** The resources that a process has used since its start, as the kernel counts them: so any program can be measured. */
export interface Usage {
  /** Seconds of processor time: of the main thread, and of all. */
  readonly mainCpu: number;
  readonly cpu: number;
  /** Bytes in memory now, and at most since the peak was last forgotten. */
  readonly rss: number;
  readonly peak: number;
  /** Bytes that were sent to the disk. */
  readonly written: number;
}

/** Linux counts processor time in hundredths of a second wherever one can ask. */
const ticks = 100;

/** Reads what a process has used; undefined when it is not there or not ours to look at. */
export function usageOf(pid: number): Usage | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return {
      mainCpu: secondsIn(`/proc/${pid}/task/${pid}/stat`),
      cpu: secondsIn(`/proc/${pid}/stat`),
      rss: kilobytes(status, 'VmRSS') * 1024,
      peak: kilobytes(status, 'VmHWM') * 1024,
      written: numberIn(readFileSync(`/proc/${pid}/io`, 'utf8'), /^write_bytes: (\d+)/m),
    };
  } catch {
    return undefined;
  }
}

/** From now on, the peak is that of what follows. */
export function forgetPeak(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/clear_refs`, '5');
  } catch {
    // Then the peak is that of its whole life, which is no less strict.
  }
}

function secondsIn(file: string): number {
  const text = readFileSync(file, 'utf8');
  // The name of the program may contain anything but stands in the last parentheses.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / ticks;
}

function kilobytes(status: string, field: string): number {
  return numberIn(status, new RegExp(`^${field}:\\s+(\\d+) kB`, 'm'));
}

function numberIn(text: string, pattern: RegExp): number {
  return Number(pattern.exec(text)?.[1] ?? 0);
}
