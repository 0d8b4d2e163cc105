/**
 * Writes docs/metrics.md from what a running control plane has to tell: `node tools/metrics.ts`. A test keeps page and
 * program equal.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defaultGates } from '../src/api/index.ts';
import { up } from '../src/app/index.ts';
import type { Running } from '../src/app/index.ts';
import type { Metrics } from '../src/observe/index.ts';

type Families = Metrics['families'];

const intro = `# Metrics

\`/metrics\` on the hub's port serves these in the text format of Prometheus. Every caller with permission to get the path may read them; the administrator's
kubeconfig does: \`kubectl get --raw /metrics\`.
`;

const karmada = `## As in Karmada

The same names and labels, so that dashboards and alerts go on working. What Karmada has beyond these measures parts that do not exist here: plugins of
a scheduler framework (\`framework_extension_point_duration_seconds\`, \`plugin_execution_duration_seconds\`), object pools
(\`pool_get_operation_total\`, \`pool_put_operation_total\`) and autoscalers across clusters (\`federatedhpa_*\`, \`cronfederatedhpa_*\`).
Choosing clusters is one decision, so \`schedule_step\` is always \`All\`.
`;

const kubernetes = `## As in kube-apiserver

Flow control counts under the names of kube-apiserver; [the hub](hub.md#flow-control) says what it does.
`;

const own = `## Our own

Controllers and queues are named as in the logs; those that work for one member carry its name. The server of a request is \`hub\` or the name of a
member: \`sluice_client_request_seconds\` tells how long each member takes to answer.
`;

const process_ = '## The process\n';

const traces = `## Traces

With \`OTEL_EXPORTER_OTLP_ENDPOINT\` set, for example to \`http://127.0.0.1:4318\`, the hub sends traces with the SDK of OpenTelemetry, as OTLP over HTTP in JSON,
to the path \`/v1/traces\`. Without it nothing is traced, and the SDK is not loaded. One edit is one trace, from the request of a user to the write in the member:

| span                                         | parent                                                                        |
| -------------------------------------------- | ----------------------------------------------------------------------------- |
| \`hub PUT\`, \`hub POST\`, … with the path       | the caller's span, by its header \`traceparent\`, or the controller's that asks |
| a controller and its reason, with the object | the span in which the object was last written, within a minute                |
| \`member PUT\`, \`member POST\`, … with the path | the dispatcher's span; the member gets the header \`traceparent\`               |

\`OTEL_EXPORTER_OTLP_TRACES_ENDPOINT\`, \`OTEL_EXPORTER_OTLP_HEADERS\` and \`OTEL_SERVICE_NAME\` mean what they mean elsewhere. Spans that cannot be sent are
dropped, with a warning.
`;

/** The page for what a running control plane tells. */
export function metricsPage(families: Families): string {
  const ofProcess = families.filter(({ name }) => /^(process|nodejs)_/.test(name));
  const ours = families.filter(({ name }) => name.startsWith('sluice_'));
  const ofServer = families.filter(({ name }) => name.startsWith('apiserver_'));
  const known = new Set([...ofProcess, ...ours, ...ofServer]);
  const others = families.filter((family) => !known.has(family));
  const sections = [
    intro,
    karmada,
    table(others),
    kubernetes,
    table(ofServer),
    own,
    table(ours),
    process_,
    table(ofProcess),
    traces,
  ];
  return sections.join('\n');
}

function table(families: Families): string {
  const head = ['name', 'type', 'labels', 'meaning'];
  const rows = families.map(({ name, type, labels, help }) => [
    `\`${name}\``,
    type,
    labels.map((label) => `\`${label}\``).join(' ') || '–',
    help,
  ]);
  const widths = head.map((title, i) => Math.max(title.length, ...rows.map((row) => row[i]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(' | ')} |`;
  const rule = line(widths.map((width) => '-'.repeat(width)));
  return `${[line(head), rule, ...rows.map(line)].join('\n')}\n`;
}

/** Starts a whole system in memory, for somebody to look at it. */
export async function withSystem<T>(members: readonly string[], look: (running: Running) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-metrics-'));
  const running = await up({
    dataDir: ':memory:',
    listen: { host: '127.0.0.1', port: 0 },
    members,
    kubeconfig: join(folder, 'kubeconfig'),
    gates: defaultGates,
    version: '0.0.0',
    logLevel: 'error',
  });
  try {
    return await look(running);
  } finally {
    await running.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

if (import.meta.main) {
  const page = await withSystem(['member1'], async ({ metrics }) => metricsPage(metrics.families));
  writeFileSync(join(import.meta.dirname, '..', 'docs/metrics.md'), page);
}
