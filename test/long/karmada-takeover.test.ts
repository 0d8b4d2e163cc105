/** A hub that Karmada has left, object by object as its controllers write them, is taken over: no member is written to. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { refOf } from '../../src/api/index.ts';
import type { KubeObject, Ref } from '../../src/api/index.ts';
import { controllerUser } from '../../src/app/index.ts';
import { writeKubeconfig } from '../../src/auth/index.ts';
import { processIo } from '../../src/cli/io.ts';
import { main } from '../../src/cli/main.ts';
import { ApiClient, discover, inProcess } from '../../src/client/index.ts';
import type { Discovered } from '../../src/client/index.ts';
import { startLive } from '../kit/live.ts';
import type { Live } from '../kit/live.ts';
import { until } from '../kit/until.ts';

let live: Live;
/** Writes claims, as Karmada's controllers did. */
let karmada: ApiClient;

const ids = {
  binding: '5e0d5a6c-1d9a-4b0e-9a3e-0f6f1f1f0002',
};
const claimNotes = {
  'propagationpolicy.karmada.io/namespace': 'default',
  'propagationpolicy.karmada.io/name': 'nginx',
};
const placement = { clusterAffinity: { clusterNames: ['member1'] }, clusterTolerations: [] };
const template: Ref = { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'default', name: 'nginx' };
const bindingRef: Ref = {
  apiVersion: 'work.karmada.io/v1alpha2',
  kind: 'ResourceBinding',
  namespace: 'default',
  name: 'nginx-deployment',
};
const workRef: Ref = {
  apiVersion: 'work.karmada.io/v1alpha1',
  kind: 'Work',
  namespace: 'karmada-es-member1',
  name: 'nginx-687f7fb96f',
};

beforeAll(async () => {
  live = await startLive({ members: ['member1', 'member2'] });
  await live.untilReady();
  await live.settle();
  await live.stop();
  let served: Discovered = { kinds: [], byKind: () => undefined, incomplete: [] };
  const transport = inProcess((request) => live.site.hub.handle(request), controllerUser);
  karmada = new ApiClient({ transport, resources: () => served, fieldManager: 'karmada-controller-manager' });
  served = await discover(karmada);
  await leaveAsKarmada();
});
afterAll(async () => {
  await karmada?.close();
  await live?.close();
});

const spec = {
  replicas: 2,
  selector: { matchLabels: { app: 'nginx' } },
  template: {
    metadata: { labels: { app: 'nginx' } },
    spec: { containers: [{ name: 'nginx', image: 'nginx:1.25' }] },
  },
};

async function leaveAsKarmada(): Promise<void> {
  const policy = {
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind: 'PropagationPolicy',
    metadata: {
      name: 'nginx',
      namespace: 'default',
      finalizers: ['karmada.io/propagation-policy-controller'],
    },
    spec: {
      conflictResolution: 'Abort',
      placement: { clusterAffinity: placement.clusterAffinity },
      preemption: 'Never',
      priority: 0,
      resourceSelectors: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'nginx', namespace: 'default' }],
      schedulerName: 'default-scheduler',
    },
  } as KubeObject;
  const made = await karmada.create(policy);
  // Admission gives every new policy an id of its own, here as in Karmada.
  const id = made.metadata.labels?.['propagationpolicy.karmada.io/permanent-id'] ?? '';
  const labels = { app: 'nginx', 'propagationpolicy.karmada.io/permanent-id': id };
  const object = {
    ...template,
    metadata: { name: 'nginx', namespace: 'default', labels, annotations: claimNotes },
    spec,
  };
  const deployed = await karmada.create({ ...object, name: undefined, namespace: undefined } as unknown as KubeObject);
  await karmada.create(bindingOf(deployed, id));
  await karmada.updateStatus({ ...(await karmada.get(bindingRef)), status: bindingStatus } as KubeObject);
  const bare = { ...manifestOf(deployed, { policy: id, work: '' }), metadata: { name: 'nginx', namespace: 'default' } };
  const work = await karmada.create(workOf(bare));
  const workId = work.metadata.labels?.['work.karmada.io/permanent-id'] ?? '';
  const manifest = manifestOf(deployed, { policy: id, work: workId });
  const sent = await karmada.update({ ...work, ...workSpec(manifest) });
  await karmada.updateStatus({ ...sent, status: { conditions: [applied] } } as KubeObject);
  const member = live.member('member1');
  await member.create(manifest);
}

const applied = {
  type: 'Applied',
  status: 'True',
  reason: 'AppliedSuccessful',
  message: 'Manifest has been successfully applied',
  lastTransitionTime: '2026-01-01T00:00:00Z',
};

const bindingStatus = {
  schedulerObservedGeneration: 1,
  conditions: [
    {
      type: 'Scheduled',
      status: 'True',
      reason: 'Success',
      message: 'Binding has been scheduled successfully.',
      lastTransitionTime: '2026-01-01T00:00:00Z',
    },
  ],
};

function bindingOf({ metadata: { uid, resourceVersion } }: KubeObject, policyId: string): KubeObject {
  const owner = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    name: 'nginx',
    uid,
    controller: true,
    blockOwnerDeletion: true,
  };
  return {
    apiVersion: bindingRef.apiVersion,
    kind: bindingRef.kind,
    metadata: {
      name: bindingRef.name,
      namespace: 'default',
      labels: {
        'propagationpolicy.karmada.io/permanent-id': policyId,
        'resourcebinding.karmada.io/permanent-id': ids.binding,
      },
      annotations: {
        ...claimNotes,
        'policy.karmada.io/applied-placement': JSON.stringify({ clusterAffinity: placement.clusterAffinity }),
      },
      finalizers: ['karmada.io/binding-controller'],
      ownerReferences: [owner],
    },
    spec: {
      clusters: [{ name: 'member1', replicas: 2 }],
      conflictResolution: 'Abort',
      placement: { clusterAffinity: placement.clusterAffinity },
      replicaRequirements: {},
      replicas: 2,
      resource: {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        name: 'nginx',
        namespace: 'default',
        resourceVersion,
        uid,
      },
      schedulerName: 'default-scheduler',
    },
  } as unknown as KubeObject;
}

/** The manifest of the Work, with every key that Karmada adds. */
function manifestOf({ metadata }: KubeObject, known: { readonly policy: string; readonly work: string }): KubeObject {
  const labels = {
    app: 'nginx',
    'karmada.io/managed': 'true',
    'propagationpolicy.karmada.io/permanent-id': known.policy,
    'resourcebinding.karmada.io/permanent-id': ids.binding,
    'work.karmada.io/permanent-id': known.work,
  };
  const annotations = {
    ...claimNotes,
    'resourcebinding.karmada.io/name': bindingRef.name,
    'resourcebinding.karmada.io/namespace': 'default',
    'resourcetemplate.karmada.io/generation': '1',
    'resourcetemplate.karmada.io/uid': metadata.uid ?? '',
    'work.karmada.io/conflict-resolution': 'abort',
    'work.karmada.io/name': workRef.name,
    'work.karmada.io/namespace': workRef.namespace ?? '',
  };
  const lists = ['resourcetemplate.karmada.io/managed-annotations', 'resourcetemplate.karmada.io/managed-labels'];
  const keys = (map: object, ...more: readonly string[]): string => [...Object.keys(map), ...more].sort().join(',');
  const managed = {
    'resourcetemplate.karmada.io/managed-annotations': keys(annotations, ...lists),
    'resourcetemplate.karmada.io/managed-labels': keys(labels),
  };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'nginx', namespace: 'default', labels, annotations: { ...annotations, ...managed } },
    spec: { ...spec, progressDeadlineSeconds: 600 },
  } as unknown as KubeObject;
}

function workOf(manifest: KubeObject): KubeObject {
  return {
    apiVersion: workRef.apiVersion,
    kind: workRef.kind,
    metadata: {
      name: workRef.name,
      namespace: workRef.namespace,
      labels: {
        'resourcebinding.karmada.io/permanent-id': ids.binding,
      },
      annotations: {
        'resourcebinding.karmada.io/name': bindingRef.name,
        'resourcebinding.karmada.io/namespace': 'default',
        'work.karmada.io/conflict-resolution': 'abort',
      },
      finalizers: ['karmada.io/execution-controller'],
    },
    ...workSpec(manifest),
  } as unknown as KubeObject;
}

const workSpec = (manifest: KubeObject): object => ({ spec: { workload: { manifests: [manifest] } } });

/** The object without the parts that the member itself writes. */
function contentOf({ metadata, ...object }: KubeObject): object {
  const { uid, labels, annotations } = metadata;
  return { ...object, status: undefined, metadata: { uid, labels, annotations } };
}

/** Runs `sluice migrate check` against the hub. */
async function check(): Promise<{ readonly code: number; readonly report: Report }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'sluice-migrate-'));
  const kubeconfig = path.join(folder, 'kubeconfig');
  await writeKubeconfig(kubeconfig, [live.site.context('hub')]);
  let out = '';
  const io = { ...processIo(), out: (text: string) => void (out += text), err: () => undefined };
  const code = await main(['migrate', 'check', '--kubeconfig', kubeconfig, '-o', 'json'], io);
  await rm(folder, { recursive: true });
  return { code, report: JSON.parse(out) as Report };
}

interface Report {
  readonly writes: readonly { readonly cluster: string; readonly object: string; readonly parts: readonly string[] }[];
  readonly refused: readonly unknown[];
}

test('the check finds nothing that would be written, and finds a copy that somebody changed', async () => {
  const { code, report } = await check();
  expect([code, report.writes, report.refused]).toEqual([0, [], []]);
  const copy = (await live.member('member1').get(template)) as KubeObject & { readonly spec: object };
  await live.member('member1').update({ ...copy, spec: { ...copy.spec, replicas: 7 } } as KubeObject);
  const changed = await check();
  expect([changed.code, changed.report.writes]).toEqual([
    3,
    [expect.objectContaining({ cluster: 'member1', object: 'Deployment/default/nginx', write: 'update' })],
  ]);
  const again = await live.member('member1').get(template);
  await live.member('member1').update({ ...again, spec: copy.spec } as KubeObject);
});

test('the controllers take over without a write to a member, and a second start writes nothing at all', async () => {
  const before = contentOf(await live.member('member1').get(template));
  await live.start();
  await live.untilReady();
  await live.settle();
  expect(contentOf(await live.member('member1').get(template))).toEqual(before);
  expect([live.writesTo('member1'), live.writesTo('member2')]).toEqual([0, 0]);
  await live.restart();
  await live.settle();
  expect([live.writesTo('member1'), live.writesTo('member2')]).toEqual([0, 0]);
});

test('after the takeover the template is worked on as any other', async () => {
  const now = await live.user.get(template);
  await live.user.update({ ...now, spec: { ...spec, replicas: 3 } } as KubeObject);
  await until('the member has the new number', async () => {
    const { spec: sent } = (await live.member('member1').get(template)) as KubeObject & { spec: { replicas: number } };
    return sent.replicas === 3;
  });
  await live.user.delete(refOf(now));
  await until('it is gone', async () => (await live.member('member1').find(template)) === undefined);
});
