import { enableCompileCache } from 'node:module';
import { builtinCatalog } from '../../src/api/index.ts';
import type { KubeObject, Ref } from '../../src/api/index.ts';
import { ApiClient, HttpsTransport } from '../../src/client/index.ts';
import { startSimulated } from '../../src/sim/index.ts';
import type { SimulatedMember, SimulatedOptions } from '../../src/sim/index.ts';

// The threads of members load the same modules again and again.
enableCompileCache();

/** An object, with the parts of built-in kinds that tests look at. */
export interface Seen extends KubeObject {
  readonly spec?: { readonly [name: string]: unknown };
  readonly status?: { readonly [name: string]: unknown };
}

/** A member that a test drives, as its hub would: over HTTPS, with the token. */
export interface DrivenMember {
  readonly member: SimulatedMember;
  readonly client: ApiClient;
  /** The failures that nobody expected. */
  readonly troubles: readonly string[];
  close(): Promise<void>;
}

/** Starts a member that does everything at once, in memory unless told otherwise. */
export async function startMember(options: Partial<SimulatedOptions> = {}): Promise<DrivenMember> {
  const troubles: string[] = [];
  const member = await startSimulated({
    name: 'member1',
    dataDir: ':memory:',
    delayMilliseconds: 0,
    onTrouble: (message) => troubles.push(message),
    ...options,
  });
  const client = clientOf(member);
  return {
    member,
    client,
    troubles,
    async close() {
      await client.close();
      await member.close();
    },
  };
}

/** A client with the token of the hub, that gives up at once. */
export function clientOf({ url, caBundle, token }: SimulatedMember): ApiClient {
  return new ApiClient({
    transport: new HttpsTransport({ server: url, caBundle, token }, { timeoutMilliseconds: 10_000 }),
    resources: builtinCatalog,
    retry: { attempts: 1, longestMilliseconds: 0 },
  });
}

const versions: Readonly<Record<string, string>> = {
  Deployment: 'apps/v1',
  ReplicaSet: 'apps/v1',
  StatefulSet: 'apps/v1',
  DaemonSet: 'apps/v1',
  Job: 'batch/v1',
  CronJob: 'batch/v1',
  Ingress: 'networking.k8s.io/v1',
  EndpointSlice: 'discovery.k8s.io/v1',
  PodDisruptionBudget: 'policy/v1',
  HorizontalPodAutoscaler: 'autoscaling/v2',
};

/** Names an object of the default namespace. */
export function named(kind: string, name: string): Ref {
  const clusterWide = kind === 'Node' || kind === 'Namespace' || kind === 'PersistentVolume';
  return { apiVersion: versions[kind] ?? 'v1', kind, name, ...(!clusterWide && { namespace: 'default' }) };
}

/** An object of the default namespace. */
export function made(kind: string, name: string, parts: object): KubeObject {
  const { apiVersion, namespace } = named(kind, name);
  return { apiVersion, kind, metadata: { name, ...(namespace && { namespace }) }, ...parts };
}

/** The template of workloads: pods with one container. */
export function podsLabelled(app: string, pod: object = {}, annotations?: Readonly<Record<string, string>>): object {
  const metadata = { labels: { app }, ...(annotations && { annotations }) };
  return {
    selector: { matchLabels: { app } },
    template: { metadata, spec: { containers: [{ name: 'main', image: `${app}:1` }], ...pod } },
  };
}
