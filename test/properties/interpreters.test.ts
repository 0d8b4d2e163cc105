/** The native rules about objects of members: retaining twice is retaining once, and the order of members does not matter. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { AggregatedStatusItem, KubeObject } from '../../src/api/index.ts';
import { nativeInterpreter } from '../../src/engine/index.ts';

const kinds = {
  Deployment: 'apps/v1',
  StatefulSet: 'apps/v1',
  ReplicaSet: 'apps/v1',
  DaemonSet: 'apps/v1',
  Pod: 'v1',
  Service: 'v1',
  ServiceAccount: 'v1',
  Secret: 'v1',
  PersistentVolume: 'v1',
  PersistentVolumeClaim: 'v1',
  Job: 'batch/v1',
  CronJob: 'batch/v1',
  Ingress: 'networking.k8s.io/v1',
  PodDisruptionBudget: 'policy/v1',
  HorizontalPodAutoscaler: 'autoscaling/v2',
} as const;

const kind = fc.constantFrom(...(Object.keys(kinds) as (keyof typeof kinds)[]));
const named = fc.uniqueArray(
  fc.record({ name: fc.constantFrom('a', 'b', 'c'), volumeMounts: fc.array(fc.record({ mountPath: fc.string() })) }),
  { selector: ({ name }) => name, maxLength: 3 },
);
const spec = fc.record(
  {
    replicas: fc.nat(5),
    clusterIP: fc.constantFrom('', 'None', '10.0.0.1', '10.0.0.2'),
    clusterIPs: fc.constant(['10.0.0.1']),
    healthCheckNodePort: fc.constantFrom(0, 30_000),
    storageClassName: fc.constantFrom('fast', 'slow'),
    volumeName: fc.constantFrom('pv1', 'pv2'),
    claimRef: fc.record({ name: fc.constantFrom('x', 'y') }),
    nodeName: fc.constantFrom('n1', 'n2'),
    containers: named,
    initContainers: named,
    selector: fc.record({ matchLabels: fc.record({ uid: fc.string() }) }),
    template: fc.record({ metadata: fc.record({ labels: fc.record({ uid: fc.string() }) }) }),
  },
  { requiredKeys: [] },
);
const body = fc.record(
  {
    spec,
    type: fc.constantFrom('Opaque', 'kubernetes.io/service-account-token'),
    data: fc.record({ token: fc.string() }),
    secrets: named,
    imagePullSecrets: named,
  },
  { requiredKeys: [] },
);

function objectOf(
  name: keyof typeof kinds,
  content: object,
  labels: Readonly<Record<string, string>> = {},
): KubeObject {
  return { apiVersion: kinds[name], kind: name, metadata: { name: 'x', namespace: 'default', labels }, ...content };
}

test('retaining twice is retaining once', () => {
  const label = fc.constantFrom({}, { 'resourcetemplate.karmada.io/retain-replicas': 'true' });
  fc.assert(
    fc.property(kind, body, body, label, (name, wanted, there, labels) => {
      const desired = objectOf(name, wanted, labels);
      const observed = objectOf(name, there);
      const once = nativeInterpreter.retain(desired, observed).value;
      expect(nativeInterpreter.retain(once, observed).value).toEqual(once);
    }),
  );
});

const time = fc.constantFrom('2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z', '2026-01-03T00:00:00Z');
const count = fc.nat(5);
const counters = [
  'replicas',
  'readyReplicas',
  'updatedReplicas',
  'availableReplicas',
  'unavailableReplicas',
  'currentReplicas',
]
  .concat(['currentNumberScheduled', 'desiredNumberScheduled', 'numberAvailable', 'numberMisscheduled', 'numberReady'])
  .concat(['active', 'succeeded', 'failed', 'disruptionsAllowed', 'expectedPods', 'desiredHealthy', 'currentHealthy'])
  .concat(['observedGeneration', 'generation', 'resourceTemplateGeneration', 'desiredReplicas']);
const status = fc.record(
  {
    ...Object.fromEntries(counters.map((name) => [name, count])),
    phase: fc.constantFrom('Pending', 'Running', 'Succeeded', 'Failed', 'Bound', 'Lost', 'Available', 'Released'),
    startTime: time,
    completionTime: time,
    lastScheduleTime: time,
    conditions: fc.array(
      fc.record({
        type: fc.constantFrom('Complete', 'Failed', 'SuccessCriteriaMet'),
        status: fc.constantFrom('True', 'False'),
      }),
      { maxLength: 2 },
    ),
    loadBalancer: fc.record({
      ingress: fc.array(fc.record({ ip: fc.constantFrom('1.1.1.1', '2.2.2.2') }), { maxLength: 2 }),
    }),
  },
  { requiredKeys: [] },
);

test('a total does not depend on the order in which members are heard', () => {
  const item = fc.record({ clusterName: fc.constantFrom('m1', 'm2', 'm3', 'm4'), applied: fc.boolean(), status });
  const items = fc.uniqueArray(item, { selector: ({ clusterName }) => clusterName, minLength: 2 });
  fc.assert(
    fc.property(kind, body, items, fc.nat(), (name, content, heard, turn) => {
      const template = objectOf(name, content);
      const told = heard.map((one): AggregatedStatusItem => ({ ...one, health: 'Healthy' }));
      const turned = [...told.slice(turn % told.length), ...told.slice(0, turn % told.length)].toReversed();
      const total = (all: readonly AggregatedStatusItem[]): unknown =>
        nativeInterpreter.aggregateStatus(template, { items: all, awaited: [] }).value;
      expect(total(turned)).toEqual(total(told));
    }),
  );
});
