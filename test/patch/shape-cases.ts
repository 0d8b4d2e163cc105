import {
  apply,
  core,
  create,
  deployment,
  merge,
  nginx,
  onConfigMap,
  order,
  pod,
  selector,
  story,
  strategic,
  template,
  configMap,
  web,
} from './story.ts';
import type { Body, Case } from './story.ts';

function named(names: string): readonly Body[] {
  return Array.from(names, (name) => ({ name, image: 'i' }));
}

function containers(names: string): Body {
  return deployment({ template: { spec: { containers: named(names) } } });
}

function orderCase(live: string, applied: string): Case {
  return story(
    `the order of containers ${live} with ${applied}`,
    create(deployment({ selector, template: pod(named(live)) })),
    apply('a', containers(applied), { force: true }),
  );
}

function patchOrderCase(live: string, patch: string, wanted: string): Case {
  return story(
    `strategic order of ${live} with ${patch} as ${wanted}`,
    create(deployment({ selector, template: pod(named(live)) })),
    strategic(template(named(patch), wanted ? { '$setElementOrder/containers': order(...Array.from(wanted)) } : {})),
  );
}

function service(ports: readonly Body[] | undefined): Body {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'svc' },
    spec: { clusterIP: 'None', ...(ports && { ports }) },
  };
}

const dns = [
  { name: 'tcp', port: 53, protocol: 'TCP' },
  { name: 'udp', port: 53, protocol: 'UDP' },
];

function node(spec: Body): Body {
  return { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n1' }, spec };
}

const taint = { key: 'k', value: 'v', effect: 'NoSchedule' };

/** Lists: their order, their duplicates, and kinds whose lists are owned in other ways than containers are. */
export const shaping: readonly Case[] = [
  orderCase('abc', 'cb'),
  orderCase('abc', 'ca'),
  orderCase('abc', 'da'),
  orderCase('abc', 'adc'),
  orderCase('axbyc', 'cba'),
  orderCase('abcd', 'dxc'),
  patchOrderCase('abc', 'x', ''),
  patchOrderCase('abc', 'xc', ''),
  patchOrderCase('abcd', 'x', 'dxb'),
  patchOrderCase('abcd', 'ca', 'ca'),
  {
    name: 'ports of a service, two of one number',
    resource: `${core}/services`,
    object: 'svc',
    admitted: ['/spec/clusterIPs', '/spec/ipFamilies', '/spec/ipFamilyPolicy'],
    steps: [
      create(service(dns)),
      apply('a', service([{ port: 53, protocol: 'UDP', name: 'udp', targetPort: 5353 }])),
      apply('a', service([{ port: 53, protocol: 'UDP', name: 'udp', targetPort: 5353 }]), { force: true }),
      strategic({ spec: { ports: [{ port: 54, name: 'more' }] } }),
      strategic({ spec: { ports: [{ port: 53, $patch: 'delete' }] } }),
      merge({ spec: { ports: [{ port: 80 }] } }),
    ],
  },
  {
    name: 'taints of a node',
    resource: '/api/v1/nodes',
    object: 'n1',
    steps: [
      create(node({ taints: [taint] })),
      strategic(
        {
          spec: {
            taints: [
              { key: 'other', effect: 'NoExecute' },
              { ...taint, $patch: 'delete' },
            ],
          },
        },
        { manager: 'kubectl-taint' },
      ),
      strategic(
        { spec: { taints: [{ key: 'other', effect: 'NoExecute', value: 'x' }, taint] } },
        { manager: 'kubectl-taint' },
      ),
      apply('a', node({ taints: [taint] })),
      apply('a', node({ taints: [taint] }), { force: true }),
      merge({ spec: { taints: null, unschedulable: true } }),
    ],
  },
  {
    name: 'rules of a role are one field',
    resource: '/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles',
    object: 'role',
    steps: [
      apply('a', {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'Role',
        metadata: { name: 'role' },
        rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }],
      }),
      apply('b', { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'Role', metadata: { name: 'role' }, rules: [] }),
      apply('a', {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'Role',
        metadata: { name: 'role', labels: { x: 'y' } },
      }),
    ],
  },
  {
    name: 'a service account and its secrets',
    resource: `${core}/serviceaccounts`,
    object: 'sa',
    steps: [
      create({
        apiVersion: 'v1',
        kind: 'ServiceAccount',
        metadata: { name: 'sa' },
        secrets: [{ name: 'one' }],
        imagePullSecrets: [{ name: 'pull' }],
      }),
      strategic({ secrets: [{ name: 'two' }], imagePullSecrets: [{ name: 'more' }] }),
      apply(
        'a',
        {
          apiVersion: 'v1',
          kind: 'ServiceAccount',
          metadata: { name: 'sa' },
          secrets: [{ name: 'three' }],
          imagePullSecrets: [{ name: 'last' }],
        },
        { force: true },
      ),
      apply('a', { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'sa' } }),
    ],
  },
  story(
    'env with two of one name',
    create(
      web([
        {
          ...nginx,
          env: [
            { name: 'x', value: '1' },
            { name: 'x', value: '2' },
            { name: 'y', value: '3' },
          ],
        },
      ]),
    ),
    merge({ metadata: { labels: { touched: 'yes' } } }),
    apply(
      'a',
      deployment({ template: { spec: { containers: [{ name: 'nginx', env: [{ name: 'y', value: '3' }] }] } } }),
    ),
    apply(
      'a',
      deployment({ template: { spec: { containers: [{ name: 'nginx', env: [{ name: 'x', value: '9' }] }] } } }),
      { force: true },
    ),
    strategic(template([{ name: 'nginx', env: [{ name: 'y', value: '4' }] }])),
  ),
  story(
    'lifecycle, probes and security: structs behind pointers',
    apply(
      'a',
      web([
        {
          ...nginx,
          livenessProbe: { httpGet: { path: '/', port: 80 } },
          securityContext: { capabilities: { add: ['X'] }, runAsUser: 1 },
        },
      ]),
    ),
    apply('a', web([{ ...nginx, livenessProbe: { exec: { command: ['x'] } }, securityContext: {} }])),
    apply('a', web([nginx])),
  ),
  story(
    'affinity and constraints',
    apply(
      'a',
      deployment({
        selector,
        template: pod([nginx], {
          affinity: {
            podAntiAffinity: {
              preferredDuringSchedulingIgnoredDuringExecution: [
                { weight: 1, podAffinityTerm: { topologyKey: 'zone', labelSelector: selector } },
              ],
            },
          },
          topologySpreadConstraints: [
            { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'ScheduleAnyway', labelSelector: selector },
          ],
        }),
      }),
    ),
    apply(
      'b',
      deployment({
        template: {
          spec: {
            topologySpreadConstraints: [{ maxSkew: 2, topologyKey: 'host', whenUnsatisfiable: 'ScheduleAnyway' }],
          },
        },
      }),
    ),
    apply('a', deployment({ selector, template: pod([nginx]) })),
  ),
  onConfigMap(
    'an update that moves a key',
    apply('a', configMap({ x: '1', y: '2' })),
    merge({ data: { x: null, z: '1' } }),
    apply('a', configMap({ x: '1' })),
    apply('b', configMap({ z: '2' })),
    apply('a', configMap({ x: '1', 'a<b>&c': '' }, { annotations: { 'a/b': '<&>' } })),
  ),
  {
    name: 'an ingress of two appliers',
    resource: '/apis/networking.k8s.io/v1/namespaces/default/ingresses',
    object: 'ing',
    steps: [
      apply('a', {
        apiVersion: 'networking.k8s.io/v1',
        kind: 'Ingress',
        metadata: { name: 'ing' },
        spec: { ingressClassName: 'x', rules: [{ host: 'a' }] },
      }),
      apply('b', {
        apiVersion: 'networking.k8s.io/v1',
        kind: 'Ingress',
        metadata: { name: 'ing' },
        spec: { rules: [{ host: 'b' }], tls: [{ hosts: ['h'] }] },
      }),
      apply('b', {
        apiVersion: 'networking.k8s.io/v1',
        kind: 'Ingress',
        metadata: { name: 'ing' },
        spec: { defaultBackend: { service: { name: 's', port: { number: 80 } } } },
      }),
      apply('b', { apiVersion: 'networking.k8s.io/v1', kind: 'Ingress', metadata: { name: 'ing' } }),
    ],
  },
];
