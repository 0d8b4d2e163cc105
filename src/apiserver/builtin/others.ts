import { invalidValue } from '../../api/index.ts';
import type { FieldError } from '../../api/index.ts';
import { isObject } from '../../base/index.ts';
import type { Part } from '../draft.ts';
import type { Strategy } from '../strategy.ts';
import { fill, numberOf, ownPart, partsOf, specOf } from './part.ts';
import { budgetErrors, networkPolicyErrors } from './policies.ts';

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

const horizontalPodAutoscalers: Strategy = {
  initialStatus: { currentReplicas: 0, desiredReplicas: 0 },
  defaults(draft) {
    const spec = ownPart(draft, 'spec');
    fill(spec, { minReplicas: 1 });
    if (isObject(spec['behavior'])) defaultBehavior(spec['behavior']);
    if (draft.apiVersion !== 'autoscaling/v2' || partsOf(spec, 'metrics').length > 0) return;
    const target = { type: 'Utilization', averageUtilization: 80 };
    spec['metrics'] = [{ type: 'Resource', resource: { name: 'cpu', target } }];
  },
  validate(draft) {
    const spec = specOf(draft);
    const [least, most] = [numberOf(spec, 'minReplicas') ?? 1, numberOf(spec, 'maxReplicas') ?? 0];
    const errors: FieldError[] = [];
    if (least < 1) errors.push(invalidValue('spec.minReplicas', least, 'must be greater than or equal to 1'));
    if (most < 1) errors.push(invalidValue('spec.maxReplicas', most, 'must be greater than 0'));
    else if (most < least) {
      errors.push(invalidValue('spec.maxReplicas', most, 'must be greater than or equal to `minReplicas`'));
    }
    return errors;
  },
};

/** Who says anything about the speed of scaling gets the rest of it written down. */
function defaultBehavior(behavior: Part): void {
  const twice = { type: 'Percent', value: 100, periodSeconds: 15 };
  const four = { type: 'Pods', value: 4, periodSeconds: 15 };
  const up = { stabilizationWindowSeconds: 0, selectPolicy: 'Max', policies: () => [four, { ...twice }] };
  fill(ownPart(behavior, 'scaleUp'), up);
  fill(ownPart(behavior, 'scaleDown'), { selectPolicy: 'Max', policies: () => [twice] });
}

const ingresses: Strategy = {
  generation: true,
  initialStatus: { loadBalancer: {} },
  validate(draft) {
    const spec = specOf(draft);
    if (spec['defaultBackend'] !== undefined || partsOf(spec, 'rules').length > 0) return [];
    return [invalidValue('spec', null, 'either `defaultBackend` or `rules` must be specified')];
  },
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

const storageClasses: Strategy = {
  defaults: (draft) => fill(draft, { reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate' }),
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

/** The other groups. */
export const others: Readonly<Record<string, Strategy>> = {
  'autoscaling/horizontalpodautoscalers': horizontalPodAutoscalers,
  'discovery.k8s.io/endpointslices': endpointSlices,
  'networking.k8s.io/ingresses': ingresses,
  'policy/poddisruptionbudgets': podDisruptionBudgets,
  'certificates.k8s.io/certificatesigningrequests': certificateSigningRequests,
  'networking.k8s.io/networkpolicies': networkPolicies,
  'scheduling.k8s.io/priorityclasses': priorityClasses,
  'storage.k8s.io/storageclasses': storageClasses,
};
