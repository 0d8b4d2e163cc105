import { duplicateValue, immutable, invalidValue, required } from '../../api/index.ts';
import { equal } from '../../base/index.ts';
import { at, items, numberOf, textOf } from './place.ts';
import type { Faults, Place } from './place.ts';
import { checked, duplicates, portFaults, whyNotMemberName } from './syntax.ts';

/** MultiClusterService: one way of exposure, chosen once. */
export function* multiClusterServiceFaults(service: Place, old: Place | undefined): Faults {
  const spec = at(service, 'spec');
  const types = at(spec, 'types');
  if (items(types).length !== 1) yield invalidValue(types.path, types.value, 'write exactly one type');
  if (old && !equal(types.value, at(old, 'spec', 'types').value)) yield immutable(types.path, types.value);
  yield* portsFaults(at(spec, 'ports'));
  const named = [at(spec, 'providerClusters'), at(spec, 'consumerClusters')].flatMap((list) => items(list));
  const plain = [at(spec, 'serviceProvisionClusters'), at(spec, 'serviceConsumptionClusters')].flatMap((list) =>
    items(list),
  );
  const ranged = items(at(spec, 'range', 'clusterNames'));
  for (const name of [...named.map((cluster) => at(cluster, 'name')), ...plain, ...ranged]) {
    yield* checked(name, whyNotMemberName);
  }
}

function* portsFaults(ports: Place): Faults {
  const seen = new Set<string>();
  for (const port of items(ports)) {
    const number = at(port, 'port');
    yield* portFaults(number);
    const identity = `${textOf(at(port, 'name'))}:${numberOf(number)}`;
    if (seen.has(identity)) yield duplicateValue(port.path, identity);
    seen.add(identity);
  }
}

/** WorkloadRebalancer: each workload by its whole name, once. */
export function* rebalancerFaults(rebalancer: Place): Faults {
  const workloads = items(at(rebalancer, 'spec', 'workloads'));
  for (const workload of workloads) {
    for (const part of ['apiVersion', 'kind', 'name']) {
      const field = at(workload, part);
      if (field.value === '') yield required(field.path, 'write the apiVersion, kind and name of the workload');
    }
  }
  yield* duplicates(workloads, identityOf);
}

function identityOf(workload: Place): string {
  return ['apiVersion', 'kind', 'namespace', 'name'].map((part) => textOf(at(workload, part))).join('/');
}
