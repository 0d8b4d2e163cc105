/**
 * A whole hub as a process of its own: `node test/kit/hub-child.ts FOLDER`. It says where it listens when it is ready,
 * tells of every fault on stderr, and ends when its parent does. Start with hub.ts, which starts it.
 */
import { join } from 'node:path';
import { crds } from '../../src/api/index.ts';
import { openApiServer } from '../../src/apiserver/index.ts';
import { writeKubeconfig } from '../../src/auth/index.ts';

const folder = process.argv[2];
if (!folder) throw new Error('usage: hub-child.ts FOLDER');

const site = await openApiServer({
  dataDir: join(folder, 'data'),
  host: '127.0.0.1',
  port: 0,
  definitions: crds(),
  onFault: (error, request) => {
    process.stderr.write(`fault: ${request?.method ?? ''} ${request?.path ?? ''} ${(error as Error).stack ?? ''}\n`);
  },
});
await writeKubeconfig(join(folder, 'kubeconfig'), [site.context('hub')]);
process.send?.({ url: site.url });
process.once('disconnect', () => void site.close());
