/** A hub behind TLS in a thread of its own, so that its work is not taken for its client's. */
import { parentPort } from 'node:worker_threads';
import { createHub, listen } from '../../src/apiserver/index.ts';
import { openAuthority } from '../../src/auth/index.ts';
import { memoryStore } from '../../src/store/index.ts';

const authority = await openAuthority();
const hub = await createHub({ store: memoryStore(), authority });
const { serving, certificate: caBundle, admin } = authority;
const listener = await listen({ hub, serving, clientAuthority: caBundle, port: 0 });
const port = parentPort;
port?.postMessage({ server: `https://127.0.0.1:${listener.port}`, caBundle, certificate: admin });
