import { expect, test } from 'vitest';
import type { KubeObject } from '../../api/index.ts';
import { isPropagated } from './facts.ts';

const object = (kind: string, name: string, more: object = {}): KubeObject => ({
  apiVersion: 'v1',
  kind,
  metadata: { name, namespace: 'shop' },
  ...more,
});
const marked = (labels: Readonly<Record<string, string>>): object => ({
  metadata: { name: 'default', namespace: 'shop', labels },
});

const alone = (type: string, name: string, labels: Readonly<Record<string, string>> = {}): KubeObject => {
  const [apiVersion = '', kind = ''] = type.split(' ');
  return { apiVersion, kind, metadata: { name, labels } };
};
const bootstrapped = { 'kubernetes.io/bootstrapping': 'rbac-defaults' };
const role = 'rbac.authorization.k8s.io/v1 ClusterRole';
const definition = 'apiextensions.k8s.io/v1 CustomResourceDefinition';

test.each<[boolean, string, KubeObject]>([
  [true, 'any ConfigMap', object('ConfigMap', 'settings')],
  [false, 'the certificate of the hub', object('ConfigMap', 'kube-root-ca.crt')],
  [true, 'a Secret of that name', object('Secret', 'kube-root-ca.crt')],
  [true, 'any ServiceAccount', object('ServiceAccount', 'builder')],
  [false, 'the ServiceAccount that every namespace has', object('ServiceAccount', 'default')],
  [true, 'that one with something to say', object('ServiceAccount', 'default', { imagePullSecrets: [{ name: 'x' }] })],
  [true, 'that one with a mark', object('ServiceAccount', 'default', marked({ team: 'a' }))],
  [false, 'an Event', object('Event', 'e')],
  [true, 'any Namespace', alone('v1 Namespace', 'shop')],
  [false, 'the Namespace of the system', alone('v1 Namespace', 'kube-system')],
  [false, 'the Namespace of the nodes', alone('v1 Namespace', 'kube-node-lease')],
  [false, 'the Namespace that every cluster has', alone('v1 Namespace', 'default')],
  [false, 'the Namespace of a member on the hub', alone('v1 Namespace', 'karmada-es-member1')],
  [true, 'any ClusterRole', alone(role, 'reader')],
  [false, 'the ClusterRole of administrators', alone(role, 'cluster-admin', bootstrapped)],
  [false, 'a ClusterRole of the system', alone(role, 'system:discovery', bootstrapped)],
  [true, 'a copy of one', alone(role, 'our-view', bootstrapped)],
  [true, 'one of that name that somebody made', alone(role, 'view')],
  [false, 'a binding of the system', alone(`${role}Binding`, 'cluster-admin', bootstrapped)],
  [true, 'any Service', object('Service', 'kubernetes')],
  [true, 'any PriorityClass', alone('scheduling.k8s.io/v1 PriorityClass', 'high')],
  [false, 'a PriorityClass of the system', alone('scheduling.k8s.io/v1 PriorityClass', 'system-node-critical')],
  [true, 'any definition', alone(definition, 'widgets.example.com')],
  [false, 'a definition of ours', alone(definition, 'works.work.karmada.io')],
  [true, 'a definition in a group that only ends as ours do', alone(definition, 'foos.example.karmada.io')],
  [true, 'an object of that group', alone('example.karmada.io/v1 Foo', 'foo')],
  [
    true,
    'a definition that members need for services of several clusters',
    alone(definition, 'serviceexports.multicluster.x-k8s.io'),
  ],
  [true, 'an object of that one', alone('multicluster.x-k8s.io/v1alpha1 ServiceExport', 'web')],
  [false, 'a policy', alone('policy.karmada.io/v1alpha1 ClusterPropagationPolicy', 'all')],
])('%s: %s is a template', (expected, _, template) => {
  expect(isPropagated(template)).toBe(expected);
});
