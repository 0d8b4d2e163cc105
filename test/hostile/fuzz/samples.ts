/** Small valid objects, one per kind, from which the fuzzer starts; kinds without one start from their schema. */

const podSpec = { containers: [{ name: 'main', image: 'nginx:1.25', ports: [{ containerPort: 80 }] }] };
const labels = { app: 'web' };
const template = { metadata: { labels }, spec: podSpec };
const workload = { selector: { matchLabels: labels }, template };
const selectors = [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }];
const placement = { clusterAffinity: { clusterNames: ['member1'] } };
const target = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' };
const resource = { ...target, namespace: 'red', uid: '0' };
const overrides = {
  resourceSelectors: selectors,
  overrideRules: [{ overriders: { plaintext: [{ path: '/spec/replicas', operator: 'replace', value: 3 }] } }],
};
const manifest = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c', namespace: 'red' }, data: { a: 'b' } };
const rule = { apiGroups: [''], resources: ['pods'], verbs: ['get'] };
const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' };
const subjects = [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'nobody' }];
const schema = { type: 'object', properties: { spec: { type: 'object', properties: { size: { type: 'integer' } } } } };
const hook = {
  name: 'a.example.com',
  clientConfig: { url: 'https://127.0.0.1:1/' },
  admissionReviewVersions: ['v1'],
  sideEffects: 'None',
  rules: [{ apiGroups: ['nobody.example.com'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['things'] }],
};

/** The content of a valid object beside apiVersion, kind and metadata, by `group/plural`. */
export const samples: Readonly<Record<string, object>> = {
  '/configmaps': { data: { a: 'b' } },
  '/secrets': { type: 'Opaque', data: { a: 'YQ==' } },
  '/services': { spec: { selector: labels, ports: [{ port: 80 }] } },
  '/serviceaccounts': {},
  '/namespaces': {},
  '/pods': { spec: podSpec },
  '/podtemplates': { template },
  '/replicationcontrollers': { spec: { selector: labels, template } },
  '/nodes': { spec: {} },
  '/persistentvolumeclaims': {
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
  },
  '/persistentvolumes': {
    spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/tmp/x' } },
  },
  '/resourcequotas': { spec: { hard: { pods: '1000000' } } },
  '/limitranges': { spec: { limits: [{ type: 'Container', max: { cpu: '4' } }] } },
  '/endpoints': { subsets: [{ addresses: [{ ip: '10.1.1.1' }], ports: [{ port: 80 }] }] },
  '/events': {
    involvedObject: { kind: 'Pod', namespace: 'red', name: 'p' },
    reason: 'A',
    message: 'b',
    type: 'Normal',
  },
  'apps/deployments': { spec: { replicas: 2, ...workload } },
  'apps/replicasets': { spec: workload },
  'apps/daemonsets': { spec: workload },
  'apps/statefulsets': { spec: { serviceName: 'web', ...workload } },
  'apps/controllerrevisions': { revision: 1, data: { a: 1 } },
  'batch/jobs': { spec: { template: { spec: { ...podSpec, restartPolicy: 'Never' } } } },
  'batch/cronjobs': {
    spec: {
      schedule: '*/5 * * * *',
      jobTemplate: { spec: { template: { spec: { ...podSpec, restartPolicy: 'Never' } } } },
    },
  },
  'autoscaling/horizontalpodautoscalers': { spec: { scaleTargetRef: target, maxReplicas: 3 } },
  'policy/poddisruptionbudgets': { spec: { minAvailable: 1, selector: { matchLabels: labels } } },
  'networking.k8s.io/ingresses': { spec: { defaultBackend: { service: { name: 'web', port: { number: 80 } } } } },
  'networking.k8s.io/ingressclasses': { spec: { controller: 'example.com/c' } },
  'networking.k8s.io/networkpolicies': { spec: { podSelector: {} } },
  'rbac.authorization.k8s.io/roles': { rules: [rule] },
  'rbac.authorization.k8s.io/clusterroles': { rules: [rule] },
  'rbac.authorization.k8s.io/rolebindings': { roleRef, subjects },
  'rbac.authorization.k8s.io/clusterrolebindings': { roleRef, subjects },
  'storage.k8s.io/storageclasses': { provisioner: 'example.com/p' },
  'coordination.k8s.io/leases': { spec: { holderIdentity: 'a', leaseDurationSeconds: 15 } },
  'scheduling.k8s.io/priorityclasses': { value: 10 },
  'node.k8s.io/runtimeclasses': { handler: 'h' },
  'discovery.k8s.io/endpointslices': { addressType: 'IPv4', endpoints: [{ addresses: ['10.1.1.1'] }] },
  'admissionregistration.k8s.io/validatingwebhookconfigurations': { webhooks: [hook] },
  'admissionregistration.k8s.io/mutatingwebhookconfigurations': { webhooks: [hook] },
  'apiextensions.k8s.io/customresourcedefinitions': {
    spec: {
      group: 'fuzz.example.com',
      names: { plural: 'things', kind: 'Thing' },
      scope: 'Namespaced',
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }],
    },
  },
  'policy.karmada.io/propagationpolicies': { spec: { resourceSelectors: selectors, placement } },
  'policy.karmada.io/clusterpropagationpolicies': {
    spec: { resourceSelectors: [{ apiVersion: 'v1', kind: 'ConfigMap', namespace: 'red' }], placement },
  },
  'policy.karmada.io/rolloutpolicies': { spec: { resourceSelectors: selectors, suspension: { dispatching: true } } },
  'policy.karmada.io/clusterrolloutpolicies': {
    spec: { resourceSelectors: selectors, suspension: { dispatching: true } },
  },
  'policy.karmada.io/overridepolicies': { spec: overrides },
  'policy.karmada.io/clusteroverridepolicies': { spec: overrides },
  'policy.karmada.io/clustertaintpolicies': {
    spec: {
      taints: [{ key: 'fuzz', effect: 'NoSchedule' }],
      addOnConditions: [{ conditionType: 'Fuzzed', operator: 'In', statusValues: ['True'] }],
      removeOnConditions: [{ conditionType: 'Fuzzed', operator: 'In', statusValues: ['False'] }],
    },
  },
  'policy.karmada.io/federatedresourcequotas': { spec: { overall: { cpu: '10' } } },
  'work.karmada.io/works': { spec: { workload: { manifests: [manifest] } } },
  'work.karmada.io/resourcebindings': { spec: { resource, clusters: [{ name: 'member1', replicas: 1 }] } },
  'work.karmada.io/clusterresourcebindings': {
    spec: { resource: { apiVersion: 'v1', kind: 'Namespace', name: 'red', uid: '0' }, clusters: [{ name: 'member1' }] },
  },
  'cluster.karmada.io/clusters': { spec: { syncMode: 'Push', apiEndpoint: 'https://127.0.0.1:1' } },
  'config.karmada.io/resourceinterpretercustomizations': {
    spec: {
      target: { apiVersion: 'fuzz.example.com/v1', kind: 'Thing' },
      customizations: { replicaResource: { luaScript: 'function GetReplicas(o) return 1, {} end' } },
    },
  },
  'config.karmada.io/resourceinterpreterwebhookconfigurations': {
    webhooks: [
      {
        name: 'a.example.com',
        clientConfig: { url: 'https://127.0.0.1:1/' },
        interpreterContextVersions: ['v1alpha1'],
        rules: [
          { operations: ['InterpretReplica'], apiGroups: ['nobody.example.com'], apiVersions: ['v1'], kinds: ['T'] },
        ],
      },
    ],
  },
  'apps.karmada.io/workloadrebalancers': { spec: { workloads: [{ ...target, namespace: 'red' }] } },
  'remedy.karmada.io/remedies': { spec: { actions: ['TrafficControl'] } },
  'autoscaling.karmada.io/federatedhpas': { spec: { scaleTargetRef: target, maxReplicas: 3 } },
  'autoscaling.karmada.io/cronfederatedhpas': {
    spec: { scaleTargetRef: target, rules: [{ name: 'r', schedule: '0 0 * * *', targetReplicas: 1 }] },
  },
  'networking.karmada.io/multiclusterservices': { spec: { types: ['CrossCluster'] } },
  'networking.karmada.io/multiclusteringresses': {
    spec: { defaultBackend: { service: { name: 'web', port: { number: 80 } } } },
  },
  'multicluster.x-k8s.io/serviceexports': {},
  'multicluster.x-k8s.io/serviceimports': { spec: { type: 'ClusterSetIP', ports: [{ port: 80 }] } },
  'hostile.example.com/widgets': { spec: { size: 1, name: 'w', ports: [{ name: 'a', port: 1 }] } },
};
