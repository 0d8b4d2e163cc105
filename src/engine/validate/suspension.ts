import { forbiddenField } from '../../api/index.ts';
import { at, isSet, items } from './place.ts';
import type { Faults, Place } from './place.ts';

const spellings = [
  { all: 'suspendDispatching', some: 'suspendDispatchingOnClusters' },
  { all: 'dispatching', some: 'dispatchingOnClusters' },
] as const;

/** One spelling at a time, and all members or some, never both. */
export function* suspensionFaults(suspension: Place): Faults {
  const used = spellings.map(({ all, some }) => [at(suspension, all), at(suspension, some)].filter(isSet));
  const [first = [], second = []] = used;
  if (first.length > 0) {
    for (const field of second) {
      const instead = field.path.endsWith('OnClusters') ? spellings[0].some : spellings[0].all;
      yield forbiddenField(field.path, `another spelling of ${instead}: write one spelling only`);
    }
  }
  for (const { all, some } of spellings) {
    const stopsAll = at(suspension, all).value === true;
    const list = at(suspension, some);
    if (stopsAll && items(at(list, 'clusterNames')).length > 0) {
      yield forbiddenField(list.path, `${all} stops all members already: leave out one of the two`);
    }
  }
}
