import { decideSchedule } from '../src/engine/schedule/index.ts';
import type { Binding, Placement } from '../src/api/index.ts';
import { binding, members, noon, settled } from '../test/kit/fleet.ts';
import { microseconds } from './kit/measure.ts';
import type { Figure } from './kit/measure.ts';

const count = 100_000;
const clusters = members(20);

/** Many bindings of one policy: each its own object, all with the very same placement. */
function bindings(placement: Placement, replicas?: number): readonly Binding[] {
  const words = replicas === undefined ? {} : { replicas };
  return Array.from({ length: count }, (_, i) => binding(placement, { ...words, name: `uid-${i}` }));
}

function settle(start: Binding): Binding {
  return settled(start, (object) => decideSchedule({ binding: object, clusters, now: noon }));
}

function figure(what: string, all: readonly Binding[]): Figure {
  const value = microseconds(count, () => {
    for (const object of all) decideSchedule({ binding: object, clusters, now: noon });
  });
  return { what, value, unit: 'µs', budget: 3 };
}

function figures(what: string, start: readonly Binding[]): readonly Figure[] {
  return [figure(`${what}, to place`, start), figure(`${what}, settled`, start.map(settle))];
}

/** The choice of clusters for 100,000 bindings that share a placement, on a fleet of 20. */
export function run(): readonly Figure[] {
  const two: Placement = { clusterAffinity: { clusterNames: ['member1', 'member2'] } };
  const divided: Placement = { ...two, replicaScheduling: { replicaSchedulingType: 'Divided' } };
  return [
    ...figures('copies on 2 of 20', bindings(two)),
    ...figures('copies on 20 of 20', bindings({})),
    ...figures('5 replicas divided', bindings(divided, 5)),
  ];
}
