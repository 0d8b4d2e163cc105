import { duplicateValue, notSupported } from '../api/index.ts';
import type { FieldError } from '../api/index.ts';
import { horizontalPodAutoscalers } from './autoscalers.ts';
import type { Draft } from './draft.ts';
import { ingressErrors } from './ingresses.ts';
import { fill, ownPart, partsOf, specOf, textOf } from './part.ts';
import { choiceErrors } from './podvalidate.ts';
import { budgetErrors, networkPolicyErrors } from './policies.ts';
import type { Strategy } from './strategy.ts';

const networkPolicies: Strategy = {
  generation: true,
  defaults(draft) {
    const spec = ownPart(draft, 'spec');
    fill(spec, { policyTypes: () => (Array.isArray(spec['egress']) ? ['Ingress', 'Egress'] : ['Ingress']) });
    for (const rule of [...partsOf(spec, 'ingress'), ...partsOf(spec, 'egress')]) {
      for (const port of partsOf(rule, 'ports')) fill(port, { protocol: 'TCP' });
    }
  },
  validate: networkPolicyErrors,
};

const ingresses: Strategy = {
  generation: true,
  initialStatus: { loadBalancer: {} },
  validate: ingressErrors,
};

const podDisruptionBudgets: Strategy = {
  generation: true,
  initialStatus: { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 },
  validate: budgetErrors,
};

const endpointSlices: Strategy = {
  generation: true,
  defaults(draft) {
    for (const port of partsOf(draft, 'ports')) {
      fill(port, { protocol: 'TCP' });
      port['name'] ??= '';
    }
    for (const endpoint of partsOf(draft, 'endpoints')) ownPart(endpoint, 'conditions');
  },
};

const priorityClasses: Strategy = {
  generation: true,
  defaults: (draft) => fill(draft, { preemptionPolicy: 'PreemptLowerPriority' }),
};

/** The request says who asks; nobody can write that about themselves. */
const certificateSigningRequests: Strategy = {
  prepareCreate(draft, { user }) {
    const spec = ownPart(draft, 'spec');
    spec['username'] = user.name;
    spec['groups'] = user.groups;
    if (user.uid) spec['uid'] = user.uid;
    else delete spec['uid'];
    if (user.extra) spec['extra'] = user.extra;
    else delete spec['extra'];
  },
  prepareUpdate(draft, old) {
    draft['spec'] = specOf(old);
  },
};

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
const storage: Readonly<Record<string, Strategy>> = {
  'storage.k8s.io/csidrivers': csiDrivers,
  'storage.k8s.io/storageclasses': storageClasses,
};

/** The other groups. */
export const others: Readonly<Record<string, Strategy>> = {
  'autoscaling/horizontalpodautoscalers': horizontalPodAutoscalers,
  'discovery.k8s.io/endpointslices': endpointSlices,
  'networking.k8s.io/ingresses': ingresses,
  'policy/poddisruptionbudgets': podDisruptionBudgets,
  'certificates.k8s.io/certificatesigningrequests': certificateSigningRequests,
  'networking.k8s.io/networkpolicies': networkPolicies,
  'scheduling.k8s.io/priorityclasses': priorityClasses,
  ...storage,
};
