import type { KubeObject, Ref } from '../../src/api/index.ts';
import type { ApiClient, KindRef } from '../../src/client/index.ts';
import { clients } from './system.ts';
import type { System } from './system.ts';
import { inLanes, untilTrue } from './wait.ts';

/** The kinds of the templates, in equal parts. */
export const kinds: readonly KindRef[] = [
  { apiVersion: 'apps/v1', kind: 'Deployment' },
  { apiVersion: 'v1', kind: 'ConfigMap' },
  { apiVersion: 'v1', kind: 'Service' },
];

const namespaceCount = 10;
export const namespaces: readonly string[] = Array.from({ length: namespaceCount }, (_, i) => `bench-${i}`);
const namespaceOf = (i: number): string => namespaces[i % namespaceCount] ?? 'bench-0';

/** Templates that belong together: one policy selects all of them, by label. */
export interface Batch {
  readonly name: string;
  readonly count: number;
}

/** Where the template of a number stands. */
export function templateRef({ name }: Batch, i: number): Ref {
  return { ...kindOf(i), namespace: namespaceOf(i), name: `${name}-${i}` };
}

const kindOf = (i: number): KindRef => kinds[i % kinds.length] ?? { apiVersion: 'v1', kind: 'ConfigMap' };

/** The template of a number: a Deployment, a ConfigMap or a Service of a kilobyte or so. */
export function template(batch: Batch, i: number): KubeObject {
  const { apiVersion, kind, name, namespace = '' } = templateRef(batch, i);
  const labels = { app: name, batch: batch.name };
  return { apiVersion, kind, metadata: { name, namespace, labels }, ...contents[kind]?.(name) };
}

const contents: Readonly<Record<string, (name: string) => object>> = {
  ConfigMap: (name) => ({
    data: { stamp: '', 'settings.properties': `name = ${name}\n${'feature.flag = on\n'.repeat(40)}` },
  }),
  Service: (name) => ({ spec: { selector: { app: name }, ports: [{ name: 'http', port: 80, targetPort: 8080 }] } }),
  Deployment: (name) => ({
    spec: {
      replicas: 2,
      selector: { matchLabels: { app: name } },
      template: {
        metadata: { labels: { app: name } },
        spec: { containers: [{ name: 'main', image: 'nginx:1.27', ...running, env: environment(name) }] },
      },
    },
  }),
};

const running = {
  ports: [{ containerPort: 8080 }],
  resources: { limits: { cpu: '100m', memory: '128Mi' }, requests: { cpu: '1m', memory: '1Mi' } },
};

function environment(name: string): readonly object[] {
  return Array.from({ length: 6 }, (_, i) => ({ name: `SETTING_${i}`, value: `${i} of ${name}` }));
}

/** The policy of a batch. */
export function policyOf({ name }: Batch, to: readonly string[], more: object = {}): KubeObject {
  const labelSelector = { matchLabels: { batch: name } };
  return {
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind: 'ClusterPropagationPolicy',
    metadata: { name: `bench-${name}` },
    spec: {
      resourceSelectors: kinds.map((kind) => ({ ...kind, labelSelector })),
      placement: { clusterAffinity: { clusterNames: to } },
      ...more,
    },
  } as KubeObject;
}

/** Creates the policy of a batch, or replaces its spec. */
export async function setPolicy(hub: ApiClient, policy: KubeObject): Promise<void> {
  const { apiVersion, kind, metadata } = policy;
  const present = await hub.find({ apiVersion, kind, name: metadata.name });
  await (present ? hub.update({ ...policy, metadata: present.metadata }) : hub.create(policy));
}

/** Creates all templates of a batch, as many at a time as there are clients. */
export function createAll(hub: ApiClient, batch: Batch): Promise<void> {
  return inLanes(clients, batch.count, (i) => hub.create(template(batch, i)));
}

/** Makes the namespaces, and waits until the members have them. */
export async function furnish({ hub, members }: System): Promise<void> {
  for (const name of namespaces) {
    const namespace = { apiVersion: 'v1', kind: 'Namespace', name };
    if (!(await hub.find(namespace))) await hub.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  }
  const has = async (member: ApiClient): Promise<boolean> => {
    const found = await Promise.all(
      namespaces.map((name) => member.find({ apiVersion: 'v1', kind: 'Namespace', name })),
    );
    return found.every((namespace) => namespace !== undefined);
  };
  for (const member of members.values()) await untilTrue('the members have the namespaces', () => has(member));
}

/** How many objects of the kinds a server has, asked for without reading them. */
export async function countIn(server: ApiClient): Promise<number> {
  const counts = await Promise.all(kinds.map((kind) => countOf(server, kind)));
  return counts.reduce((sum, count) => sum + count, 0);
}

async function countOf(server: ApiClient, { apiVersion, kind }: KindRef): Promise<number> {
  const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const { body } = await server.raw({ method: 'GET', path: `${root}/${kind.toLowerCase()}s`, query: 'limit=1' });
  const { items, metadata } = body as {
    readonly items: readonly unknown[];
    readonly metadata: { readonly remainingItemCount?: number };
  };
  return items.length + (metadata.remainingItemCount ?? 0);
}

/** The newest revision of a server: each write makes it one more. */
export async function revisionOf(server: ApiClient): Promise<number> {
  const { body } = await server.raw({ method: 'GET', path: '/api/v1/namespaces', query: 'limit=1' });
  return Number((body as { readonly metadata: { readonly resourceVersion: string } }).metadata.resourceVersion);
}

/** Waits until a server has written nothing for a second; answers with its revision then. */
export async function untilQuiet(server: ApiClient, quietMilliseconds = 1000): Promise<number> {
  let revision = await revisionOf(server);
  let since = performance.now();
  await untilTrue(
    'nothing is written any more',
    async () => {
      const now = await revisionOf(server);
      if (now !== revision) since = performance.now();
      revision = now;
      return performance.now() - since > quietMilliseconds;
    },
    50,
  );
  return revision;
}

/** Takes everything away again, so that the next part finds the system as this one did. */
export async function clear({ hub, members }: System, batch: Batch): Promise<void> {
  const before = new Map<string, number>();
  for (const [name, member] of members) before.set(name, await countIn(member));
  await inLanes(clients, batch.count, (i) => hub.delete(templateRef(batch, i)));
  await hub.delete({
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind: 'ClusterPropagationPolicy',
    name: `bench-${batch.name}`,
  });
  await untilQuiet(hub);
}
