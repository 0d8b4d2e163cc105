import { describe, expect as check } from 'vitest';
import type { KubeObject } from '../../src/api/index.ts';
import { at, withAt } from '../../src/base/index.ts';
import { configMap, customization, deployment } from '../kit/objects.ts';
import { scenario } from '../kit/scenario.ts';

const web = deployment('web', { replicas: 3 });
/** A condition names the time of the change and the order of the changes, so it is looked at step by step. */
const steps = { burst: false, scopes: ['namespace'] } as const;
const once = { scopes: ['namespace'] } as const;

const divided = {
  replicaScheduling: {
    replicaSchedulingType: 'Divided',
    replicaDivisionPreference: 'Weighted',
    weightPreference: {
      staticWeightList: [
        { targetCluster: { clusterNames: ['member1'] }, weight: 1 },
        { targetCluster: { clusterNames: ['member2'] }, weight: 2 },
      ],
    },
  },
} as const;

const interpreted = (object: KubeObject | undefined): unknown =>
  (at(object, ['status', 'conditions']) as readonly { readonly type: string }[] | undefined)?.find(
    ({ type }) => type === 'Interpreted',
  );

/** After Karmada's resourceinterpreter_test.go: a customization of Deployments changes what is known of them. */
describe('A customization of a kind', () => {
  scenario(
    'GetReplicas says how many replicas there are, and what each needs',
    async ({ admin, user, policy, expect }) => {
      const replicaResource = `
        function GetReplicas(desiredObj)
          local requirement = { nodeClaim = {}, resourceRequest = { cpu = "100m" } }
          requirement.nodeClaim.nodeSelector = desiredObj.spec.template.spec.nodeSelector
          return desiredObj.spec.replicas + 1, requirement
        end`;
      await admin.creates(customization('counts', { replicaResource }), policy('pp', { to: 'member1' }));
      await user.creates(web);
      await expect(web).binding((binding) => {
        check(binding?.spec).toMatchObject({
          replicas: 4,
          replicaRequirements: { resourceRequest: { cpu: '100m' }, namespace: 'default' },
        });
      });
    },
    once,
  );

  scenario(
    'ReviseReplica sets the replicas of each member',
    async ({ admin, user, policy, expect }) => {
      const replicaRevision = `
        function ReviseReplica(obj, desiredReplica)
          obj.spec.replicas = desiredReplica + 1
          return obj
        end`;
      await admin.creates(customization('revises', { replicaRevision }));
      await admin.creates(policy('pp', { to: ['member1', 'member2'], placement: divided }));
      await user.creates(web);
      await expect(web).hasReplicas({ member1: 2, member2: 3 });
    },
    once,
  );

  scenario(
    'Retain keeps what the member has',
    async ({ admin, user, policy, expect }) => {
      const retention = `
        function Retain(desiredObj, observedObj)
          desiredObj.spec.paused = observedObj.spec.paused
          return desiredObj
        end`;
      await admin.creates(customization('keeps', { retention }), policy('pp', { to: 'member1' }));
      await user.creates(web);
      await expect(web).runsOn('member1');
      await user.edits(web, (live) => withAt(withAt(live, ['spec', 'paused'], true), ['spec', 'replicas'], 2));
      await expect(web).says('spec.replicas', { member1: 2 });
      await expect(web).says('spec.paused', { member1: undefined });
    },
    steps,
  );

  scenario(
    'AggregateStatus makes the status of the template',
    async ({ admin, user, policy, expect, stage }) => {
      const statusAggregation = `
        function AggregateStatus(desiredObj, statusItems)
          if desiredObj.status == nil then desiredObj.status = {} end
          local ready = 0
          for i = 1, #statusItems do
            if statusItems[i].status ~= nil then ready = ready + 1 end
          end
          desiredObj.status.replicas = 100 + ready
          return desiredObj
        end`;
      await admin.creates(customization('adds', { statusAggregation }), policy('pp', { to: 'member1' }));
      await user.creates(web);
      await user.readies('member1', web, 3);
      await expect(web).runsOn('member1');
      check(
        at(await stage.get({ apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'default', name: 'web' }), [
          'status',
          'replicas',
        ]),
      ).toBe(101);
    },
    steps,
  );

  scenario(
    'InterpretHealth and ReflectStatus say what a member reports, and an edit is heeded',
    async ({ admin, user, policy, expect }) => {
      const healthInterpretation = (healthy: boolean): string =>
        `function InterpretHealth(observedObj) return ${healthy} end`;
      const statusReflection = 'function ReflectStatus(observedObj) return { seen = observedObj.spec.replicas } end';
      const ill = customization('judges', { healthInterpretation: healthInterpretation(false), statusReflection });
      await admin.creates(ill, policy('pp', { to: 'member1' }));
      await user.creates(web);
      await expect(web).binding((binding) => {
        check(binding?.status?.aggregatedStatus).toMatchObject([{ health: 'Unhealthy', status: { seen: 3 } }]);
      });
      await admin.updates(customization('judges', { healthInterpretation: healthInterpretation(true) }));
      await expect(web).binding((binding) => {
        check(binding?.status?.aggregatedStatus).toMatchObject([{ health: 'Healthy' }]);
      });
    },
    steps,
  );

  scenario(
    'GetDependencies of two customizations add up',
    async ({ admin, user, policy, expect }) => {
      const needs = (name: string): string => `
        function GetDependencies(desiredObj)
          local refs = {}
          refs[1] = { apiVersion = "v1", kind = "ConfigMap", namespace = desiredObj.metadata.namespace, name = "${name}" }
          return refs
        end`;
      await admin.creates(customization('one', { dependencyInterpretation: needs('a') }));
      await admin.creates(customization('two', { dependencyInterpretation: needs('b') }));
      await admin.creates(policy('pp', { to: 'member1', propagateDeps: true }));
      await user.creates(configMap('a'), configMap('b'), web);
      await expect(configMap('a')).runsOn('member1');
      await expect(configMap('b')).runsOn('member1');
      await admin.deletes(customization('two', {}));
      await expect(configMap('b')).runsNowhere();
      await expect(configMap('a')).runsOn('member1');
    },
    once,
  );

  scenario(
    'a script that fails shows on the binding with its line, and concerns no other kind',
    async ({ admin, user, policy, expect }) => {
      const settings = configMap('settings');
      const select = [
        { apiVersion: 'apps/v1', kind: 'Deployment' },
        { apiVersion: 'v1', kind: 'ConfigMap' },
      ];
      await admin.creates(policy('pp', { to: 'member1', select }));
      await user.creates(web);
      const broken = 'function GetReplicas(obj)\n  return obj.spec.nothing.here\nend';
      await admin.creates(customization('breaks', { replicaResource: broken }));
      await expect(web).binding((binding) => {
        check(interpreted(binding)).toMatchObject({
          status: 'False',
          reason: 'InterpreterFailed',
          message: "replicaResource: line 2: attempt to index a nil value 'nothing' (reading 'here')",
        });
      });
      await user.creates(settings);
      await expect(settings).runsOn('member1');
      await expect(web).hasReplicas({ member1: 3 });
      await admin.deletes(customization('breaks', {}));
      await user.edits(web, (live) => withAt(live, ['spec', 'replicas'], 1));
      await expect(web).hasReplicas({ member1: 1 });
      await expect(web).binding((binding) => check(interpreted(binding)).toBeUndefined());
    },
    steps,
  );

  scenario(
    'a script that cannot revise sends nothing, and one that cannot retain leaves the member alone',
    async ({ admin, user, policy, expect }) => {
      await admin.creates(policy('pp', { to: 'member1' }));
      await user.creates(web);
      await admin.creates(customization('loops', { retention: 'function Retain(a, b)\n  while true do end\nend' }));
      await user.edits(web, (live) => withAt(live, ['spec', 'replicas'], 1));
      await expect(web).hasReplicas({ member1: 3 });
      await expect(web).work('member1', (work) => {
        const message = 'retention: the script does too much: it was ended';
        check(work?.status?.conditions).toContainEqual(
          check.objectContaining({ type: 'Applied', status: 'False', message: check.stringContaining(message) }),
        );
      });
      await admin.updates(customization('loops', { replicaRevision: 'function ReviseReplica() return 1 end' }));
      await user.edits(web, (live) => withAt(live, ['spec', 'replicas'], 2));
      await expect(web).binding((binding) => {
        check(interpreted(binding)).toMatchObject({
          message: 'replicaRevision: ReviseReplica must return the object, a table',
        });
      });
      await expect(web).hasReplicas({ member1: 1 });
    },
    steps,
  );

  scenario(
    'a script that does not compile is refused',
    async ({ admin }) => {
      const retention = 'function Retain(a, b)\n  return a +\nend';
      check(await admin.failsToCreate(customization('bad', { retention }))).toEqual([
        'spec.customizations.retention.luaScript',
      ]);
    },
    once,
  );
});
