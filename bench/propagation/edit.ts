import { summary } from '../kit/load.ts';
import type { Figure } from '../kit/measure.ts';
import { arrivals, stampLabel } from './arrivals.ts';
import type { Arrivals } from './arrivals.ts';
import { controlPlaneCost, costs } from './propagate.ts';
import { usages } from './system.ts';
import type { System } from './system.ts';
import { countIn, createAll, kinds, policyOf, setPolicy, templateRef, untilQuiet } from './templates.ts';
import type { Batch } from './templates.ts';
import { pause, untilTrue } from './wait.ts';

/** The templates that are edited; all stand in one namespace, so that the watches in the members see nothing else. */
export interface Edited {
  readonly batch: Batch;
  readonly namespace: string;
  /** The numbers of the batch that stand there. */
  readonly numbers: readonly number[];
}

/** Brings some templates to all members, of which those of one namespace are to be edited. */
export async function prepareEdits(system: System, name: string, count: number): Promise<Edited> {
  const batch = { name, count };
  const { hub, members } = system;
  await setPolicy(hub, policyOf(batch, [...members.keys()]));
  const [first] = members.values();
  const before = first ? await countIn(first) : 0;
  await createAll(hub, batch);
  await untilTrue('the templates to be edited are in the members', async () => {
    return !first || (await countIn(first)) >= before + count;
  });
  await untilQuiet(hub);
  const { namespace = '' } = templateRef(batch, 0);
  const numbers = Array.from({ length: count }, (_, i) => i).filter(
    (i) => templateRef(batch, i).namespace === namespace,
  );
  return { batch, namespace, numbers };
}

let serial = 0;

/** Edits one template; answers with the milliseconds until the last member has it. */
export async function editOnce(system: System, seen: Arrivals, edited: Edited): Promise<number> {
  return (await editNext(system, seen, edited)).milliseconds;
}

async function editNext(system: System, seen: Arrivals, { batch, numbers }: Edited): Promise<Edit> {
  const stamp = `s${++serial}`;
  const ref = templateRef(batch, numbers[serial % numbers.length] ?? 0);
  const arrived = seen.of(stamp);
  const start = performance.now();
  await system.hub.patch(ref, { metadata: { labels: { [stampLabel]: stamp } } }, { type: 'merge' });
  return { kind: ref.kind, milliseconds: (await arrived) - start };
}

interface Edit {
  readonly kind: string;
  readonly milliseconds: number;
}

const edits = 900;

/** Edits of a settled system, one after the other, each of another template than the one before. */
export async function editAtRest(system: System): Promise<readonly Figure[]> {
  const edited = await prepareEdits(system, 'e', 300);
  const seen = await arrivals(system, edited.namespace);
  for (let i = 0; i < 30; i++) await editOnce(system, seen, edited);
  await untilQuiet(system.hub);
  const used = usages(system);
  const made: Edit[] = [];
  for (let i = 0; i < edits; i++) {
    made.push(await editNext(system, seen, edited));
    await pause(20);
  }
  const { mainCpu, cpu } = controlPlaneCost({ cost: costs(system, used) });
  seen.close();
  const { p50, p99 } = summary(made.map(({ milliseconds }) => milliseconds));
  const each = [(mainCpu / edits) * 1e6, (cpu / edits) * 1e6] as const;
  const what = 'edit at rest until the last member has it';
  return [
    { what: `${what}, p50`, value: p50, unit: 'ms', budget: 15, cpu: each },
    { what: `${what}, p99`, value: p99, unit: 'ms', budget: 60 },
    ...kinds.flatMap(({ kind }) => ofKind(made, kind)),
  ];
}

/** Others tell their figures by kind. */
function ofKind(made: readonly Edit[], kind: string): readonly Figure[] {
  const { p50, p99 } = summary(made.filter((one) => one.kind === kind).map(({ milliseconds }) => milliseconds));
  return [
    { what: `edit at rest of a ${kind}, p50`, value: p50, unit: 'ms' },
    { what: `edit at rest of a ${kind}, p99`, value: p99, unit: 'ms' },
  ];
}
