// https://github.com/karmada-io/karmada/issues/7402
import { expect as check } from 'vitest';
import type { KubeObject } from '../../src/api/index.ts';
import { clusterRole, deployment } from '../kit/objects.ts';
import type { PolicyWords } from '../kit/objects.ts';
import { scenario } from '../kit/scenario.ts';
import type { Cast } from '../kit/scenario.ts';

const select = [{ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole' }];
const changed: PolicyWords = {
  propagateDeps: true,
  conflictResolution: 'Overwrite',
  preserveResourcesOnDeletion: true,
};

/** Every field of a policy that a binding repeats follows when the policy changes, and back. */
function follows(template: KubeObject, words: PolicyWords): (cast: Cast) => Promise<void> {
  return async ({ admin, user, policy, expect }) => {
    await admin.creates(policy('pp', { to: 'member1', ...words }));
    await user.creates(template);
    await admin.updates(policy('pp', { to: 'member1', ...words, ...changed }));
    await expect(template).binding((binding) => check(binding?.spec).toMatchObject(changed));
    await admin.updates(policy('pp', { to: 'member1', ...words }));
    await expect(template).binding((binding) => {
      check(binding?.spec.propagateDeps ?? false).toBe(false);
      check(binding?.spec.conflictResolution ?? 'Abort').toBe('Abort');
      check(binding?.spec.preserveResourcesOnDeletion ?? false).toBe(false);
    });
  };
}

scenario('The binding of a template follows its policy in every field', follows(deployment('nginx'), {}), {
  burst: false,
});

scenario(
  'The binding of a template without a namespace follows in the same fields',
  follows(clusterRole('reader'), { select }),
  { burst: false, scopes: ['cluster'] },
);
