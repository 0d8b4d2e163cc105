/** What is sent to an API server, step after step, on one object: recorded by record.ts, replayed by kube.test.ts. */
export interface Step {
  readonly do: 'create' | 'update' | 'apply' | 'strategic' | 'merge' | 'json';
  readonly manager: string;
  readonly body: unknown;
  readonly force?: boolean;
  readonly subresource?: string;
}

/** A story of one object. */
export interface Case {
  readonly name: string;
  /** `/apis/apps/v1/namespaces/default/deployments` */
  readonly resource: string;
  readonly object: string;
  readonly steps: readonly Step[];
}

type Body = Readonly<Record<string, unknown>>;

const deployments = '/apis/apps/v1/namespaces/default/deployments';
const core = '/api/v1/namespaces/default';

function deployment(spec: Body, metadata: Body = {}): Body {
  return { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web', ...metadata }, spec };
}

function configMap(data: Body | undefined, metadata: Body = {}): Body {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'cfg', ...metadata }, ...(data && { data }) };
}

function pod(containers: readonly Body[], more: Body = {}): Body {
  return { metadata: { labels: { app: 'web' } }, spec: { containers, ...more } };
}

const selector = { matchLabels: { app: 'web' } };
const nginx = { name: 'nginx', image: 'nginx:1' };
const sidecar = { name: 'sidecar', image: 'busybox:1' };

function web(containers: readonly Body[] = [nginx], more: Body = {}): Body {
  return deployment({ replicas: 1, selector, template: pod(containers), ...more });
}

function create(body: unknown, manager = 'creator'): Step {
  return { do: 'create', manager, body };
}

function apply(manager: string, body: unknown, more: Partial<Step> = {}): Step {
  return { do: 'apply', manager, body, ...more };
}

function strategic(body: unknown, more: Partial<Step> = {}): Step {
  return { do: 'strategic', manager: 'patcher', body, ...more };
}

function merge(body: unknown, more: Partial<Step> = {}): Step {
  return { do: 'merge', manager: 'merger', body, ...more };
}

function json(...body: readonly Body[]): Step {
  return { do: 'json', manager: 'patcher', body };
}

function story(name: string, ...steps: readonly Step[]): Case {
  return { name, resource: deployments, object: 'web', steps };
}

function onConfigMap(name: string, ...steps: readonly Step[]): Case {
  return { name, resource: `${core}/configmaps`, object: 'cfg', steps };
}

function template(containers: readonly Body[], more: Body = {}): Body {
  return { spec: { template: { spec: { containers, ...more } } } };
}

function order(...names: readonly string[]): readonly Body[] {
  return names.map((name) => ({ name }));
}

const applying: readonly Case[] = [
  story('apply creates, and again is nothing', apply('a', web()), apply('a', web())),
  story(
    'what an applier leaves out goes',
    apply('a', web([{ ...nginx, env: [{ name: 'x', value: '1' }], args: ['--x'] }], { minReadySeconds: 3 })),
    apply('a', web([nginx])),
  ),
  story(
    'appliers of different fields',
    apply('a', web()),
    apply('b', deployment({ minReadySeconds: 5 }, { labels: { team: 'b' } })),
    apply('a', web([nginx], { revisionHistoryLimit: 3 })),
    apply('b', deployment({})),
  ),
  story(
    'appliers that share a value',
    apply('a', web([nginx], { minReadySeconds: 5 })),
    apply('b', deployment({ minReadySeconds: 5 })),
    apply('a', web([nginx])),
    apply('b', deployment({})),
  ),
  story(
    'a conflict of appliers, then force',
    apply('a', web()),
    apply('b', deployment({ replicas: 3 })),
    apply('b', deployment({ replicas: 3 }), { force: true }),
    apply('a', web()),
  ),
  story(
    'conflicts with a client-side apply',
    create(web([{ ...nginx, env: [{ name: 'x', value: '1' }] }]), 'kubectl-client-side-apply'),
    apply('kubectl', deployment({ replicas: 3 })),
    apply('kubectl', web([{ ...nginx, image: 'nginx:2' }], { replicas: 4 })),
    apply('kubectl', web([{ ...nginx, image: 'nginx:2' }], { replicas: 4 }), { force: true }),
  ),
  story(
    'an update takes a field from an applier',
    apply('a', web()),
    merge({ spec: { replicas: 7 } }),
    apply('a', web()),
    apply('c', deployment({ replicas: 7 })),
    apply('a', web([nginx], { replicas: 7 })),
    apply('a', web([nginx], { replicas: 2 }), { force: true }),
  ),
  story(
    'containers of two appliers',
    apply('a', web([nginx])),
    apply('b', deployment({ template: { spec: { containers: [sidecar] } } })),
    apply('a', web([nginx, { name: 'third', image: 'c' }])),
    apply('b', deployment({ template: { spec: {} } })),
    apply('a', web([{ name: 'third', image: 'c' }, nginx])),
  ),
  story(
    'a container in which another manager owns a field',
    apply('a', web([nginx, sidecar])),
    strategic(template([{ name: 'sidecar', env: [{ name: 'x', value: '1' }] }])),
    apply('a', web([nginx])),
  ),
  story(
    'ports: the protocol has a default',
    apply('a', web([{ ...nginx, ports: [{ containerPort: 80 }, { containerPort: 80, protocol: 'UDP' }] }])),
    apply('a', web([{ ...nginx, ports: [{ containerPort: 80, protocol: 'TCP', name: 'http' }] }])),
    apply('a', web([{ ...nginx, ports: [{ containerPort: 81 }] }])),
  ),
  story(
    'env and volumes come and go',
    apply(
      'a',
      deployment({
        selector,
        template: pod(
          [
            {
              ...nginx,
              env: [
                { name: 'x', value: '1' },
                { name: 'y', value: '2' },
              ],
              volumeMounts: [{ name: 'v', mountPath: '/v' }],
            },
          ],
          { volumes: [{ name: 'v', emptyDir: {} }] },
        ),
      }),
    ),
    apply(
      'a',
      deployment({
        selector,
        template: pod([
          {
            ...nginx,
            env: [
              { name: 'y', value: '3' },
              { name: 'z', value: '1' },
            ],
          },
        ]),
      }),
    ),
    apply('a', deployment({ selector, template: pod([{ ...nginx, env: [] }]) })),
  ),
  story(
    'empty structs and nulls',
    apply('a', web([{ ...nginx, resources: { limits: { cpu: '1' } } }])),
    apply('a', web([{ ...nginx, resources: {} }], { strategy: {} })),
    apply('a', web([{ ...nginx, resources: null, args: null }], { minReadySeconds: null })),
  ),
  story(
    'atomic fields',
    apply(
      'a',
      deployment({
        selector,
        template: pod([{ ...nginx, args: ['a', 'b'] }], {
          nodeSelector: { x: 'y' },
          tolerations: [{ key: 'k', operator: 'Exists' }],
        }),
      }),
    ),
    apply('b', deployment({ template: { spec: { nodeSelector: { z: 'w' } } } })),
    apply('b', deployment({ template: { spec: { nodeSelector: { z: 'w' } } } }), { force: true }),
    apply('a', deployment({ selector, template: pod([{ ...nginx, args: ['c'] }]) })),
  ),
  onConfigMap(
    'keys of a map',
    apply('a', configMap({ a: '1', b: '2' })),
    apply('b', configMap({ c: '3', a: '1' })),
    apply('a', configMap({ b: '3' })),
    apply('b', configMap(undefined)),
    apply('a', configMap(undefined)),
  ),
  onConfigMap(
    'labels, annotations, finalizers, owners',
    apply(
      'a',
      configMap(
        {},
        {
          labels: { a: '1' },
          annotations: { x: 'y' },
          finalizers: ['example.com/a'],
          ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'p', uid: 'u1' }],
        },
      ),
    ),
    apply(
      'b',
      configMap(undefined, {
        finalizers: ['example.com/b'],
        labels: { b: '2' },
        ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'q', uid: 'u2' }],
      }),
    ),
    apply('a', configMap(undefined, { labels: {} })),
    apply('b', configMap(undefined)),
    merge({ metadata: { finalizers: null } }),
  ),
  onConfigMap(
    'an object that no one applied to',
    create(configMap({ a: '1' }), 'creator'),
    merge({ metadata: { managedFields: [] } }),
    merge({ data: { b: '2' } }),
    apply('a', configMap({ a: '2' })),
    apply('a', configMap({ a: '1' })),
    apply('a', configMap({ c: '1' })),
    apply('a', configMap({ a: '2' }), { force: true }),
  ),
  story(
    'from client-side to server-side apply',
    create(
      deployment(
        { replicas: 1, selector, template: pod([nginx]) },
        { annotations: { 'kubectl.kubernetes.io/last-applied-configuration': JSON.stringify(web()), note: 'a<b' } },
      ),
      'kubectl-client-side-apply',
    ),
    apply('kubectl', web([{ ...nginx, image: 'nginx:2' }])),
    merge({ spec: { replicas: 9 } }),
    apply('kubectl', web([{ ...nginx, image: 'nginx:3' }])),
  ),
  story(
    'the status is owned apart',
    create(web()),
    merge(
      {
        status: {
          observedGeneration: 1,
          conditions: [{ type: 'Available', status: 'True', reason: 'x', message: 'y' }],
        },
      },
      { subresource: 'status', manager: 'controller' },
    ),
    apply(
      's',
      {
        ...deployment({ replicas: 3 }),
        status: { replicas: 2, conditions: [{ type: 'Progressing', status: 'True' }] },
      },
      { subresource: 'status' },
    ),
    apply('a', { ...deployment({ minReadySeconds: 1 }), status: { replicas: 9 } }),
    apply('s', { ...deployment({}), status: { replicas: 2 } }, { subresource: 'status' }),
  ),
  story(
    'scale',
    apply('a', web()),
    merge({ spec: { replicas: 4 } }, { subresource: 'scale', manager: 'scaler' }),
    apply('a', web()),
  ),
  story(
    'what cannot be applied',
    create(web()),
    apply('a', deployment({ nonsense: 1 })),
    apply('a', deployment({ replicas: 'x' })),
    apply('a', deployment({ template: { spec: { containers: [nginx, nginx] } } })),
    apply('a', deployment({ template: { spec: { containers: [{ image: 'x' }] } } })),
    apply('a', { ...web(), kind: 'Other' }),
    apply('a', deployment({}, { managedFields: [] })),
    apply('a', deployment({ template: { spec: { containers: 'x' } } })),
  ),
];

const updating: readonly Case[] = [
  story(
    'updates by several managers',
    create(
      web([{ ...nginx, resources: { requests: { cpu: '1' } }, securityContext: { runAsNonRoot: true } }, sidecar]),
    ),
    merge({ spec: { replicas: 2 } }, { manager: 'one' }),
    merge({ spec: { replicas: 3 }, metadata: { labels: { x: 'y' } } }, { manager: 'two' }),
    merge({ spec: { replicas: 3 } }, { manager: 'three' }),
    merge({ metadata: { labels: null, annotations: { q: 'r' } } }, { manager: 'one' }),
    strategic(template([{ name: 'sidecar', $patch: 'delete' }]), { manager: 'two' }),
    merge({ metadata: { annotations: null } }, { manager: 'three' }),
  ),
  onConfigMap(
    'more than ten updaters',
    create(configMap({ k: 'v' })),
    ...Array.from({ length: 12 }, (_, i) => merge({ data: { [`k${i}`]: 'v' } }, { manager: `m${i}` })),
  ),
  onConfigMap(
    'a manager without a change',
    create(configMap({ k: 'v' })),
    merge({ data: { k: 'v' } }),
    merge({ data: { k: null } }),
    merge({ data: { z: '1' } }),
  ),
];

const patching: readonly Case[] = [
  story(
    'set image, as kubectl sends it',
    create(web([nginx, sidecar])),
    strategic(
      template([{ name: 'nginx', image: 'nginx:2' }], { '$setElementOrder/containers': order('nginx', 'sidecar') }),
    ),
    strategic(
      template([{ name: 'new', image: 'n' }], { '$setElementOrder/containers': order('nginx', 'new', 'sidecar') }),
    ),
    strategic(template([{ name: 'first', image: 'n' }])),
    strategic({ spec: { template: { spec: { '$setElementOrder/containers': order('sidecar', 'nginx') } } } }),
    strategic(
      template([{ name: 'new', $patch: 'delete' }], {
        '$setElementOrder/containers': order('first', 'sidecar', 'nginx'),
      }),
    ),
    strategic(template([{ $patch: 'replace' }, nginx])),
  ),
  story(
    'rollout restart and strategy',
    create(web()),
    strategic({ spec: { template: { metadata: { annotations: { 'kubectl.kubernetes.io/restartedAt': 'now' } } } } }),
    strategic({ spec: { strategy: { $retainKeys: ['type'], type: 'Recreate' } } }),
    strategic({ spec: { template: { metadata: { annotations: null } } } }),
  ),
  story(
    'volumes, env, ports, mounts',
    create(
      deployment({
        selector,
        template: pod(
          [
            {
              ...nginx,
              env: [{ name: 'x', value: '1' }],
              ports: [{ containerPort: 80 }],
              volumeMounts: [{ name: 'v', mountPath: '/v' }],
            },
          ],
          { volumes: [{ name: 'v', emptyDir: {} }] },
        ),
      }),
    ),
    strategic(
      template([
        {
          name: 'nginx',
          env: [
            { name: 'y', value: '2' },
            { name: 'x', value: '3' },
          ],
          ports: [{ containerPort: 80, name: 'http' }, { containerPort: 81 }],
        },
      ]),
    ),
    strategic({
      spec: {
        template: { spec: { volumes: [{ name: 'v', $retainKeys: ['name', 'hostPath'], hostPath: { path: '/x' } }] } },
      },
    }),
    strategic(
      template([
        { name: 'nginx', volumeMounts: [{ mountPath: '/v', $patch: 'delete' }], env: [{ name: 'x', value: null }] },
      ]),
    ),
    strategic({
      spec: {
        template: {
          spec: {
            tolerations: [{ key: 'a', operator: 'Exists' }],
            nodeSelector: { a: 'b' },
            imagePullSecrets: [{ name: 's' }],
          },
        },
      },
    }),
    strategic({
      spec: {
        template: {
          spec: {
            tolerations: [{ key: 'b', operator: 'Exists' }],
            nodeSelector: { c: 'd' },
            imagePullSecrets: [{ name: 't' }],
          },
        },
      },
    }),
    strategic({
      spec: {
        template: { spec: { nodeSelector: { $patch: 'replace', e: 'f' }, volumes: [{ $patch: 'delete', name: 'v' }] } },
      },
    }),
  ),
  onConfigMap(
    'scalars of a list',
    create(configMap({ k: 'v' }, { finalizers: ['example.com/a', 'example.com/b'] })),
    strategic({ metadata: { finalizers: ['example.com/c', 'example.com/a'] } }),
    strategic({
      metadata: {
        '$deleteFromPrimitiveList/finalizers': ['example.com/a'],
        '$setElementOrder/finalizers': ['example.com/b', 'example.com/c'],
      },
    }),
    strategic({ metadata: { finalizers: null }, data: { $patch: 'replace', z: '1' } }),
  ),
  story(
    'strategic patches that fail',
    create(web()),
    strategic(template([{ image: 'x' }])),
    strategic(template([{ name: 'nginx', $patch: 'unknown' }])),
    strategic({ spec: { $patch: 'merge' } }),
    strategic({ spec: { strategy: { $retainKeys: ['rollingUpdate'], type: 'Recreate' } } }),
    strategic({ spec: { template: { spec: { '$setElementOrder/containers': 'x' } } } }),
    strategic({
      spec: { template: { spec: { containers: order('nginx'), '$setElementOrder/containers': order('other') } } },
    }),
    strategic({ metadata: { $deleteFromPrimitiveList: ['x'] } }),
    strategic({ spec: { template: { spec: { containers: ['x'] } } } }),
  ),
  onConfigMap(
    'JSON patches',
    create(configMap({ a: '1' }, { labels: { x: 'y' } })),
    json(
      { op: 'test', path: '/data/a', value: '1' },
      { op: 'add', path: '/data/b', value: '2' },
      { op: 'move', from: '/data/b', path: '/data/c' },
    ),
    json({ op: 'replace', path: '/data/missing', value: '1' }),
    json({ op: 'copy', from: '/data/a', path: '/metadata/labels/a~1b' }),
    json({ op: 'test', path: '/data/a', value: '2' }),
    json({ op: 'remove', path: '/data/nothing' }),
    json({ op: 'add', path: '/nowhere/x', value: '2' }),
    json({ op: 'spam', path: '/data' }),
    { do: 'json', manager: 'patcher', body: { op: 'add' } },
    json({ op: 'add', path: 7 }),
  ),
];

function created(resource: string, body: Body): Case {
  const { name } = body['metadata'] as { name: string };
  return { name: `ownership of a new ${String(body['kind'])}`, resource, object: name, steps: [create(body)] };
}

const plainPod = {
  containers: [
    {
      ...nginx,
      ports: [{ containerPort: 80 }],
      envFrom: [{ configMapRef: { name: 'x' } }],
      livenessProbe: { httpGet: { path: '/', port: 80 } },
      resources: { limits: { cpu: '1' } },
    },
  ],
  securityContext: { fsGroup: 1 },
  affinity: { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [] } },
};
const claim = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };

const creating: readonly Case[] = [
  created(`${core}/pods`, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p', labels: { a: 'b' } },
    spec: plainPod,
  }),
  created(`${core}/services`, {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 's' },
    spec: {
      clusterIP: 'None',
      selector: { a: 'b' },
      ports: [
        { port: 80, targetPort: 'http' },
        { port: 53, protocol: 'UDP', name: 'dns' },
      ],
    },
  }),
  created('/apis/apps/v1/namespaces/default/statefulsets', {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { name: 's' },
    spec: {
      serviceName: 's',
      selector,
      template: pod([nginx]),
      volumeClaimTemplates: [{ metadata: { name: 'd' }, spec: claim }],
      updateStrategy: { rollingUpdate: { partition: 1 } },
    },
  }),
  created('/apis/apps/v1/namespaces/default/daemonsets', {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name: 'd' },
    spec: { selector, template: pod([nginx]) },
  }),
  created('/apis/batch/v1/namespaces/default/cronjobs', {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: { name: 'c' },
    spec: {
      schedule: '* * * * *',
      jobTemplate: { metadata: { labels: { a: 'b' } }, spec: { template: pod([nginx], { restartPolicy: 'Never' }) } },
    },
  }),
  created('/apis/networking.k8s.io/v1/namespaces/default/ingresses', {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: { name: 'i' },
    spec: {
      defaultBackend: { service: { name: 's', port: { number: 80 } } },
      rules: [
        {
          host: 'a.b',
          http: {
            paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: 's', port: { name: 'x' } } } }],
          },
        },
      ],
    },
  }),
  created(`${core}/persistentvolumeclaims`, {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'v' },
    spec: claim,
  }),
  created('/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers', {
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata: { name: 'h' },
    spec: {
      maxReplicas: 3,
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
      metrics: [
        { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } } },
      ],
    },
  }),
  created('/apis/networking.k8s.io/v1/namespaces/default/networkpolicies', {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name: 'n' },
    spec: { podSelector: { matchLabels: { a: 'b' } }, ingress: [{ ports: [{ port: 80 }] }] },
  }),
  created('/apis/rbac.authorization.k8s.io/v1/namespaces/default/rolebindings', {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'RoleBinding',
    metadata: { name: 'r' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'x' },
    subjects: [{ kind: 'User', name: 'u', apiGroup: 'rbac.authorization.k8s.io' }],
  }),
  created('/apis/policy/v1/namespaces/default/poddisruptionbudgets', {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: 'b' },
    spec: { minAvailable: 1, selector },
  }),
  created('/apis/coordination.k8s.io/v1/namespaces/default/leases', {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { name: 'l' },
    spec: { holderIdentity: 'me' },
  }),
  created(`${core}/secrets`, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'x' },
    data: { a: 'YQ==' },
    type: 'Opaque',
  }),
  created(`${core}/events`, {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: 'e' },
    involvedObject: { kind: 'Pod', name: 'p', namespace: 'default' },
    reason: 'x',
    source: { component: 'c' },
    count: 1,
  }),
];

const widgets = '/apis/example.com/v1/namespaces/default/widgets';

function widget(spec: Body | undefined, more: Body = {}): Body {
  return { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w' }, ...(spec && { spec }), ...more };
}

function onWidget(name: string, ...steps: readonly Step[]): Case {
  return { name, resource: widgets, object: 'w', steps };
}

/** The schema of the custom kind that the cases below use. */
export const widgetSchema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        size: { type: 'integer' },
        tags: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } },
        parts: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['name', 'zone'],
          items: {
            type: 'object',
            required: ['name'],
            properties: {
              name: { type: 'string' },
              zone: { type: 'string', default: 'any' },
              count: { type: 'integer' },
            },
          },
        },
        plain: { type: 'array', items: { type: 'object', properties: { a: { type: 'integer' } } } },
        color: {
          type: 'object',
          'x-kubernetes-map-type': 'atomic',
          properties: { r: { type: 'integer' }, g: { type: 'integer' } },
        },
        free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        port: { 'x-kubernetes-int-or-string': true },
        nested: {
          type: 'object',
          properties: { deep: { type: 'object', properties: { a: { type: 'string' }, b: { type: 'string' } } } },
        },
      },
    },
    status: { type: 'object', properties: { phase: { type: 'string' } } },
  },
} as const;

const custom: readonly Case[] = [
  onWidget(
    'a custom kind',
    create(
      widget({
        size: 1,
        tags: ['a'],
        parts: [{ name: 'p', zone: 'any', count: 1 }],
        color: { r: 1 },
        free: { a: { b: [1, { c: 2 }] } },
        nested: { deep: { a: 'x' } },
      }),
    ),
    merge({ spec: { size: 2, free: { a: { z: 1 } }, nested: { deep: { b: 'y' } } } }),
    merge({ spec: { nested: null, tags: ['a', 'b'] } }, { manager: 'two' }),
    apply('a', widget({ tags: ['c'], parts: [{ name: 'q', zone: 'x' }], color: { g: 2 } })),
    apply('a', widget({ tags: ['c'], parts: [{ name: 'q', zone: 'x' }], color: { g: 2 } }), { force: true }),
    apply('a', widget({ tags: ['d', 'a'], free: { x: { y: 1 } }, port: 'http' })),
    apply('a', widget({ free: { x: { w: 1 } }, port: 80 })),
    apply('a', widget(undefined)),
  ),
  onWidget(
    'lists of a custom kind from two appliers',
    apply(
      'a',
      widget({
        parts: [
          { name: 'p', zone: 'any', count: 1 },
          { name: 'q', zone: 'any' },
        ],
        plain: [{ a: 1 }],
        nested: { deep: { a: '1' } },
      }),
    ),
    apply(
      'b',
      widget({
        parts: [
          { name: 'p', zone: 'east', count: 2 },
          { name: 'q', zone: 'any', count: 3 },
        ],
        nested: { deep: { b: '2' } },
      }),
    ),
    apply('a', widget({ parts: [{ name: 'q', zone: 'any' }], nested: {} })),
    apply('a', widget({})),
    apply('b', widget({})),
  ),
  onWidget(
    'the status of a custom kind',
    apply('a', widget({ size: 1 }, { status: { phase: 'x' } })),
    apply('s', widget({ size: 2 }, { status: { phase: 'y' } }), { subresource: 'status' }),
    merge({ status: { phase: 'z' } }, { subresource: 'status' }),
  ),
];

/** All cases. */
export const cases: readonly Case[] = [...applying, ...updating, ...patching, ...creating, ...custom];
