import { deployment, override, tagged } from '../kit/objects.ts';
import { scenario } from '../kit/scenario.ts';

const nginx = deployment('nginx');
const other = deployment('other');
/** The order of the changes decides, so these stories cannot be told in one burst. */
const inOrder = { burst: false };

scenario(
  'A lazy override that arrives waits until the template changes',
  async ({ user, policy, expect, unchanged, restart }) => {
    await user.creates(policy('pp', { to: 'member1' }), nginx, other);
    await unchanged(() => user.creates(override('op', tagged('2'), { lazy: true })));
    await unchanged(() => restart());
    await user.touches(nginx);
    await expect(nginx).runsImage({ member1: 'nginx:2' });
    await expect(other).runsImage({ member1: 'nginx:1.25' });
  },
  inOrder,
);

scenario(
  'An edit of a lazy override waits for each template by itself',
  async ({ user, policy, expect, unchanged }) => {
    await user.creates(policy('pp', { to: 'member1' }), override('op', tagged('2'), { lazy: true }), nginx, other);
    await expect(nginx).runsImage({ member1: 'nginx:2' });
    await unchanged(() => user.updates(override('op', tagged('3'), { lazy: true })));
    await user.touches(other);
    await expect(other).runsImage({ member1: 'nginx:3' });
    await expect(nginx).runsImage({ member1: 'nginx:2' });
  },
  inOrder,
);

scenario(
  'A new copy of a workload gets what its lazy override said when the template last changed',
  async ({ user, policy, expect }) => {
    await user.creates(policy('pp', { to: 'member1' }), override('op', tagged('2'), { lazy: true }), nginx);
    await user.updates(override('op', tagged('3'), { lazy: true }));
    await user.updates(policy('pp', { to: ['member1', 'member2'] }));
    await expect(nginx).runsImage({ member1: 'nginx:2', member2: 'nginx:2' });
  },
  inOrder,
);

scenario(
  'An immediate override that becomes lazy keeps what it said',
  async ({ user, policy, expect, unchanged }) => {
    await user.creates(policy('pp', { to: 'member1' }), override('op', tagged('2')), nginx);
    await unchanged(() => user.updates(override('op', tagged('3'), { lazy: true })));
    await user.updates(policy('pp', { to: ['member1', 'member2'] }));
    await expect(nginx).runsImage({ member1: 'nginx:2', member2: 'nginx:2' });
    await user.touches(nginx);
    await expect(nginx).runsImage({ member1: 'nginx:3', member2: 'nginx:3' });
  },
  inOrder,
);

scenario(
  'A lazy override that becomes immediate takes effect at once',
  async ({ user, policy, expect }) => {
    await user.creates(policy('pp', { to: 'member1' }), nginx, override('op', tagged('2'), { lazy: true }));
    await expect(nginx).runsImage({ member1: 'nginx:1.25' });
    await user.updates(override('op', tagged('3')));
    await expect(nginx).runsImage({ member1: 'nginx:3' });
  },
  inOrder,
);

scenario(
  'The deletion of a lazy override waits, too',
  async ({ user, policy, expect, unchanged }) => {
    const op = override('op', tagged('2'), { lazy: true });
    await user.creates(policy('pp', { to: 'member1' }), op, nginx);
    await unchanged(() => user.deletes(op));
    await user.touches(nginx);
    await expect(nginx).runsImage({ member1: 'nginx:1.25' });
  },
  inOrder,
);

scenario(
  'A request activates what waits of a lazy override',
  async ({ user, policy, expect, unchanged }) => {
    await user.creates(policy('pp', { to: 'member1' }), nginx);
    await unchanged(() => user.creates(override('op', tagged('2'), { lazy: true })));
    await user.edits(nginx, (live) => ({
      ...live,
      metadata: { ...live.metadata, annotations: { ...live.metadata.annotations, 'sluice.dev/reconcile': 'one' } },
    }));
    await expect(nginx).runsImage({ member1: 'nginx:2' });
    await unchanged(() => user.updates(override('op', tagged('3'), { lazy: true })));
  },
  inOrder,
);

scenario(
  'An immediate override beside a lazy one goes its own way',
  async ({ user, policy, expect }) => {
    const note = (value: string) => ({ annotationsOverrider: [{ operator: 'add', value: { note: value } }] }) as const;
    await user.creates(policy('pp', { to: 'member1' }), nginx, override('lazy', tagged('2'), { lazy: true }));
    await user.creates(override('now', note('one')));
    await expect(nginx).says('metadata.annotations.note', { member1: 'one' });
    await expect(nginx).runsImage({ member1: 'nginx:1.25' });
    await user.touches(nginx);
    await user.updates(override('now', note('two')), override('lazy', tagged('3'), { lazy: true }));
    await expect(nginx).says('metadata.annotations.note', { member1: 'two' });
    await expect(nginx).runsImage({ member1: 'nginx:2' });
  },
  inOrder,
);

scenario(
  'A binding that is deleted by hand does not lose what its lazy override said',
  async ({ user, policy, expect, unchanged }) => {
    await user.creates(policy('pp', { to: 'member1' }), override('op', tagged('2'), { lazy: true }), nginx);
    await user.updates(override('op', tagged('3'), { lazy: true }));
    const binding = {
      apiVersion: 'work.karmada.io/v1alpha2',
      kind: 'ResourceBinding',
      metadata: { namespace: 'default', name: 'nginx-deployment' },
    };
    await unchanged(() => user.deletes(binding));
    await expect(nginx).runsImage({ member1: 'nginx:2' });
  },
  inOrder,
);
