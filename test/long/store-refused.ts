/**
 * A process that writes to a store until the kernel refuses to let a file grow, waits until it may again, and tells
 * what it saw: `node store-refused.ts <data directory>`, with a limit on the size of files set from outside.
 */
import { openStore } from '../../src/store/index.ts';
import type { Entry } from '../../src/store/index.ts';

const [, , dataDir = ''] = process.argv;
const healthy = Promise.withResolvers<void>();
const store = await openStore({
  dataDir,
  probeEvery: 50,
  onHealth: (because) => {
    if (because === undefined) healthy.resolve();
  },
});

const write = (key: string): Promise<Entry> => store.write({ verb: 'put', key, value: { text: 'x'.repeat(4000) } });

async function fillUp(): Promise<{ readonly acknowledged: number; readonly refusal: unknown }> {
  let acknowledged = 0;
  for (;;) {
    const outcomes = await Promise.allSettled(Array.from({ length: 16 }, (_, i) => write(`/${acknowledged + i}`)));
    acknowledged += outcomes.filter((outcome) => outcome.status === 'fulfilled').length;
    const refused = outcomes.find((outcome) => outcome.status === 'rejected');
    if (refused) return { acknowledged, refusal: refused.reason };
  }
}

const tell = (what: object): void => console.log(JSON.stringify(what));
const { acknowledged, refusal } = await fillUp();
const { code, message } = refusal as { code?: string; message: string };
tell({ acknowledged, code, message, revision: store.revision, count: store.count('') });
await healthy.promise;
tell({ revision: (await write('/after')).revision });
await store.close();
