import { core, create, nginx, pod, selector } from './story.ts';
import type { Body, Case } from './story.ts';

function created(resource: string, body: Body, ...admitted: readonly string[]): Case {
  const { name } = body['metadata'] as { name: string };
  return {
    name: `ownership of a new ${String(body['kind'])}`,
    resource,
    object: name,
    admitted,
    steps: [create(body)],
  };
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

/** Ownership of what is created, for the shapes of many kinds. */
export const creating: readonly Case[] = [
  created(
    `${core}/pods`,
    {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'p', labels: { a: 'b' } },
      spec: plainPod,
    },
    '/spec/priority',
    '/spec/preemptionPolicy',
    '/spec/tolerations',
  ),
  created(
    `${core}/services`,
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 's' },
      spec: {
        clusterIP: 'None',
        selector: { a: 'b' },
        ports: [
          { port: 80, targetPort: 'http', name: 'web' },
          { port: 53, protocol: 'UDP', name: 'dns' },
        ],
      },
    },
    '/spec/clusterIPs',
    '/spec/ipFamilies',
    '/spec/ipFamilyPolicy',
  ),
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
  created(
    `${core}/persistentvolumeclaims`,
    {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name: 'v' },
      spec: claim,
    },
    '/metadata/finalizers',
  ),
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
  created(
    `${core}/events`,
    {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: 'e' },
      involvedObject: { kind: 'Pod', name: 'p', namespace: 'default' },
      reason: 'x',
      source: { component: 'c' },
      count: 1,
    },
    '/reportingComponent',
    '/reportingInstance',
  ),
];
