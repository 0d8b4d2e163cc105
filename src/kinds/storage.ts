import { duplicateValue, notSupported } from '../api/index.ts';
import type { FieldError } from '../api/index.ts';
import type { Draft } from './draft.ts';
import { fill, ownPart, partsOf, specOf, textOf } from './part.ts';
import { choiceErrors } from './podvalidate.ts';
import type { Strategy } from './strategy.ts';

const storageClasses: Strategy = {
  defaults: (draft) => fill(draft, { reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate' }),
};

const groupPolicies = ['File', 'None', 'ReadWriteOnceWithFSType'];
const lifecycles = ['Persistent', 'Ephemeral'];

const csiDrivers: Strategy = {
  defaults: (draft) =>
    fill(ownPart(draft, 'spec'), {
      attachRequired: true,
      podInfoOnMount: false,
      storageCapacity: false,
      fsGroupPolicy: 'ReadWriteOnceWithFSType',
      requiresRepublish: false,
      seLinuxMount: false,
      volumeLifecycleModes: () => ['Persistent'],
    }),
  validate: driverErrors,
};

function driverErrors(draft: Draft): FieldError[] {
  const spec = specOf(draft);
  const modes = Array.isArray(spec['volumeLifecycleModes']) ? spec['volumeLifecycleModes'] : [];
  const audiences = partsOf(spec, 'tokenRequests').map((request) => textOf(request, 'audience'));
  return [
    ...choiceErrors(spec, { path: 'spec', name: 'fsGroupPolicy', choices: groupPolicies }),
    ...audiences.flatMap((audience, i) =>
      audiences.indexOf(audience) < i ? [duplicateValue(`spec.tokenRequests[${i}].audience`, audience)] : [],
    ),
    ...modes
      .filter((mode) => !lifecycles.includes(String(mode)))
      .map((mode) => notSupported('spec.volumeLifecycleModes', mode, lifecycles)),
  ];
}

/** The group storage.k8s.io. */
export const storage: Readonly<Record<string, Strategy>> = {
  'storage.k8s.io/csidrivers': csiDrivers,
  'storage.k8s.io/storageclasses': storageClasses,
};
