import { expect, it } from 'vitest';
import { builtinCatalog, type Column, type KindInfo, type KubeObject } from '../../api/index.ts';
import { tableColumns, tableRow } from './table.ts';

const now = Date.parse('2026-01-01T01:00:00Z');
const created = '2026-01-01T00:00:00Z';
const catalog = builtinCatalog();

function kindOf(name: string): KindInfo {
  const [kind] = catalog.byName(name);
  if (!kind) throw new Error(`no kind ${name}`);
  return kind;
}

function table(name: string, object: object): Record<string, unknown> {
  const kind = kindOf(name);
  const whole = { metadata: { name: 'x', creationTimestamp: created }, ...object } as KubeObject;
  const { cells } = tableRow(kind, { ...whole, apiVersion: whole.apiVersion ?? kind.version, kind: kind.kind }, now);
  const columns = tableColumns(kind);
  expect(cells).toHaveLength(columns.length);
  return Object.fromEntries(columns.map((column, i) => [column.name.toUpperCase(), cells[i]]));
}

const template = {
  spec: {
    containers: [
      { name: 'a', image: 'i:1' },
      { name: 'b', image: 'j' },
    ],
    nodeSelector: { disk: 'ssd' },
  },
};
const selector = { matchLabels: { app: 'x' }, matchExpressions: [{ key: 'a', operator: 'In', values: ['2', '1'] }] };
const wideTemplate = { CONTAINERS: 'a,b', IMAGES: 'i:1,j' };

it.each<readonly [string, object, Record<string, unknown>]>([
  [
    'deploy',
    {
      spec: { replicas: 3, template, selector },
      status: { readyReplicas: 2, updatedReplicas: 3, availableReplicas: 2 },
    },
    {
      NAME: 'x',
      READY: '2/3',
      'UP-TO-DATE': 3,
      AVAILABLE: 2,
      AGE: '60m',
      ...wideTemplate,
      SELECTOR: 'a in (1,2),app=x',
    },
  ],
  ['deploy', { spec: {} }, { READY: '0/1', 'UP-TO-DATE': 0, AVAILABLE: 0, CONTAINERS: '', SELECTOR: '' }],
  [
    'rs',
    { spec: { replicas: 2, template, selector }, status: { replicas: 2, readyReplicas: 1 } },
    { DESIRED: 2, CURRENT: 2, READY: 1, ...wideTemplate, SELECTOR: 'a in (1,2),app=x' },
  ],
  ['rc', { spec: { replicas: 0, selector: { b: '2', a: '1' } } }, { DESIRED: 0, CURRENT: 0, SELECTOR: 'a=1,b=2' }],
  [
    'sts',
    { spec: { replicas: 3, template }, status: { readyReplicas: 3 } },
    { READY: '3/3', AGE: '60m', ...wideTemplate },
  ],
  [
    'ds',
    {
      spec: { template },
      status: { desiredNumberScheduled: 4, currentNumberScheduled: 3, numberReady: 2, updatedNumberScheduled: 1 },
    },
    {
      DESIRED: 4,
      CURRENT: 3,
      READY: 2,
      'UP-TO-DATE': 1,
      AVAILABLE: 0,
      'NODE SELECTOR': 'disk=ssd',
      SELECTOR: '<none>',
    },
  ],
  [
    'jobs',
    {
      spec: { completions: 3, template },
      status: { succeeded: 1, startTime: '2026-01-01T00:50:00Z', conditions: [{ type: 'Suspended', status: 'True' }] },
    },
    { STATUS: 'Suspended', COMPLETIONS: '1/3', DURATION: '10m' },
  ],
  [
    'jobs',
    {
      spec: { parallelism: 4 },
      status: {
        startTime: created,
        completionTime: '2026-01-01T00:00:30Z',
        conditions: [{ type: 'Complete', status: 'True' }],
      },
    },
    { STATUS: 'Complete', COMPLETIONS: '0/1 of 4', DURATION: '30s' },
  ],
  ['jobs', {}, { STATUS: 'Running', COMPLETIONS: '0/1', DURATION: '' }],
  [
    'cj',
    {
      spec: { schedule: '* * * * *', suspend: true },
      status: { active: [{}], lastScheduleTime: '2026-01-01T00:59:00Z' },
    },
    { SCHEDULE: '* * * * *', TIMEZONE: '<none>', SUSPEND: 'True', ACTIVE: 1, 'LAST SCHEDULE': '60s' },
  ],
  [
    'svc',
    {
      spec: {
        type: 'NodePort',
        clusterIPs: ['10.0.0.1'],
        ports: [
          { port: 80, nodePort: 30080 },
          { port: 53, protocol: 'UDP' },
        ],
      },
    },
    {
      TYPE: 'NodePort',
      'CLUSTER-IP': '10.0.0.1',
      'EXTERNAL-IP': '<none>',
      'PORT(S)': '80:30080/TCP,53/UDP',
      SELECTOR: '<none>',
    },
  ],
  [
    'svc',
    { spec: { type: 'LoadBalancer' } },
    { 'EXTERNAL-IP': '<pending>', 'PORT(S)': '<none>', 'CLUSTER-IP': '<none>' },
  ],
  [
    'svc',
    {
      spec: { type: 'LoadBalancer', externalIPs: ['1.1.1.1'] },
      status: { loadBalancer: { ingress: [{ hostname: 'lb.example.com' }, { ip: '2.2.2.2' }] } },
    },
    { 'EXTERNAL-IP': '2.2.2.2,lb.example.com,1.1.1.1' },
  ],
  ['svc', { spec: { type: 'ExternalName', externalName: 'db.example.com' } }, { 'EXTERNAL-IP': 'db.example.com' }],
  [
    'ing',
    { spec: { rules: [{ host: 'a' }, {}, { host: 'b' }, { host: 'c' }, { host: 'd' }], tls: [{}] } },
    { CLASS: '<none>', HOSTS: 'a,b,c + 2 more...', ADDRESS: '', PORTS: '80, 443' },
  ],
  ['ing', { spec: { ingressClassName: 'nginx', rules: [{}] } }, { CLASS: 'nginx', HOSTS: '*', PORTS: '80' }],
  [
    'ingressclasses',
    { spec: { controller: 'c', parameters: { apiGroup: 'g', kind: 'K', name: 'n' } } },
    { CONTROLLER: 'c', PARAMETERS: 'K.g/n' },
  ],
  ['netpol', { spec: { podSelector: {} } }, { 'POD-SELECTOR': '<none>' }],
  [
    'ep',
    { subsets: [{ addresses: [{ ip: '10.0.0.1' }, { ip: 'fd::1' }], ports: [{ port: 80 }, { port: 443 }] }] },
    { ENDPOINTS: '10.0.0.1:80,[fd::1]:80,10.0.0.1:443 + 1 more...' },
  ],
  ['ep', {}, { ENDPOINTS: '<none>' }],
  [
    'endpointslices',
    { addressType: 'IPv4', ports: [{ port: 80 }, { name: 'web' }, {}], endpoints: [{ addresses: ['10.0.0.1'] }] },
    { ADDRESSTYPE: 'IPv4', PORTS: '80,web,*', ENDPOINTS: '10.0.0.1' },
  ],
  [
    'no',
    {
      metadata: {
        name: 'n',
        labels: { 'node-role.kubernetes.io/worker': '', 'node-role.kubernetes.io/control-plane': '' },
      },
      spec: { unschedulable: true },
      status: {
        conditions: [{ type: 'Ready', status: 'Unknown' }],
        nodeInfo: { kubeletVersion: 'v1.34.4', osImage: 'Debian' },
        addresses: [{ type: 'InternalIP', address: '10.1.1.1' }],
      },
    },
    {
      STATUS: 'NotReady,SchedulingDisabled',
      ROLES: 'control-plane,worker',
      AGE: '<unknown>',
      VERSION: 'v1.34.4',
      'INTERNAL-IP': '10.1.1.1',
      'EXTERNAL-IP': '<none>',
      'OS-IMAGE': 'Debian',
      'KERNEL-VERSION': '<unknown>',
    },
  ],
  ['ns', { status: { phase: 'Active' } }, { NAME: 'x', STATUS: 'Active', AGE: '60m' }],
  ['cm', { data: { a: '1', b: '2' }, binaryData: { c: '' } }, { DATA: 3 }],
  ['secrets', { data: { a: '' } }, { TYPE: 'Opaque', DATA: 1 }],
  ['sa', {}, { SECRETS: 0 }],
  [
    'quota',
    { status: { hard: { pods: '10', 'limits.cpu': '4', cpu: '2' }, used: { pods: '3', cpu: '500m' } } },
    { REQUEST: 'cpu: 500m/2, pods: 3/10', LIMIT: 'limits.cpu: 0/4' },
  ],
  [
    'pv',
    {
      spec: {
        capacity: { storage: '1Gi' },
        accessModes: ['ReadWriteMany', 'ReadWriteOnce'],
        persistentVolumeReclaimPolicy: 'Retain',
        claimRef: { namespace: 'ns', name: 'c' },
        storageClassName: 'fast',
      },
      status: { phase: 'Bound' },
    },
    {
      CAPACITY: '1Gi',
      'ACCESS MODES': 'RWO,RWX',
      'RECLAIM POLICY': 'Retain',
      STATUS: 'Bound',
      CLAIM: 'ns/c',
      STORAGECLASS: 'fast',
      VOLUMEATTRIBUTESCLASS: '<unset>',
      REASON: '',
      VOLUMEMODE: '<unset>',
    },
  ],
  [
    'pvc',
    {
      metadata: { name: 'c', deletionTimestamp: created },
      spec: { volumeName: 'v', volumeMode: 'Block' },
      status: { phase: 'Bound', capacity: { storage: '2Gi' }, accessModes: ['ReadWriteOncePod'] },
    },
    {
      STATUS: 'Terminating',
      VOLUME: 'v',
      CAPACITY: '2Gi',
      'ACCESS MODES': 'RWOP',
      STORAGECLASS: '',
      VOLUMEMODE: 'Block',
    },
  ],
  [
    'pvc',
    { spec: {}, status: { phase: 'Pending', accessModes: ['x'] } },
    { STATUS: 'Pending', CAPACITY: '', 'ACCESS MODES': '' },
  ],
  ['pvc', { spec: { volumeAttributesClassName: '' } }, { VOLUMEATTRIBUTESCLASS: '', VOLUMEMODE: '<unset>' }],
  [
    'sc',
    {
      metadata: { name: 's', annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
      provisioner: 'p',
    },
    {
      NAME: 's (default)',
      PROVISIONER: 'p',
      RECLAIMPOLICY: 'Delete',
      VOLUMEBINDINGMODE: 'Immediate',
      ALLOWVOLUMEEXPANSION: false,
    },
  ],
  [
    'volumeattachments',
    { spec: { attacher: 'a', nodeName: 'n', source: { persistentVolumeName: 'v' } }, status: { attached: true } },
    { ATTACHER: 'a', PV: 'v', NODE: 'n', ATTACHED: true },
  ],
  [
    'csidrivers',
    { spec: {} },
    { ATTACHREQUIRED: true, PODINFOONMOUNT: false, TOKENREQUESTS: '<unset>', MODES: '<none>' },
  ],
  ['csinodes', { spec: { drivers: [{}, {}] } }, { DRIVERS: 2 }],
  [
    'hpa',
    {
      apiVersion: 'autoscaling/v2',
      spec: {
        scaleTargetRef: { kind: 'Deployment', name: 'web' },
        minReplicas: 1,
        maxReplicas: 5,
        metrics: [
          { type: 'Resource', resource: { name: 'cpu', target: { averageUtilization: 80 } } },
          { type: 'External', external: { target: { averageValue: '30' } } },
          { type: 'Pods', pods: { target: { averageValue: '10' } } },
        ],
      },
      status: {
        currentReplicas: 2,
        currentMetrics: [{ type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: 12 } } }],
      },
    },
    {
      REFERENCE: 'Deployment/web',
      TARGETS: 'cpu: 12%/80%, <unknown>/30 (avg) + 1 more...',
      MINPODS: '1',
      MAXPODS: 5,
      REPLICAS: 2,
    },
  ],
  [
    'hpa.v1.autoscaling',
    { apiVersion: 'autoscaling/v1', spec: { maxReplicas: 5, targetCPUUtilizationPercentage: 50 } },
    { TARGETS: 'cpu: <unknown>/50%', MINPODS: '<unset>', MAXPODS: 5 },
  ],
  [
    'pdb',
    { spec: { minAvailable: '50%' } },
    { 'MIN AVAILABLE': '50%', 'MAX UNAVAILABLE': 'N/A', 'ALLOWED DISRUPTIONS': 0 },
  ],
  [
    'rolebindings',
    {
      roleRef: { kind: 'Role', name: 'r' },
      subjects: [
        { kind: 'User', name: 'u' },
        { kind: 'User', name: 'v' },
        { kind: 'ServiceAccount', namespace: 'n', name: 's' },
      ],
    },
    { ROLE: 'Role/r', AGE: '60m', USERS: 'u, v', GROUPS: '', SERVICEACCOUNTS: 'n/s' },
  ],
  ['roles', {}, { NAME: 'x', 'CREATED AT': created }],
  ['clusterroles', {}, { 'CREATED AT': created }],
  ['crd', {}, { 'CREATED AT': created }],
  ['limits', {}, { 'CREATED AT': created }],
  ['leases', { spec: { holderIdentity: 'me' } }, { HOLDER: 'me' }],
  ['pc', { value: 7 }, { VALUE: 7, 'GLOBAL-DEFAULT': false, AGE: '60m', PREEMPTIONPOLICY: '' }],
  ['runtimeclasses', { handler: 'h' }, { HANDLER: 'h' }],
  [
    'csr',
    {
      spec: { signerName: 's', username: 'u', expirationSeconds: 3600 },
      status: { conditions: [{ type: 'Approved' }], certificate: 'x' },
    },
    { SIGNERNAME: 's', REQUESTOR: 'u', REQUESTEDDURATION: '60m', CONDITION: 'Approved,Issued' },
  ],
  ['validatingwebhookconfigurations', { webhooks: [{}] }, { WEBHOOKS: 1 }],
  [
    'apiservices',
    { status: { conditions: [{ type: 'Available', status: 'False', reason: 'Gone' }] } },
    { SERVICE: 'Local', AVAILABLE: 'False (Gone)' },
  ],
  [
    'controllerrevisions',
    {
      metadata: {
        name: 'c',
        ownerReferences: [{ apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'd', controller: true }],
      },
      revision: 4,
    },
    { CONTROLLER: 'daemonset.apps/d', REVISION: 4 },
  ],
  [
    'podtemplates',
    { template: { ...template, metadata: { labels: { a: 'b' } } } },
    { ...wideTemplate, 'POD LABELS': 'a=b' },
  ],
])('%s %#', (name, object, expected) => {
  expect(table(name, object)).toMatchObject(expected);
});

const coreEvent = {
  apiVersion: 'v1',
  kind: 'Event',
  metadata: { name: 'e' },
  involvedObject: { kind: 'Pod', name: 'p', fieldPath: 'spec.containers{a}' },
  reason: 'Started',
  message: ' Started \n',
  type: 'Normal',
  source: { component: 'kubelet', host: 'n' },
  firstTimestamp: created,
  lastTimestamp: '2026-01-01T00:59:00Z',
  count: 4,
};

it.each([
  ['ev', coreEvent],
  [
    'ev.v1.events.k8s.io',
    {
      ...coreEvent,
      apiVersion: 'events.k8s.io/v1',
      regarding: coreEvent.involvedObject,
      note: coreEvent.message,
      deprecatedSource: coreEvent.source,
      deprecatedFirstTimestamp: created,
      deprecatedLastTimestamp: '2026-01-01T00:59:00Z',
      deprecatedCount: 4,
      involvedObject: undefined,
      message: undefined,
      source: undefined,
      firstTimestamp: undefined,
      lastTimestamp: undefined,
      count: undefined,
    },
  ],
])('%s tells the same in both groups', (name, event) => {
  expect(table(name, JSON.parse(JSON.stringify(event)) as object)).toEqual({
    'LAST SEEN': '60s',
    TYPE: 'Normal',
    REASON: 'Started',
    OBJECT: 'pod/p',
    SUBOBJECT: 'spec.containers{a}',
    SOURCE: 'kubelet, n',
    MESSAGE: 'Started',
    'FIRST SEEN': '60m',
    COUNT: 4,
    NAME: 'e',
  });
});

it.each(builtinCatalog().kinds.filter(({ verbs }) => verbs.includes('list')))(
  '$plural of $group has a row for an object that says nothing',
  (kind) => {
    const object = { apiVersion: 'v1', kind: kind.kind, metadata: { name: 'x' } };
    expect(tableRow(kind, object, now).cells).toHaveLength(tableColumns(kind).length);
  },
);

const custom = (columns: readonly Column[]): KindInfo => ({
  ...kindOf('deploy'),
  group: 'example.com',
  custom: true,
  columns,
});

it('shows what a custom kind declares', () => {
  const kind = custom([
    { name: 'Ready', type: 'string', path: '.status.conditions[?(@.type=="Ready")].status' },
    { name: 'Clusters', type: 'string', path: '.spec.clusters' },
    { name: 'Replicas', type: 'integer', path: '.spec.replicas', priority: 1 },
    { name: 'Wrong', type: 'integer', path: '.metadata.name' },
    { name: 'Missing', type: 'string', path: '.spec.nothing' },
    { name: 'Broken', type: 'string', path: '.spec[' },
    { name: 'Age', type: 'date', path: '.metadata.creationTimestamp' },
  ]);
  const object = {
    apiVersion: 'example.com/v1',
    kind: 'Deployment',
    metadata: { name: 'x', creationTimestamp: created },
    spec: { replicas: 2, clusters: ['a', 'b'] },
    status: { conditions: [{ type: 'Ready', status: 'True' }] },
  };
  expect(tableRow(kind, object, now)).toEqual({ cells: ['x', 'True', '["a","b"]', 2, null, null, null, '60m'] });
  expect(tableColumns(kind)[3]).toEqual({
    name: 'Replicas',
    type: 'integer',
    format: '',
    description: 'JSONPath: .spec.replicas',
    priority: 1,
  });
});

it('shows the age of a custom kind that declares nothing', () => {
  const object = { apiVersion: 'example.com/v1', kind: 'W', metadata: { name: 'x', creationTimestamp: created } };
  expect(tableColumns(custom([])).map(({ name, type }) => [name, type])).toEqual([
    ['Name', 'string'],
    ['Age', 'date'],
  ]);
  expect(tableRow(custom([]), object, now).cells).toEqual(['x', '60m']);
});

const members: KindInfo = { ...custom([]), group: 'cluster.karmada.io', plural: 'clusters' };

it.each<readonly [string, object, readonly unknown[]]>([
  [
    'says of a member what it knows',
    {
      spec: {
        syncMode: 'Push',
        zones: ['a', 'b'],
        region: 'r',
        provider: 'p',
        apiEndpoint: 'https://x',
        proxyURL: 'y',
      },
      status: { kubernetesVersion: 'v1', conditions: [{ type: 'Ready', status: 'False' }] },
    },
    ['x', 'v1', 'Push', 'False', '60m', 'a,b', 'r', 'p', 'https://x', 'y'],
  ],
  [
    'says of a member what it does not know',
    { spec: { syncMode: 'Pull' } },
    ['x', '', 'Pull', 'Unknown', '60m', '<none>', '<none>', '<none>', '', '<none>'],
  ],
])('%s', (_, object, cells) => {
  const whole = { metadata: { name: 'x', creationTimestamp: created }, ...object } as KubeObject;
  expect(tableRow(members, whole, now).cells).toEqual(cells);
});
