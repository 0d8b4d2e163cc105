/**
 * A hub in a process of its own, which the benchmarks drive over HTTPS and ask over IPC what it has used.
 * Started by `hubprocess.ts`; the first argument is the data directory.
 */
import { enableCompileCache } from 'node:module';
import type { ApiServer } from '../../src/apiserver/index.ts';
import type { Answer, Question } from './hubprocess.ts';

const [, , dataDir = ''] = process.argv;

function usage(): Answer {
  const whole = process.cpuUsage();
  const main = process.threadCpuUsage();
  const { rss, heapUsed, external } = process.memoryUsage();
  return {
    cpu: whole.user + whole.system,
    mainCpu: main.user + main.system,
    rss,
    heapUsed,
    external,
    resources: process.getActiveResourcesInfo().length,
  };
}

/** Fills the store with copies of one object that the hub itself has written: faster than to send each. */
async function fill({ store }: ApiServer, { like, count }: { like: string; count: number }): Promise<void> {
  const model = store.list('/').entries.find(({ key }) => key.endsWith(`/${like}`));
  if (!model) throw new Error(`there is no ${like} to copy`);
  const text = model.bytes.toString();
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < count) {
      const name = `copy-${next++}`;
      const value = JSON.parse(text.replaceAll(like, name)) as object;
      await store.write({ verb: 'put', key: model.key.replace(like, name), value });
    }
  };
  await Promise.all(Array.from({ length: 256 }, lane));
}

async function obey(site: ApiServer, question: Question): Promise<Answer> {
  if (question.do === 'close') await site.close();
  else if (question.do === 'fill') await fill(site, question);
  else if (question.do === 'collect') globalThis.gc?.();
  else question.do satisfies 'usage';
  return usage();
}

// As the program does: from the second start on, nothing is compiled again.
enableCompileCache();
const { openApiServer } = await import('../../src/apiserver/index.ts');
const before = performance.now();
const site = await openApiServer({
  dataDir,
  host: '127.0.0.1',
  port: 0,
  onFault: (error) => console.error(error),
});
process.on('message', (question: Question) => {
  void obey(site, question).then((answer) => {
    process.send?.(answer);
    if (question.do === 'close') process.disconnect?.();
  });
});
process.send?.({
  url: site.url,
  ca: site.authority.certificate,
  user: site.authority.admin,
  opened: performance.now() - before,
});
