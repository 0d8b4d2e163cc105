import { expect, test } from 'vitest';
import type { Node, Pod, PodSpec } from '../cluster/objects.ts';
import { misfit, nowhereText } from './fit.ts';
import { requestsOf, Usage } from './usage.ts';

const node = (spec: Node['spec'] = {}, labels: Record<string, string> = {}): Node => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name: 'n1', labels },
  spec,
  status: {
    allocatable: { cpu: '4', memory: '8Gi', pods: '3' },
    conditions: [{ type: 'Ready', status: 'True' }],
  },
});

const pod = (spec: Partial<PodSpec> = {}): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p', namespace: 'default' },
  spec: { containers: [{ name: 'c' }], ...spec },
});

const asking = (requests: Record<string, string>): Pod => pod({ containers: [{ name: 'c', resources: { requests } }] });

const affine = (term: object): Pod =>
  pod({
    affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [term] } } },
  });

const taint = { key: 'dedicated', value: 'gpu', effect: 'NoSchedule' };
const elsewhere = "node(s) didn't match Pod's node affinity/selector";

test.each<[string, Pod, Node, Record<string, number>, string | undefined]>([
  ['fits', asking({ cpu: '500m' }), node(), { cpu: 3.5 }, undefined],
  ['lacks room', asking({ cpu: '501m' }), node(), { cpu: 3.5 }, 'Insufficient cpu'],
  ['asks for what is not there', asking({ 'nvidia.com/gpu': '1' }), node(), {}, 'Insufficient nvidia.com/gpu'],
  ['is one too many', pod(), node(), { pods: 3 }, 'Too many pods'],
  ['meets a cordon', pod(), node({ unschedulable: true }), {}, 'node(s) were unschedulable'],
  ['meets a taint', pod(), node({ taints: [taint] }), {}, 'node(s) had untolerated taint {dedicated: gpu}'],
  [
    'bears a taint',
    pod({ tolerations: [{ key: 'dedicated', value: 'gpu' }] }),
    node({ taints: [taint] }),
    {},
    undefined,
  ],
  [
    'bears all',
    pod({ tolerations: [{ operator: 'Exists' }] }),
    node({ taints: [taint], unschedulable: true }),
    {},
    undefined,
  ],
  [
    'bears another',
    pod({ tolerations: [{ key: 'dedicated', value: 'x' }] }),
    node({ taints: [taint] }),
    {},
    'node(s) had untolerated taint {dedicated: gpu}',
  ],
  ['wants another label', pod({ nodeSelector: { disk: 'ssd' } }), node({}, { disk: 'hdd' }), {}, elsewhere],
  [
    'wants this node',
    affine({ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['n1'] }] }),
    node(),
    {},
    undefined,
  ],
  [
    'wants that node',
    affine({ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['n2'] }] }),
    node(),
    {},
    elsewhere,
  ],
  ['wants a label', affine({ matchExpressions: [{ key: 'gpu', operator: 'Exists' }] }), node(), {}, elsewhere],
  [
    'wants more than',
    affine({ matchExpressions: [{ key: 'cores', operator: 'Gt', values: ['4'] }] }),
    node({}, { cores: '8' }),
    {},
    undefined,
  ],
  ['wants nothing that can be', affine({}), node(), {}, elsewhere],
])('a pod that %s', (_, one, where, used, why) => expect(misfit(one, where, used)).toBe(why));

test('the reasons of all nodes make one message', () => {
  expect(nowhereText(['Insufficient cpu', 'Too many pods', 'Insufficient cpu'])).toBe(
    '0/3 nodes are available: 1 Too many pods, 2 Insufficient cpu.',
  );
  expect(nowhereText([])).toBe('no nodes available to schedule pods');
});

test('a pod asks for its containers together, or for its largest init container', () => {
  const containers = [
    { name: 'a', resources: { requests: { cpu: '1', memory: '1Gi' } } },
    { name: 'b', resources: { requests: { cpu: '500m' } } },
  ];
  const initContainers = [{ name: 'i', resources: { requests: { cpu: '2' } } }];
  expect(requestsOf(pod({ containers, initContainers }))).toEqual({ pods: 1, cpu: 2, memory: 2 ** 30 });
});

test('a node is charged once for a pod, whoever says it first, and addresses are given once', () => {
  const usage = new Usage();
  const placed: Pod = { ...asking({ cpu: '1' }), spec: { ...asking({ cpu: '1' }).spec, nodeName: 'n1' } };
  usage.reserve('/a', placed, 'n1');
  usage.learn('/pods', { key: '/a', after: placed });
  usage.reserve('/b', placed, 'n1');
  expect(usage.on('n1')).toEqual({ pods: 2, cpu: 2 });
  const first = usage.takeAddress('/a', '10.244.1.0/24');
  expect([usage.takeAddress('/a', '10.244.1.0/24'), usage.takeAddress('/b', '10.244.1.0/24')]).toEqual([
    first,
    '10.244.1.3',
  ]);
  usage.learn('/pods', { key: '/a', before: placed });
  expect(usage.on('n1')).toEqual({ pods: 1, cpu: 1 });
  expect(usage.takeAddress('/c', '10.244.1.0/24')).toBe(first);
});
