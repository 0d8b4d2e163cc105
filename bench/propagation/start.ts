import type { Figure } from '../kit/measure.ts';
import { startOurs, startUp } from './ours.ts';
import type { UpProcess } from './ours.ts';
import { propagate } from './propagate.ts';
import { attach } from './system.ts';
import type { System } from './system.ts';
import { furnish, revisionOf, template, untilQuiet } from './templates.ts';
import type { Batch } from './templates.ts';
import { usageOf } from './usage.ts';
import { untilTrue } from './wait.ts';

/** Where a system is started, with which members and with how many templates in place. */
export interface Place {
  readonly dataDir: string;
  readonly members: readonly string[];
  readonly count: number;
}

/** `sluice up` is stopped with a batch in place and started again, while the members, in a process apart, go on. */
export async function startsAlone({ dataDir, members, count }: Place): Promise<readonly Figure[]> {
  const batch = { name: 'p', count };
  const system = await startOurs(dataDir, members);
  try {
    await furnish(system);
    await propagate(system, batch);
    return await startedAgain(system, batch, async () => {
      await system.up.stop();
      return (system.up = await startUp(dataDir, 0));
    });
  } finally {
    await system.close();
  }
}

/** The same as users have it: the simulated members run within `sluice up`, with pods, and start with it. */
export async function startsWhole({ dataDir, members, count }: Place): Promise<readonly Figure[]> {
  const batch = { name: 'p', count };
  let up = await startUp(dataDir, members.length);
  try {
    const given = { kubeconfig: up.kubeconfig, hub: '', members, processes: new Map() };
    const system = await attach(given);
    await furnish(system);
    await propagate(system, batch);
    const figures = await startedAgain(system, batch, async () => {
      await up.stop();
      return (up = await startUp(dataDir, members.length));
    });
    await system.close();
    return figures.map((figure) => ({ ...figure, what: `with its members: ${figure.what}` }));
  } finally {
    await up.stop();
  }
}

async function startedAgain(system: System, batch: Batch, again: () => Promise<UpProcess>): Promise<readonly Figure[]> {
  const size = batch.count.toLocaleString('en');
  for (const member of system.members.values()) await untilQuiet(member);
  const [before, inMembers] = [await untilQuiet(system.hub), await revisionsOf(system)];
  const up = await again();
  const usage = usageOf(up.child.pid ?? 0);
  const cpu = usage && ([usage.mainCpu * 1e6, usage.cpu * 1e6] as const);
  const now = await attach({
    kubeconfig: up.kubeconfig,
    hub: '',
    members: [],
    processes: new Map(),
  });
  const after = await untilQuiet(now.hub, 3000);
  const afterInMembers = await revisionsOf(system);
  const everywhere = await newTemplate({ ...system, hub: now.hub }, batch);
  await now.close();
  const written = afterInMembers.map((revision, i) => revision - (inMembers[i] ?? 0));
  const what = `start with ${size} templates in place`;
  return [
    { what, value: up.ready / 1000, unit: 's', budget: 5, ...(cpu && { cpu }) },
    { what: `${what}: writes of the hub`, value: after - before, unit: '' },
    { what: `${what}: writes of the members, the most`, value: Math.max(...written), unit: '' },
    { what: `${what}: then a new template is everywhere`, value: everywhere / 1000, unit: 's' },
  ];
}

function revisionsOf({ members }: System): Promise<readonly number[]> {
  return Promise.all([...members.values()].map(revisionOf));
}

async function newTemplate({ hub, members }: System, batch: Batch): Promise<number> {
  const object = template(batch, batch.count + 1);
  const { name, namespace } = object.metadata;
  const ref = { apiVersion: object.apiVersion, kind: object.kind, name, ...(namespace && { namespace }) };
  const start = performance.now();
  await hub.create(object);
  for (const member of members.values())
    await untilTrue('a new template is everywhere', async () => (await member.find(ref)) !== undefined, 5);
  return performance.now() - start;
}
