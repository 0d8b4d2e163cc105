import type { KubeObject } from '../../api/index.ts';
import alerts from './gen/alerts.json' with { type: 'json' };
import { installedLabels, podLabels, programs, userOf } from './words.ts';
import type { InstallWords, Program } from './words.ts';

const ports = { controllers: 10351, webhook: 9443 } as const;
const kubeconfigMap = 'sluice-hub';

/** The programs as Deployments, and everything around them that lives in the namespace of the installation. */
export function workloads(words: InstallWords): readonly KubeObject[] {
  return [
    kubeconfig(words),
    ...(['controllers', 'webhook'] as const).flatMap((program) => [
      object({ apiVersion: 'v1', kind: 'ServiceAccount', name: programs[program] }, words, {
        automountServiceAccountToken: true,
      }),
      deployment(program, words),
      disruptionBudget(program, words),
      networkPolicy(program, words),
      service(program, words),
    ]),
    ...(words.monitoring ? monitors(words) : []),
  ];
}

interface Head {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
}

function object({ apiVersion, kind, name }: Head, { namespace }: InstallWords, rest: object): KubeObject {
  return { apiVersion, kind, metadata: { name, namespace, labels: installedLabels }, ...rest };
}

/** The hub is the cluster in which the Pods run, reached with the token of their account. */
function kubeconfig(words: InstallWords): KubeObject {
  const account = '/var/run/secrets/kubernetes.io/serviceaccount';
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [
      {
        name: 'hub',
        cluster: { server: 'https://kubernetes.default.svc', 'certificate-authority': `${account}/ca.crt` },
      },
    ],
    users: [{ name: 'hub', user: { tokenFile: `${account}/token` } }],
    contexts: [{ name: 'hub', context: { cluster: 'hub', user: 'hub' } }],
    'current-context': 'hub',
  };
  const head = { apiVersion: 'v1', kind: 'ConfigMap', name: kubeconfigMap };
  return object(head, words, { data: { kubeconfig: `${JSON.stringify(config, null, 2)}\n` } });
}

const hub = '/etc/sluice/kubeconfig';

function argumentsOf(program: Program, words: InstallWords): readonly string[] {
  const { namespace, featureGates, logLevel } = words;
  const all = [
    program,
    `--hub-kubeconfig=${hub}`,
    `--listen=0.0.0.0:${ports[program]}`,
    `--namespace=${namespace}`,
    `--feature-gates=${featureGates}`,
    `--log-level=${logLevel}`,
    '--log-format=json',
  ];
  return program === 'controllers'
    ? [...all, '--leader-elect']
    : [...all, `--controller-users=${userOf('controllers', namespace)}`];
}

function deployment(program: Program, words: InstallWords): KubeObject {
  const labels = podLabels(program);
  return object({ apiVersion: 'apps/v1', kind: 'Deployment', name: programs[program] }, words, {
    spec: {
      replicas: words.replicas[program],
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: podSpec(program, words) },
    },
  });
}

function podSpec(program: Program, words: InstallWords): object {
  const selector = { labelSelector: { matchLabels: podLabels(program) }, topologyKey: 'kubernetes.io/hostname' };
  return {
    serviceAccountName: programs[program],
    terminationGracePeriodSeconds: 30,
    securityContext: {
      runAsNonRoot: true,
      runAsUser: 65532,
      runAsGroup: 65532,
      fsGroup: 65532,
      seccompProfile: { type: 'RuntimeDefault' },
    },
    affinity: {
      podAntiAffinity: {
        preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 100, podAffinityTerm: selector }],
      },
    },
    containers: [container(program, words)],
    volumes: [
      { name: 'hub', configMap: { name: kubeconfigMap } },
      { name: 'tmp', emptyDir: {} },
    ],
  };
}

function container(program: Program, words: InstallWords): object {
  const scheme = program === 'webhook' ? 'HTTPS' : 'HTTP';
  const probe = (path: string, periodSeconds: number): object => ({
    httpGet: { path, port: 'api', scheme },
    periodSeconds,
    timeoutSeconds: 5,
    failureThreshold: 3,
  });
  return {
    name: program,
    image: words.image,
    args: argumentsOf(program, words),
    ports: [{ name: 'api', containerPort: ports[program], protocol: 'TCP' }],
    livenessProbe: probe('/livez', 20),
    readinessProbe: probe('/readyz', 5),
    startupProbe: { ...probe('/livez', 5), failureThreshold: 60 },
    resources: words.resources[program],
    securityContext: {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    },
    volumeMounts: [
      { name: 'hub', mountPath: '/etc/sluice', readOnly: true },
      { name: 'tmp', mountPath: '/tmp' },
    ],
  };
}

function disruptionBudget(program: Program, words: InstallWords): KubeObject {
  const spec = { maxUnavailable: 1, selector: { matchLabels: podLabels(program) } };
  return object({ apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', name: programs[program] }, words, { spec });
}

/** Everybody may call the webhook, since the address of an API server is not known; both programs may call anything. */
function networkPolicy(program: Program, words: InstallWords): KubeObject {
  const port = { port: ports[program], protocol: 'TCP' };
  return object({ apiVersion: 'networking.k8s.io/v1', kind: 'NetworkPolicy', name: programs[program] }, words, {
    spec: {
      podSelector: { matchLabels: podLabels(program) },
      policyTypes: ['Ingress'],
      ingress: [{ ports: [port] }],
    },
  });
}

function service(program: Program, words: InstallWords): KubeObject {
  const port = program === 'webhook' ? 443 : ports.controllers;
  const head = { apiVersion: 'v1', kind: 'Service', name: programs[program] };
  const made = object(head, words, {
    spec: {
      type: 'ClusterIP',
      selector: podLabels(program),
      ports: [{ name: 'api', port, protocol: 'TCP', targetPort: 'api' }],
    },
  });
  return { ...made, metadata: { ...made.metadata, labels: { ...installedLabels, ...podLabels(program) } } };
}

/** The alert rules are those of deploy/monitoring. */
function monitors(words: InstallWords): readonly KubeObject[] {
  const apiVersion = 'monitoring.coreos.com/v1';
  const tls = { scheme: 'https', tlsConfig: { insecureSkipVerify: true } };
  const monitor = (program: Program): KubeObject => {
    const endpoint = { port: 'api', path: '/metrics', ...(program === 'webhook' && tls) };
    const spec = { selector: { matchLabels: podLabels(program) }, endpoints: [endpoint] };
    return object({ apiVersion, kind: 'ServiceMonitor', name: programs[program] }, words, { spec });
  };
  const rules = object({ apiVersion, kind: 'PrometheusRule', name: 'sluice' }, words, { spec: alerts });
  return [monitor('controllers'), monitor('webhook'), rules];
}
