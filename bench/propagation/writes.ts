import type { KubeObject, Work } from '../../src/api/index.ts';
import type { KindRef } from '../../src/client/index.ts';
import type { Figure } from '../kit/measure.ts';
import type { System } from './system.ts';
import { createAll, kinds, policyOf, setPolicy, untilQuiet } from './templates.ts';
import type { Batch } from './templates.ts';

const work: KindRef = { apiVersion: 'work.karmada.io/v1alpha1', kind: 'Work' };
const event: KindRef = { apiVersion: 'v1', kind: 'Event' };
const watched: readonly KindRef[] = [
  ...kinds,
  { apiVersion: 'work.karmada.io/v1alpha2', kind: 'ResourceBinding' },
  work,
  event,
];

/** One write of the hub, and the template that it is about. */
interface Written {
  readonly template: string;
  readonly kind: string;
  readonly revision: number;
  /** The member has it: what was written before was needed for that. */
  readonly applied: boolean;
}

/** The writes for a template: until the first member has it, and in all. Counted by a watcher of the hub. */
export async function writesPerTemplate(system: System, batch: Batch): Promise<readonly Figure[]> {
  const { hub, members } = system;
  await setPolicy(hub, policyOf(batch, [...members.keys()]));
  await untilQuiet(hub);
  const written: Written[] = [];
  const stop = new AbortController();
  for (const kind of watched) {
    const { resourceVersion } = await hub.list(kind, { limit: 1 });
    const batches = await hub.watch(kind, { resourceVersion, signal: stop.signal });
    void (async () => {
      for await (const events of batches)
        for (const one of events) if ('object' in one && one.type !== 'BOOKMARK') written.push(writtenOf(one.object));
    })().catch(() => {});
  }
  await createAll(hub, batch);
  await untilQuiet(hub);
  stop.abort();
  return figuresOf(written.filter(({ template }) => template.startsWith(`${batch.name}-`)));
}

function writtenOf(object: KubeObject): Written {
  const { involvedObject } = object as { involvedObject?: { name?: string } };
  // Names of bindings and works begin with the name of the template, which ends with its number.
  const template = /^[a-z]-\d+/.exec(involvedObject?.name ?? object.metadata.name)?.[0] ?? '';
  const revision = Number(object.metadata.resourceVersion);
  return { template, kind: object.kind, revision, applied: object.kind === work.kind && isApplied(object as Work) };
}

function isApplied({ status }: Work): boolean {
  return status?.conditions?.some((condition) => condition.type === 'Applied' && condition.status === 'True') === true;
}

function figuresOf(written: readonly Written[]): readonly Figure[] {
  const templates = Map.groupBy(written, ({ template }) => template);
  let early = 0;
  for (const all of templates.values()) {
    const first = Math.min(...all.filter(({ applied }) => applied).map(({ revision }) => revision));
    early += all.filter(({ revision, kind }) => revision < first && kind !== event.kind).length;
  }
  const count = templates.size;
  const byKind = Object.entries(Object.groupBy(written, ({ kind }) => (isTemplate(kind) ? 'templates' : `${kind}s`)));
  return [
    { what: 'writes until the first member has it', value: early / count, unit: 'per template', budget: 6 },
    ...byKind.map(([kind, all]) => ({
      what: `writes in all: ${kind}`,
      value: (all?.length ?? 0) / count,
      unit: 'per template',
    })),
  ];
}

const isTemplate = (kind: string): boolean => kinds.some((one) => one.kind === kind);
