import { describe, expect as check } from 'vitest';
import type { FederatedResourceQuota, KubeObject } from '../../src/api/index.ts';
import { deployment } from '../kit/objects.ts';
import { scenario } from '../kit/scenario.ts';

const paused = { burst: false, scopes: ['namespace'] } as const;
const enforced = { ...paused, gates: { FederatedQuotaEnforcement: true } } as const;

interface QuotaWords {
  readonly overall: Readonly<Record<string, string>>;
  readonly shares?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

function quota({ overall, shares = {} }: QuotaWords): FederatedResourceQuota {
  const staticAssignments = Object.entries(shares).map(([clusterName, hard]) => ({ clusterName, hard }));
  return {
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind: 'FederatedResourceQuota',
    metadata: { name: 'team', namespace: 'default' },
    spec: { overall, ...(staticAssignments.length > 0 && { staticAssignments }) },
  };
}
const share = { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'team', namespace: 'default' } };
const statusOf = (object: KubeObject | undefined) => (object as FederatedResourceQuota | undefined)?.status;

/** A Deployment whose replicas request this much CPU each. */
function requesting(name: string, cpu: string, replicas = 1): KubeObject {
  const plain = deployment(name, { replicas }) as KubeObject & { spec: { template: { metadata: object } } };
  const containers = [{ name, image: 'nginx:1.25', resources: { requests: { cpu } } }];
  return {
    ...plain,
    spec: { ...plain.spec, template: { ...plain.spec.template, spec: { containers } } },
  } as KubeObject;
}

describe('The shares of a FederatedResourceQuota', () => {
  const overall = { cpu: '10', memory: '10Gi' };
  const small = { cpu: '1', memory: '2Gi' };

  scenario(
    'each member of an assignment gets its share, and its status comes back',
    async ({ admin, expect }) => {
      await admin.creates(quota({ overall, shares: { member1: small, member2: small } }));
      await expect(share).runsOn('member1', 'member2');
      await expect(share).says('spec.hard', { member1: small, member2: small });
      await expect(quota({ overall })).onTheHub((object) => {
        check(statusOf(object)).toMatchObject({
          overall,
          overallUsed: { cpu: '0', memory: '0' },
          aggregatedStatus: [
            { clusterName: 'member1', hard: small },
            { clusterName: 'member2', hard: small },
          ],
        });
      });
      await admin.updates(quota({ overall, shares: { member1: { cpu: '2', memory: '1Gi' } } }));
      await expect(share).runsOn('member1');
      await expect(share).says('spec.hard', { member1: { cpu: '2', memory: '1Gi' } });
      await admin.deletes(quota({ overall }));
      await expect(share).runsNowhere();
    },
    paused,
  );

  scenario(
    'a share that somebody deletes in a member comes back',
    async ({ admin, expect }) => {
      await admin.creates(quota({ overall, shares: { member1: small } }));
      await admin.tampers('member1', share, () => undefined);
      await expect(share).runsOn('member1');
    },
    paused,
  );
});

describe('A FederatedResourceQuota that is enforced', () => {
  const [first, second] = [requesting('first', '10m'), requesting('second', '10m')];
  const reasonOf = (object: {
    readonly status?: { readonly conditions?: readonly { type: string; reason: string }[] };
  }) => object.status?.conditions?.find(({ type }) => type === 'Scheduled')?.reason;

  scenario(
    'a workload for which too little is left waits, and comes when another one goes',
    async ({ admin, user, policy, expect }) => {
      await admin.creates(quota({ overall: { cpu: '15m' } }), policy('pp', { to: 'member1' }));
      await user.creates(first);
      await expect(first).runsOn('member1');
      await expect(quota({ overall: {} })).onTheHub((object) => {
        check(statusOf(object)).toEqual({ overall: { cpu: '15m' }, overallUsed: { cpu: '10m' } });
      });
      await user.creates(second);
      await expect(second).runsNowhere();
      await expect(second).binding((binding) => check(binding && reasonOf(binding)).toBe('QuotaExceeded'));
      await user.deletes(first);
      await expect(second).runsOn('member1');
    },
    enforced,
  );

  scenario(
    'a workload is not scaled up beyond it, and its requests do not grow beyond it',
    async ({ admin, user, policy, expect }) => {
      await admin.creates(quota({ overall: { cpu: '15m' } }), policy('pp', { to: 'member1' }));
      await user.creates(first);
      await user.updates(requesting('first', '10m', 2));
      await expect(first).hasReplicas({ member1: 1 });
      await user.updates(first);
      await user.updates(requesting('first', '20m'));
      await expect(first).binding((binding) => {
        check(binding?.spec.replicaRequirements?.resourceRequest).toEqual({ cpu: '10m' });
      });
      await admin.updates(quota({ overall: { cpu: '30m' } }));
      await expect(first).binding((binding) => {
        check(binding?.spec.replicaRequirements?.resourceRequest).toEqual({ cpu: '20m' });
      });
    },
    enforced,
  );

  scenario(
    'nothing is refused while the gate is off',
    async ({ admin, user, policy, expect }) => {
      await admin.creates(quota({ overall: { cpu: '1m' } }), policy('pp', { to: 'member1' }));
      await user.creates(first, second);
      await expect(second).runsOn('member1');
    },
    paused,
  );
});
