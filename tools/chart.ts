/**
 * Writes the Helm chart of deploy/chart from the objects of `sluice install`: `node tools/chart.ts`. A test keeps both equal.
 * Values of the chart stand where the installation has words; Helm fills them in. Start with `chartFiles`.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { KubeObject } from '../src/api/index.ts';
import { crds } from '../src/api/index.ts';
import { manifests, usualWords } from '../src/app/index.ts';
import type { InstallWords } from '../src/app/index.ts';
import { documentIn, yamlOf } from '../src/base/index.ts';

const root = join(import.meta.dirname, '..');
const folder = 'deploy/chart';
const alerts = 'deploy/monitoring/alerts.yaml';

/** Numbers and objects cannot be texts: their places are marked, and filled in after the YAML is written. */
const marks: Readonly<Record<string, string>> = {
  'mark-controllers-replicas': '{{ .Values.controllers.replicas }}',
  'mark-webhook-replicas': '{{ .Values.webhook.replicas }}',
  'mark-controllers-resources': '{{- toYaml .Values.controllers.resources | nindent 12 }}',
  'mark-webhook-resources': '{{- toYaml .Values.webhook.resources | nindent 12 }}',
};

function wordsOf(version: string): InstallWords {
  return {
    ...usualWords(version),
    namespace: '{{ .Release.Namespace }}',
    image: '{{ .Values.image }}',
    replicas: { controllers: 'mark-controllers-replicas', webhook: 'mark-webhook-replicas' },
    resources: { controllers: 'mark-controllers-resources', webhook: 'mark-webhook-resources' },
    featureGates: '{{ .Values.featureGates }}',
    logLevel: '{{ .Values.logLevel }}',
  };
}

const isKind =
  (...kinds: readonly string[]) =>
  ({ kind }: KubeObject): boolean =>
    kinds.includes(kind);
const isWebhook = isKind('MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration');
const isRole = isKind('ClusterRole', 'ClusterRoleBinding', 'Role', 'RoleBinding');
const isMonitor = isKind('ServiceMonitor', 'PrometheusRule');
const isProgram = isKind(
  'ConfigMap',
  'ServiceAccount',
  'Deployment',
  'PodDisruptionBudget',
  'NetworkPolicy',
  'Service',
);

/** Every file of the chart by its path, with its text. */
export function chartFiles(version: string): ReadonlyMap<string, string> {
  const words = wordsOf(version);
  const usual = manifests({ ...words, monitoring: true });
  const withRoles = manifests({ ...words, privilegedTemplates: true });
  const withUrl = manifests({ ...words, webhookUrl: '{{ .Values.webhook.url }}' });
  // Helm makes the namespace of a release.
  const namespaces = usual.filter((object) => object.kind === 'Namespace' && object.metadata.name !== words.namespace);
  const files = new Map<string, string>([
    [`${folder}/Chart.yaml`, chartYaml(version)],
    [`${folder}/values.yaml`, valuesYaml(version)],
    [`${folder}/values.schema.json`, `${JSON.stringify(valuesSchema, null, 2)}\n`],
    [`${folder}/templates/namespaces.yaml`, textOf(namespaces)],
    [
      `${folder}/templates/roles.yaml`,
      either('.Values.privilegedTemplates', withRoles.filter(isRole), usual.filter(isRole)),
    ],
    [`${folder}/templates/programs.yaml`, when('.Values.programs', usual.filter(isProgram))],
    [
      `${folder}/templates/webhooks.yaml`,
      either('.Values.webhook.url', withUrl.filter(isWebhook), usual.filter(isWebhook)),
    ],
    [`${folder}/templates/monitoring.yaml`, when('.Values.monitoring', usual.filter(isMonitor))],
    ['src/app/install/gen/alerts.json', `${JSON.stringify(documentIn(read(alerts)), null, 2)}\n`],
  ]);
  for (const crd of crds()) files.set(`${folder}/crds/${crd.metadata.name}.yaml`, generated(yamlOf(crd)));
  return files;
}

const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const note = '# Written by `node tools/chart.ts`; do not edit.\n';
const generated = (text: string): string => note + text;

function textOf(objects: readonly KubeObject[]): string {
  return generated(bodyOf(objects));
}

function bodyOf(objects: readonly KubeObject[]): string {
  const text = objects.map((object) => `---\n${yamlOf(escaped(object))}`).join('');
  return Object.entries(marks).reduce(
    (whole, [mark, value]) =>
      whole.replaceAll(`: ${mark}`, value.startsWith('{{-') ? `:\n            ${value}` : `: ${value}`),
    text,
  );
}

/** Braces of Prometheus are no places of Helm. */
function escaped(object: KubeObject): unknown {
  if (object.kind !== 'PrometheusRule') return object;
  const text = JSON.stringify(object).replaceAll(/\{\{ (\$[^}]*) \}\}/g, '{{`{{ $1 }}`}}');
  return JSON.parse(text) as unknown;
}

function when(value: string, objects: readonly KubeObject[]): string {
  return generated(`{{- if ${value} }}\n${bodyOf(objects)}{{- end }}\n`);
}

function either(value: string, yes: readonly KubeObject[], no: readonly KubeObject[]): string {
  return generated(`{{- if ${value} }}\n${bodyOf(yes)}{{- else }}\n${bodyOf(no)}{{- end }}\n`);
}

function chartYaml(version: string): string {
  return generated(`apiVersion: v2
name: sluice
description: A multi-cluster control plane for Kubernetes in which a policy edit never surprises a running workload.
type: application
version: ${version}
appVersion: ${version}
kubeVersion: '>=1.27.0-0'
`);
}

function valuesYaml(version: string): string {
  const { image, logLevel, resources } = usualWords(version);
  const indented = (value: object | string): string => yamlOf(value).trimEnd().replaceAll(/^/gm, '    ');
  return generated(`# The image of both programs.
image: ${image}
# Feature gates of both programs, for example StaticPolicy=true,Failover=true.
featureGates: ''
# trace, debug, info, warn, error or silent.
logLevel: ${logLevel}
# false: the hub runs no Pods, and the programs are started elsewhere. Set webhook.url then.
programs: true
# Roles, webhooks, nodes and other kinds that rule the hub can be templates. Controllers may then write them.
privilegedTemplates: false
# A ServiceMonitor and alert rules for the Prometheus operator.
monitoring: false
controllers:
  # One of them leads; the others wait with complete caches.
  replicas: 2
  resources:
${indented(resources.controllers)}
webhook:
  # All of them answer.
  replicas: 2
  # Where the hub calls the webhook, for example https://10.0.0.7:9443; empty: a Service of the hub.
  url: ''
  resources:
${indented(resources.webhook)}
`);
}

const text = { type: 'string' };
const flag = { type: 'boolean' };
const program = {
  replicas: { type: 'integer', minimum: 1 },
  resources: { type: 'object' },
};
const valuesSchema = {
  $schema: 'https://json-schema.org/draft-07/schema#',
  type: 'object',
  additionalProperties: false,
  properties: {
    global: { type: 'object' },
    image: { ...text, minLength: 1 },
    featureGates: text,
    logLevel: { enum: ['trace', 'debug', 'info', 'warn', 'error', 'silent'] },
    programs: flag,
    privilegedTemplates: flag,
    monitoring: flag,
    controllers: { type: 'object', additionalProperties: false, properties: program },
    webhook: {
      type: 'object',
      additionalProperties: false,
      properties: { ...program, url: { ...text, pattern: '^($|https://)' } },
    },
  },
};

/** The version of the package. */
export const chartVersion = (): string => (JSON.parse(read('package.json')) as { readonly version: string }).version;

if (import.meta.main) {
  rmSync(join(root, folder), { recursive: true, force: true });
  for (const [file, content] of chartFiles(chartVersion())) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), content);
  }
}
