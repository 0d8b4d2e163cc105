/**
 * Edits of Deployments in a simulated member that runs pods, beside few workloads and beside many: `npm run bench -- sim`.
 * `BENCH_COUNTS=100,10000` sets the numbers of workloads. The nodes carry 330 pods, so most pods of many workloads wait.
 */
import { startSimulated } from '../src/sim/index.ts';
import type { ApiClient } from '../src/client/index.ts';
import type { Figure } from './kit/measure.ts';
import { connected } from './propagation/system.ts';
import { namespaces, template, templateRef, untilQuiet } from './propagation/templates.ts';
import { inLanes } from './propagation/wait.ts';

const counts = (process.env['BENCH_COUNTS'] ?? '100,10000').split(',').map(Number);
const edits = 60;
/** Every third template is a Deployment. */
const step = 3;

async function fill(member: ApiClient, count: number): Promise<void> {
  for (const name of namespaces) await member.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  await inLanes(16, count, (i) => member.create(template({ name: 'sim', count }, i)));
  await untilQuiet(member);
}

/** Processor milliseconds of one edit, with everything that the member does about it. */
async function costOfEdit(member: ApiClient, count: number, round: number): Promise<number> {
  const before = process.cpuUsage();
  for (let i = 0; i < edits; i++) {
    const ref = templateRef({ name: 'sim', count }, (i * step) % count);
    const spec = { template: { metadata: { annotations: { edit: `${round}-${i}` } } } };
    await member.patch(ref, { spec }, { type: 'merge' });
  }
  await untilQuiet(member);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / edits;
}

async function measure(count: number): Promise<readonly Figure[]> {
  const simulated = await startSimulated({ name: 'bench', dataDir: ':memory:' });
  const { url, caBundle, token } = simulated;
  const member = await connected({ server: url, caBundle, token });
  try {
    await fill(member, count);
    await costOfEdit(member, count, 1);
    const value = await costOfEdit(member, count, 2);
    const rss = process.memoryUsage().rss / 2 ** 20;
    return [
      { what: `edit of a Deployment beside ${count} templates`, value, unit: 'ms of processor' },
      { what: `memory with ${count} templates`, value: rss, unit: 'MiB' },
    ];
  } finally {
    await member.close();
    await simulated.close();
  }
}

export async function run(): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const count of counts) figures.push(...(await measure(count)));
  const [few, , many] = figures;
  if (few && many) figures.push({ what: 'many against few', value: many.value / few.value, unit: '×', budget: 1.3 });
  return figures;
}
