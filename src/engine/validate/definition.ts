import { crds, forbiddenField, isOwnGroup } from '../../api/index.ts';
import { at, items, root, textOf } from './place.ts';
import type { Faults } from './place.ts';

/** A definition of ours that is changed: every version that the controllers read stays served, and the one that is stored stays stored. */
export function* definitionFaults(object: unknown): Faults {
  const spec = at(root(object), 'spec');
  if (!isOwnGroup(textOf(at(spec, 'group')))) return;
  const name = textOf(at(root(object), 'metadata', 'name'));
  const own = crds().find(({ metadata }) => metadata.name === name);
  const versions = items(at(spec, 'versions'));
  for (const { name: version, served, storage } of own?.spec.versions ?? []) {
    const found = versions.find((one) => textOf(at(one, 'name')) === version);
    if (found && at(found, 'served').value === served && at(found, 'storage').value === storage) continue;
    yield forbiddenField(
      found?.path ?? 'spec.versions',
      `the control plane needs version ${version} with served: ${served} and storage: ${storage}`,
    );
  }
}
