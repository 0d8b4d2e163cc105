import { describe, expect as check } from 'vitest';
import type { KubeObject, Ref, Work } from '../../src/api/index.ts';
import { executionNamespace, refOf, workApi, workName } from '../../src/api/index.ts';
import { bindingRefOf } from '../../src/engine/index.ts';
import { configMap, deployment } from '../kit/objects.ts';
import { scenario } from '../kit/scenario.ts';
import type { Cast } from '../kit/scenario.ts';

const nginx = deployment('nginx');
const both = ['member1', 'member2'];
const paused = { burst: false } as const;

function workOf(template: KubeObject, member: string): Ref {
  const name = workName({ kind: template.kind, ...template.metadata });
  return { apiVersion: workApi, kind: 'Work', namespace: executionNamespace(member), name };
}

/** The object that a delete of a reference is about. */
const named = ({ apiVersion, kind, name, namespace }: Ref): KubeObject => ({
  apiVersion,
  kind,
  metadata: { name, ...(namespace && { namespace }) },
});

async function uidOf({ stage }: Cast, ref: Ref): Promise<string | undefined> {
  return (await stage.get(ref))?.metadata.uid;
}

async function running(cast: Cast): Promise<void> {
  await cast.admin.creates(cast.policy('pp', { to: both }));
  await cast.user.creates(nginx);
}

describe('A Work that is deleted by hand', () => {
  scenario(
    'is made again, and the member is not touched',
    async (cast) => {
      await running(cast);
      const before = await uidOf(cast, workOf(nginx, 'member1'));
      await cast.unchanged(() => cast.admin.deletes(named(workOf(nginx, 'member1'))));
      await cast.expect(nginx).work('member1', (work) => {
        check(work?.metadata.uid).not.toBe(before);
        check(work?.metadata.deletionTimestamp).toBeUndefined();
        check(work?.status?.conditions?.find(({ type }) => type === 'Applied')?.status).toBe('True');
      });
    },
    paused,
  );

  scenario(
    'while it is suspended is made again as suspended, and the member is not touched',
    async (cast) => {
      await running(cast);
      await cast.admin.updates(cast.policy('pp', { to: both, suspend: { suspendDispatching: true } }));
      await cast.unchanged(() => cast.admin.deletes(named(workOf(nginx, 'member1'))));
      await cast.expect(nginx).isSuspendedOn(...both);
      await cast.expect(nginx).work('member1', (work) => check(applied(work)).toBe('True'));
    },
    paused,
  );

  scenario(
    'a Work whose content cannot be made again stays, until the content is in effect',
    async (cast) => {
      await running(cast);
      await cast.admin.deletes(cast.policy('pp'));
      await cast.user.updates(deployment('nginx', { image: 'nginx:1.26' }));
      await cast.unchanged(() => cast.admin.deletes(named(workOf(nginx, 'member1'))));
      await cast.expect(nginx).work('member1', (work) => check(work?.metadata.deletionTimestamp).toBeDefined());
      await cast.admin.creates(cast.policy('pp2', { to: both }));
      await cast.expect(nginx).runsImage({ member1: 'nginx:1.26', member2: 'nginx:1.26' });
      await cast.expect(nginx).work('member1', (work) => check(work?.metadata.deletionTimestamp).toBeUndefined());
    },
    paused,
  );

  scenario(
    'and that no binding owns takes its object along',
    async (cast) => {
      const { admin, stage } = cast;
      const manifest = configMap('by-hand');
      const place = { name: 'by-hand', namespace: executionNamespace('member1') };
      const metadata = { ...place, finalizers: ['karmada.io/execution-controller'] };
      const owned = {
        ...manifest,
        metadata: {
          ...manifest.metadata,
          labels: { 'karmada.io/managed': 'true' },
          annotations: { 'work.karmada.io/name': place.name, 'work.karmada.io/namespace': place.namespace },
        },
      };
      const work = { apiVersion: workApi, kind: 'Work', metadata, spec: { workload: { manifests: [owned] } } };
      await admin.creates(work);
      check(await stage.inMember('member1', refOf(manifest))).toBeDefined();
      await admin.deletes(named({ apiVersion: workApi, kind: 'Work', ...place }));
      check(await stage.inMember('member1', refOf(manifest))).toBeUndefined();
    },
    { ...paused, scopes: ['namespace'] },
  );

  scenario(
    'a Work of a namespace is made again, and the namespace stays in the member',
    async (cast) => {
      const shop = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } } as KubeObject;
      await cast.user.creates(shop);
      await cast.unchanged(() => cast.admin.deletes(named(workOf(shop, 'member1'))));
      await cast.expect(shop).work('member1', (work) => check(work?.metadata.deletionTimestamp).toBeUndefined());
    },
    { ...paused, scopes: ['namespace'] },
  );
});

describe('A binding that is deleted by hand', () => {
  scenario(
    'is made again with its clusters, and no member is touched',
    async (cast) => {
      await running(cast);
      const before = await uidOf(cast, bindingRefOf(nginx));
      await cast.unchanged(() => cast.admin.deletes(named(bindingRefOf(nginx))));
      await cast.expect(nginx).binding((binding) => {
        check(binding?.metadata.uid).not.toBe(before);
        check(binding?.spec.clusters?.map(({ name }) => name)).toEqual(both);
        check(binding?.metadata.deletionTimestamp).toBeUndefined();
      });
    },
    paused,
  );

  scenario(
    'keeps what is pending under a lazy policy pending',
    async (cast) => {
      await cast.admin.creates(cast.policy('pp', { to: 'member1', lazy: true }));
      await cast.user.creates(nginx);
      await cast.admin.updates(cast.policy('pp', { to: 'member2', lazy: true }));
      await cast.unchanged(() => cast.admin.deletes(named(bindingRefOf(nginx))));
      await cast.expect(nginx).runsOn('member1');
      await cast.user.touches(nginx);
      await cast.expect(nginx).runsOn('member2');
    },
    paused,
  );

  scenario(
    'without its finalizers, under a lazy policy, leaves the workload where it runs until the template changes',
    async (cast) => {
      await cast.admin.creates(cast.policy('pp', { to: 'member1', lazy: true }));
      await cast.user.creates(nginx);
      await cast.admin.updates(cast.policy('pp', { to: 'member2', lazy: true }));
      await cast.unchanged(() => forced(cast));
      await cast.expect(nginx).runsOn('member1');
      await cast.user.touches(nginx);
      await cast.expect(nginx).runsOn('member2');
    },
    paused,
  );

  scenario(
    'without its finalizers is made again from its Works',
    async (cast) => {
      const weights = [
        { targetCluster: { clusterNames: ['member1'] }, weight: 1 },
        { targetCluster: { clusterNames: ['member2'] }, weight: 2 },
      ];
      const replicaScheduling = {
        replicaSchedulingType: 'Divided',
        replicaDivisionPreference: 'Weighted',
        weightPreference: { staticWeightList: weights },
      } as const;
      await cast.admin.creates(cast.policy('pp', { to: both, placement: { replicaScheduling } }));
      await cast.user.creates(deployment('nginx', { replicas: 6 }));
      await cast.expect(nginx).hasReplicas({ member1: 2, member2: 4 });
      await cast.unchanged(() => forced(cast));
      await cast.expect(nginx).hasReplicas({ member1: 2, member2: 4 });
      await cast.expect(nginx).binding((binding) => check(binding).toBeDefined());
    },
    paused,
  );

  scenario(
    'keeps the dependencies of its workload in the members',
    async (cast) => {
      const settings = configMap('settings');
      await cast.admin.creates(cast.policy('pp', { to: both, propagateDeps: true }));
      await cast.user.creates(settings, deployment('nginx', { configMaps: ['settings'] }));
      await cast.expect(settings).runsOn(...both);
      await cast.unchanged(() => cast.admin.deletes(named(bindingRefOf(nginx))));
      await cast.unchanged(() => cast.admin.deletes(named(bindingRefOf(settings))));
      await cast.expect(settings).runsOn(...both);
    },
    paused,
  );

  scenario(
    'goes for good when its template is deleted too',
    async (cast) => {
      await running(cast);
      await cast.admin.deletes(named(bindingRefOf(nginx)));
      await cast.user.deletes(nginx);
      await cast.expect(nginx).runsNowhere();
      await cast.expect(nginx).binding((binding) => check(binding).toBeUndefined());
    },
    paused,
  );
});

/** Removes the binding of nginx with its finalizers, as `kubectl patch` and `kubectl delete` do. */
async function forced({ admin, stage }: Cast): Promise<void> {
  const ref = bindingRefOf(nginx);
  await stage.edit(ref, (binding) => ({ ...binding, metadata: { ...binding.metadata, finalizers: [] } }));
  await admin.deletes(named(ref));
}

function applied(work: Work | undefined): string | undefined {
  return work?.status?.conditions?.find(({ type }) => type === 'Applied')?.status;
}
