import { summary } from '../kit/load.ts';
import type { Figure } from '../kit/measure.ts';
import { arrivals } from './arrivals.ts';
import { editOnce, prepareEdits } from './edit.ts';
import { controlPlaneCost, costs, propagate } from './propagate.ts';
import { usages } from './system.ts';
import type { System } from './system.ts';
import { countIn, createAll, policyOf, setPolicy, untilQuiet } from './templates.ts';
import type { Batch } from './templates.ts';
import { pause, untilTrue } from './wait.ts';

/** The longest wait for an edit of a bystander: three times what an edit of a settled system may take. */
const bystanderBudget = 180;

/** One edit of a policy takes all templates of a batch off the last member, and another puts them back. */
export async function moves(system: System, batch: Batch): Promise<readonly Figure[]> {
  const { hub, members } = system;
  await propagate(system, batch);
  const bystander = await prepareEdits(system, 'b', 60);
  const seen = await arrivals(system, bystander.namespace);
  for (let i = 0; i < 30; i++) await editOnce(system, seen, bystander);
  const names = [...members.keys()];
  const last = members.get(names.at(-1) ?? '');
  if (!last) throw new Error('there is no member');
  const whole = await countIn(last);
  const times: number[] = [];
  const moved = async (to: readonly string[], wanted: number, what: string): Promise<Figure> => {
    await untilQuiet(hub);
    const used = usages(system);
    const start = performance.now();
    await setPolicy(hub, policyOf(batch, to));
    const arriving = untilTrue('the templates have moved', async () => (await countIn(last)) === wanted, 50);
    const moving = { over: false };
    const editing = (async () => {
      while (!moving.over) {
        times.push(await editOnce(system, seen, bystander));
        await pause(20);
      }
    })();
    await arriving;
    const value = (performance.now() - start) / 1000;
    moving.over = true;
    await editing;
    await untilQuiet(hub);
    const { mainCpu, cpu } = controlPlaneCost({ cost: costs(system, used) });
    const each = [(mainCpu / batch.count) * 1e6, (cpu / batch.count) * 1e6] as const;
    return { what, value, unit: 's', budget: 5, cpu: each };
  };
  const size = batch.count.toLocaleString('en');
  const figures = [
    await moved(names.slice(0, -1), whole - batch.count, `a policy edit takes ${size} templates off a member`),
    await moved(names, whole, `a policy edit puts ${size} templates back`),
  ];
  seen.close();
  const { p50, p99, count } = summary(times);
  const what = `meanwhile: edit of another template until the last member has it (${count} edits, p50 ${p50.toFixed(1)} ms), p99`;
  return [...figures, { what, value: p99, unit: 'ms', budget: bystanderBudget }];
}

/** The policy suspends the Works, and one edit of it resumes all of them. */
export async function resumes(system: System, works: number): Promise<Figure> {
  const { hub, members } = system;
  const names = [...members.keys()];
  const batch = { name: 'h', count: Math.ceil(works / names.length) };
  const before = new Map<string, number>();
  for (const [name, member] of members) before.set(name, await countIn(member));
  await setPolicy(hub, policyOf(batch, names, { suspension: { dispatching: true } }));
  await createAll(hub, batch);
  await untilQuiet(hub);
  const used = usages(system);
  const start = performance.now();
  await setPolicy(hub, policyOf(batch, names));
  await untilTrue(
    'all held works are dispatched',
    async () => {
      for (const [name, member] of members)
        if ((await countIn(member)) < (before.get(name) ?? 0) + batch.count) return false;
      return true;
    },
    50,
  );
  const value = (performance.now() - start) / 1000;
  await untilQuiet(hub);
  const { mainCpu, cpu } = controlPlaneCost({ cost: costs(system, used) });
  const count = batch.count * names.length;
  const each = [(mainCpu / count) * 1e6, (cpu / count) * 1e6] as const;
  return { what: `resume of ${count.toLocaleString('en')} held works`, value, unit: 's', budget: 2, cpu: each };
}
