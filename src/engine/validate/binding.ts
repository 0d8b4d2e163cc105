import { dependenciesAnnotation, invalidValue, required } from '../../api/index.ts';
import { at, entryOf, isSet, items, textOf } from './place.ts';
import type { Faults, Place } from './place.ts';
import { suspensionFaults } from './suspension.ts';
import { duplicates } from './syntax.ts';

/** ResourceBinding and ClusterResourceBinding. */
export function* bindingFaults(binding: Place): Faults {
  const dependencies = entryOf(at(binding, 'metadata', 'annotations'), dependenciesAnnotation);
  if (isSet(dependencies) && !isJson(textOf(dependencies))) {
    yield invalidValue(dependencies.path, dependencies.value, 'must be a JSON list of references');
  }
  yield* suspensionFaults(at(binding, 'spec', 'suspension'));
  const names = items(at(binding, 'spec', 'components')).map((component) => at(component, 'name'));
  for (const name of names) if (name.value === '') yield required(name.path, 'every component has a name');
  yield* duplicates(names, textOf);
}

function isJson(text: string): boolean {
  try {
    return Array.isArray(JSON.parse(text));
  } catch {
    return false;
  }
}

/** Work: what it carries must be objects that a member can take. */
export function* workFaults(work: Place): Faults {
  for (const manifest of items(at(work, 'spec', 'workload', 'manifests'))) {
    const parts = [at(manifest, 'apiVersion'), at(manifest, 'kind'), at(manifest, 'metadata', 'name')];
    for (const part of parts) if (textOf(part) === '') yield required(part.path, 'a manifest is a whole object');
  }
}
