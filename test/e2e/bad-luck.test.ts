/** Bad input and bad luck, as somebody with kubectl meets them on a running control plane. */
import { execFile } from 'node:child_process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Running } from '../../src/app/index.ts';
import { withSystem } from '../../tools/metrics.ts';
import { programOf } from '../kit/programs.ts';
import { until } from '../kit/until.ts';

let system: Running;
let closing: () => void = () => {};
let closed: Promise<void> = Promise.resolve();

beforeAll(async () => {
  const opened = Promise.withResolvers<Running>();
  closed = withSystem(['member1', 'member2'], async (running) => {
    opened.resolve(running);
    await new Promise<void>((resolve) => (closing = resolve));
  });
  closed.catch(opened.reject);
  system = await opened.promise;
}, 60_000);
afterAll(async () => {
  closing();
  await closed;
});

interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs kubectl; what it reads from `-` comes last. */
function kubectl(words: readonly string[], input = ''): Promise<Ran> {
  return new Promise((resolve) => {
    const flags = ['--kubeconfig', system.kubeconfig, ...words];
    const child = execFile(programOf('kubectl'), flags, (error, out, err) =>
      resolve({ code: error ? Number(error.code) : 0, out, err }),
    );
    child.stdin?.end(input);
  });
}

async function applied(manifest: string): Promise<void> {
  const { code, err } = await kubectl(['apply', '-f', '-'], manifest);
  expect([code, err]).toEqual([0, '']);
}

async function untilSays(words: readonly string[], ...texts: readonly string[]): Promise<void> {
  await until(`kubectl ${words.join(' ')} says ${texts.join(', ')}`, async () => {
    const { out } = await kubectl(words);
    for (const text of texts) expect(out).toContain(text);
    return true;
  });
}

const policyOf = (name: string, spec: string): string => `
apiVersion: policy.karmada.io/v1alpha1
kind: PropagationPolicy
metadata: { name: ${name}, namespace: default }
spec: { ${spec} }
`;

test('an invalid policy is refused with every error and its path', async () => {
  const spec = `resourceSelectors: [{ apiVersion: apps/v1, kind: Deployment, namespace: other }],
    excludedResources: [{ namespace: "a b" }],
    suspension: { dispatching: true, dispatchingOnClusters: { clusterNames: [x] } },
    placement: { clusterAffinity: { clusterNames: [a] }, clusterAffinities: [{ affinityName: a }] }`;
  const { code, err } = await kubectl(['apply', '-f', '-'], policyOf('bad', spec));
  expect(code).toBe(1);
  for (const path of [
    'spec.resourceSelectors[0].namespace',
    'spec.excludedResources[0].namespace',
    'spec.placement.clusterAffinities',
    'spec.suspension.dispatchingOnClusters',
  ])
    expect(err).toContain(path);
});

test('a policy whose clusters do not exist says so in its status and in an event', async () => {
  const spec = `resourceSelectors: [{ apiVersion: v1, kind: ConfigMap, name: lost }],
    placement: { clusterAffinity: { clusterNames: [mars] } }`;
  const { code, err } = await kubectl(['apply', '-f', '-'], policyOf('lost', spec));
  expect([code, err]).toEqual([0, 'Warning: cluster mars does not exist; there are member1, member2\n']);
  const message = 'the placement names clusters that do not exist: mars';
  await untilSays(['get', 'pp', 'lost', '-o', 'json'], '"reason": "ClustersMissing"', message);
  await untilSays(['events', '--for', 'propagationpolicy/lost'], 'Warning', 'ClustersMissing', message);
});

test("an object that a member refuses has the member's message in its binding, and is tried again ever less often", async () => {
  await system.members
    .find(({ name }) => name === 'member2')
    ?.setFaults({ refuse: [{ kind: 'Deployment', code: 422 }] });
  await applied(policyOf('web', 'resourceSelectors: [{ apiVersion: apps/v1, kind: Deployment }]'));
  expect((await kubectl(['create', 'deployment', 'web', '--image=nginx'])).code).toBe(0);
  await untilSays(
    ['get', 'rb', 'web-deployment', '-o', 'json'],
    '"applied": true',
    '"applied": false',
    'this member refuses',
  );
  await untilSays(['events', '--for', 'deployment/web'], 'SyncFailed', 'this member refuses');
  const series = 'sluice_controller_attempts_total{controller="dispatcher member2",result="failed"} ';
  const failures = async (): Promise<number> => {
    const { out } = await kubectl(['get', '--raw', '/metrics']);
    return Number(
      out
        .split('\n')
        .find((line) => line.startsWith(series))
        ?.slice(series.length),
    );
  };
  await until('it was tried again', async () => (await failures()) > 5);
  // Each wait is twice the one before, from 5 ms on: a loop without waits would be far beyond this.
  expect(await failures()).toBeLessThan(20);
});

test('a Cluster with a wrong endpoint or secret gets a condition', async () => {
  const cluster = (name: string, endpoint: string, secret: string): string => `
apiVersion: cluster.karmada.io/v1alpha1
kind: Cluster
metadata: { name: ${name} }
spec:
  syncMode: Push
  apiEndpoint: ${endpoint}
  insecureSkipTLSVerification: true
  secretRef: { namespace: karmada-cluster, name: ${secret} }
---`;
  const secret = `
apiVersion: v1
kind: Secret
metadata: { name: wrong, namespace: karmada-cluster }
stringData: { token: nonsense }
---`;
  const alive = system.members[0]?.url ?? '';
  await applied(
    secret +
      cluster('nosecret', alive, 'none') +
      cluster('noport', 'https://127.0.0.1:1', 'wrong') +
      cluster('notoken', alive, 'wrong'),
  );
  await untilSays(
    ['get', 'cluster', 'nosecret', '-o', 'json'],
    'StatusCollectionFailed',
    'Secret karmada-cluster/none does not exist',
  );
  await untilSays(['get', 'cluster', 'noport', '-o', 'json'], 'ClusterNotReachable', 'ECONNREFUSED');
  await untilSays(['get', 'cluster', 'notoken', '-o', 'json'], 'ClusterNotReady', '401');
  expect((await kubectl(['delete', 'cluster', 'nosecret', 'noport', 'notoken', '--timeout=30s'])).code).toBe(0);
});

const definition = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: boats.example.com }
spec:
  group: example.com
  scope: Namespaced
  names: { kind: Boat, plural: boats, singular: boat }
  versions:
    - name: v1
      served: true
      storage: true
      schema: { openAPIV3Schema: { type: object, x-kubernetes-preserve-unknown-fields: true } }
`;
const boat = (sailors: number): string => `
apiVersion: example.com/v1
kind: Boat
metadata: { name: argo, namespace: default }
hull: { planks: [oak, { from: the future }] }
spec: { sailors: ${sailors} }
`;

test('a definition goes to the members, then what it defines, with every field that nobody knows', async () => {
  await applied(`
apiVersion: policy.karmada.io/v1alpha1
kind: ClusterPropagationPolicy
metadata: { name: definitions }
spec: { resourceSelectors: [{ apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, name: boats.example.com }] }
---${definition}`);
  for (const member of ['member1', 'member2'])
    await untilSays(['--context', member, 'get', 'crd', 'boats.example.com'], 'boats.example.com');
  await until('the hub serves it', async () => (await kubectl(['get', 'boats'])).code === 0);
  await applied(`${policyOf('boats', 'resourceSelectors: [{ apiVersion: example.com/v1, kind: Boat }]')}---${boat(1)}`);
  const inMember = ['--context', 'member1', 'get', 'boat', 'argo', '-o', 'json'];
  await untilSays(inMember, '"from": "the future"', '"sailors": 1');
  await untilSays(['get', 'boat', 'argo', '-o', 'json'], '"from": "the future"', 'propagationpolicy.karmada.io/name');
  await applied(boat(2));
  await untilSays(inMember, '"from": "the future"', '"sailors": 2');
  expect((await kubectl(['delete', 'boat', 'argo'])).code).toBe(0);
  await until('it is gone from the member', async () => (await kubectl(inMember)).code !== 0);
}, 180_000);

test('kubectl prints that nothing acts on a kind yet', async () => {
  const manifest = `apiVersion: remedy.karmada.io/v1alpha1
kind: Remedy
metadata: { name: down }
spec: { actions: [TrafficControl] }`;
  const { code, out, err } = await kubectl(['apply', '-f', '-'], manifest);
  expect([code, out]).toEqual([0, 'remedy.remedy.karmada.io/down created\n']);
  expect(err).toMatch(/^Warning: not supported yet: Remedy: .*\n$/);
});
