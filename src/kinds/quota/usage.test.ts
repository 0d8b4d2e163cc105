import { expect, it } from 'vitest';
import type { KubeObject } from '../../api/index.ts';
import { quantityTextLike } from '../quantity.ts';
import { isInScope } from './scopes.ts';
import { excess, uncountable, usageUnder } from './total.ts';
import { usageOf } from './usage.ts';

const pods = { group: '', plural: 'pods' };
const object = (spec: object, more: object = {}): KubeObject =>
  ({ apiVersion: 'v1', kind: 'Any', metadata: { name: 'a' }, spec, ...more }) as unknown as KubeObject;
const shown = (amounts: ReadonlyMap<string, { digits: bigint; exponent: number }>): object =>
  Object.fromEntries([...amounts].map(([name, amount]) => [name, quantityTextLike(amount, '')]));
const container = (requests: object, more: object = {}): object => ({ name: 'c', resources: { requests }, ...more });

it.each([
  ['a ConfigMap', { group: '', plural: 'configmaps' }, object({}), { 'count/configmaps': '1', configmaps: '1' }],
  ['a Deployment', { group: 'apps', plural: 'deployments' }, object({}), { 'count/deployments.apps': '1' }],
  [
    'a pod by the sum of its containers',
    pods,
    object({ containers: [container({ cpu: '100m' }), container({ cpu: '1', 'example.com/gpu': 2 })] }),
    { 'count/pods': '1', pods: '1', cpu: '1100m', 'requests.cpu': '1100m', 'requests.example.com/gpu': '2' },
  ],
  [
    'a pod by its largest init container beside those that keep running',
    pods,
    object({
      containers: [container({ cpu: 1 })],
      initContainers: [container({ cpu: 1 }, { restartPolicy: 'Always' }), container({ cpu: 3 })],
    }),
    { 'count/pods': '1', pods: '1', cpu: '4', 'requests.cpu': '4' },
  ],
  [
    'a pod that has ended by its existence only',
    pods,
    object({ containers: [container({ cpu: 1 })] }, { status: { phase: 'Succeeded' } }),
    { 'count/pods': '1' },
  ],
  [
    'a Service of type LoadBalancer',
    { group: '', plural: 'services' },
    object({ type: 'LoadBalancer', ports: [{ port: 1 }, { port: 2 }] }),
    { 'count/services': '1', services: '1', 'services.loadbalancers': '1', 'services.nodeports': '2' },
  ],
  [
    'a claim with a class',
    { group: '', plural: 'persistentvolumeclaims' },
    object({ storageClassName: 'gold', resources: { requests: { storage: '1Gi' } } }),
    {
      'count/persistentvolumeclaims': '1',
      persistentvolumeclaims: '1',
      'gold.storageclass.storage.k8s.io/persistentvolumeclaims': '1',
      'requests.storage': '1073741824',
      'gold.storageclass.storage.k8s.io/requests.storage': '1073741824',
    },
  ],
])('counts %s', (_, resource, counted, expected) => {
  expect(shown(usageOf(resource, counted))).toEqual(expected);
});

it.each([
  [{ scopes: ['Terminating'] }, { activeDeadlineSeconds: 0 }, true],
  [{ scopes: ['Terminating'] }, {}, false],
  [{ scopes: ['NotTerminating', 'BestEffort'] }, { containers: [] }, true],
  [{ scopes: ['NotBestEffort'] }, { containers: [container({ cpu: 1 })] }, true],
  [
    { scopeSelector: { matchExpressions: [{ scopeName: 'PriorityClass', operator: 'In', values: ['high'] }] } },
    {},
    false,
  ],
  [
    { scopeSelector: { matchExpressions: [{ scopeName: 'PriorityClass', operator: 'NotIn', values: ['high'] }] } },
    { priorityClassName: 'low' },
    true,
  ],
  [
    { scopes: ['CrossNamespacePodAffinity'] },
    { affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ namespaces: ['b'] }] } } },
    true,
  ],
])('a quota with %j has a pod with %j in scope: %s', (spec, pod, expected) => {
  expect(isInScope(object(spec), pods, object(pod))).toBe(expected);
});

it('says what is missing in a pod whose compute resources are bounded', () => {
  const quota = object({ hard: { cpu: '1', 'limits.memory': '1Gi', pods: '3' } });
  const pod = object({ containers: [container({ cpu: 1 })] });
  expect(uncountable(quota, pods, pod)).toBe('failed quota: a: must specify limits.memory for: c');
});

it('says how much is asked for, used and allowed when it is too much', () => {
  const quota = object({ hard: { memory: '1Gi', pods: '3' } });
  const more = usageUnder(quota, pods, object({ containers: [container({ memory: '1Gi' })] }));
  const used = usageUnder(quota, pods, object({ containers: [container({ memory: '512Mi' })] }));
  expect(excess({ quota, used, more })).toBe(
    'exceeded quota: a, requested: memory=1Gi, used: memory=512Mi, limited: memory=1Gi',
  );
  expect(excess({ quota, used: new Map(), more })).toBeUndefined();
});
