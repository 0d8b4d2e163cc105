/**
 * The program as people feel it: how soon it begins, and how long a plan over 10,000 templates takes, live and from a
 * snapshot. Starts a whole system with three simulated members, and takes a minute or two to fill it.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ApiClient, contextOf, discover, HttpsTransport, readKubeconfig } from '../src/client/index.ts';
import type { Discovered } from '../src/client/index.ts';
import type { KubeObject } from '../src/api/index.ts';
import { startUp, runProgram } from './kit/program.ts';
import type { Run } from './kit/program.ts';
import type { Figure } from './kit/measure.ts';

const templates = Number(process.env['SLUICE_TEMPLATES'] ?? 10_000);
const namespaces = 20;

function policy(member: string): KubeObject {
  const kinds = [
    { apiVersion: 'apps/v1', kind: 'Deployment' },
    { apiVersion: 'v1', kind: 'ConfigMap', labelSelector: { matchLabels: { bench: 'yes' } } },
  ];
  return {
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind: 'ClusterPropagationPolicy',
    metadata: { name: 'all' },
    spec: { resourceSelectors: kinds, placement: { clusterAffinity: { clusterNames: [member, 'member3'] } } },
  } as KubeObject;
}

function template(i: number): KubeObject {
  const metadata = { name: `app-${i}`, namespace: `team-${i % namespaces}`, labels: { bench: 'yes' } };
  if (i % 2 === 0) return { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { value: String(i) } } as KubeObject;
  const labels = { app: metadata.name };
  const containers = [{ name: 'web', image: 'nginx:1.27', resources: { requests: { cpu: '10m', memory: '16Mi' } } }];
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata,
    spec: { replicas: 2, selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers } } },
  } as KubeObject;
}

async function connect(folder: string): Promise<ApiClient> {
  const { connection } = contextOf(await readKubeconfig([path.join(folder, '.sluice/kubeconfig')]));
  let served: Discovered = { kinds: [], byKind: () => undefined, incomplete: [] };
  const client = new ApiClient({ transport: new HttpsTransport(connection), resources: () => served });
  served = await discover(client);
  return client;
}

/** Fills a hub, and waits until everything is where it belongs. */
async function fill(folder: string): Promise<void> {
  const hub = await connect(folder);
  for (let i = 0; i < namespaces; i++)
    await hub.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: `team-${i}` } });
  await hub.create(policy('member1'));
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < templates) await hub.create(template(next++));
  };
  await Promise.all(Array.from({ length: 16 }, lane));
  for (let open = templates; open > 0;) {
    await new Promise((resolve) => setTimeout(resolve, 2000));
    const { items } = await hub.listAll({ apiVersion: 'work.karmada.io/v1alpha1', kind: 'Work' });
    open = 2 * templates - items.filter(isApplied).length;
    process.stderr.write(`  ${open} Works to go\n`);
  }
  await hub.close();
}

function isApplied(work: KubeObject): boolean {
  const { status } = work as { status?: { conditions?: { type: string; status: string }[] } };
  return status?.conditions?.some(({ type, status: is }) => type === 'Applied' && is === 'True') === true;
}

/** The best of some runs: others may be at work on this machine. */
async function best(args: readonly string[], folder: string, times: number): Promise<Run> {
  let found: Run | undefined;
  for (let i = 0; i < times; i++) {
    const run = await runProgram(args, folder);
    if (!found || run.wall < found.wall) found = run;
  }
  if (!found) throw new Error('nothing was run');
  return found;
}

function figures(what: string, { wall, processor }: Run, budget?: number): readonly Figure[] {
  const milliseconds = { value: wall * 1000, unit: 'ms', ...(budget !== undefined && { budget }) };
  return [
    { what, ...milliseconds },
    { what: `${what}: processor time`, value: processor * 1000, unit: 'ms' },
  ];
}

export async function run(): Promise<readonly Figure[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'sluice-bench-'));
  const system = await startUp(folder);
  try {
    const started = [
      ...figures('start: version', await best(['version'], folder, 9), 120),
      ...figures('start: --help', await best(['--help'], folder, 9), 120),
      ...figures('start: plan --help', await best(['plan', '--help'], folder, 9), 120),
    ];
    await fill(folder);
    await writeFile(path.join(folder, 'move.json'), JSON.stringify(policy('member2')));
    await writeFile(path.join(folder, 'same.json'), JSON.stringify(policy('member1')));
    const count = templates.toLocaleString('en');
    const move = ['plan', '-f', 'move.json', '-o', 'json'];
    const live = await best(move, folder, 3);
    const nothing = await best(['plan', '-f', 'same.json'], folder, 3);
    const snapshot = await best(['snapshot'], folder, 2);
    await writeFile(path.join(folder, 'state.json'), snapshot.out);
    const offline = await best([...move, '--snapshot', 'state.json'], folder, 3);
    if (offline.out !== live.out) throw new Error('the plan from a snapshot is not the live plan');
    return [
      ...started,
      ...figures(`live plan that moves ${count} templates`, live, 3000),
      ...figures(`live plan over ${count} templates, no effect`, nothing, 3000),
      ...figures(`snapshot of ${count} templates`, snapshot),
      { what: 'size of that snapshot', value: snapshot.out.length / 1e6, unit: 'MB' },
      ...figures(`the same plan from it`, offline, 2000),
      ...figures(`status of the fleet`, await best(['status'], folder, 3)),
      ...figures(`explain one template`, await best(['explain', 'deploy/app-1', '-n', 'team-1'], folder, 3)),
    ];
  } finally {
    system.kill('SIGTERM');
    await new Promise((resolve) => system.once('exit', resolve));
    await rm(folder, { recursive: true, force: true });
  }
}
