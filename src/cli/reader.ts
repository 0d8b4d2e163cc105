import { spawn } from 'node:child_process';
import { fstatSync } from 'node:fs';

/**
 * Calls when nobody reads the results of this process any more. Node finds that out only by writing; GNU tail listens
 * for it, dies of it, and ends when we do. Where there is another tail, or none, the next result finds it out.
 */
export function onReaderGone(leave: () => void): void {
  if (!fstatSync(process.stdout.fd).isFIFO()) return;
  const listener = spawn('tail', [`--pid=${process.pid}`, '-f', '/dev/null'], {
    stdio: ['ignore', 'inherit', 'ignore'],
  });
  listener.on('error', () => {});
  listener.on('exit', (_code, signal) => {
    if (signal === 'SIGPIPE') leave();
  });
  listener.unref();
  process.once('exit', () => listener.kill());
}
