/**
 * Simulated members in a process of their own, so that what they cost is not counted as the hub's.
 * Started by `ours.ts`; the arguments are the folder of the data and the names of the members.
 */
import { enableCompileCache } from 'node:module';
import path from 'node:path';
import type { SimulatedMember } from '../../src/sim/index.ts';

enableCompileCache();
const { startSimulated } = await import('../../src/sim/index.ts');

const [, , folder = '', ...names] = process.argv;
const pods = process.env['BENCH_PODS'] === '1';
const members: readonly SimulatedMember[] = await Promise.all(
  names.map((name) =>
    startSimulated({ name, dataDir: path.join(folder, name), pods, onTrouble: (message) => console.error(message) }),
  ),
);
process.once('message', () => {
  void Promise.all(members.map((member) => member.close())).then(() => process.disconnect?.());
});
process.send?.(members.map(({ name, url, caBundle, token }) => ({ name, url, caBundle, token })));
