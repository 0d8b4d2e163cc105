import type { KubeObject, ResourceSelector } from '../../src/api/index.ts';
import { scenario } from '../kit/scenario.ts';

const named = (kind: string, spec: object): KubeObject =>
  ({ apiVersion: 'v1', kind, metadata: { name: 'web', namespace: 'default' }, spec }) as KubeObject;

/** A server gives these a status when they are created. */
const templates = [
  named('Service', { ports: [{ port: 80 }], selector: { app: 'web' } }),
  named('Pod', { containers: [{ name: 'web', image: 'nginx:1.25' }] }),
  named('PersistentVolumeClaim', {
    accessModes: ['ReadWriteOnce'],
    resources: { requests: { storage: '1Gi' } },
  }),
];

for (const template of templates) {
  const select: ResourceSelector[] = [{ apiVersion: 'v1', kind: template.kind, name: 'web' }];
  scenario(
    `A ${template.kind} that comes after a lazy policy is propagated at once, although it has a status from the start`,
    async ({ admin, user, policy, expect }) => {
      await admin.creates(policy('pp', { to: 'member2', lazy: true, select }));
      await admin.appliesTogether(policy('pp', { to: 'member1', lazy: true, select }), template);
      await expect(template).isManagedBy('pp');
      await expect(template).runsOn('member1');
      await user.deletes(template);
      await admin.deletes(policy('pp'));
      await admin.appliesTogether(template, policy('pp', { to: 'member1', lazy: true, select }));
      await expect(template).isManagedBy('pp');
      await expect(template).runsNowhere();
    },
    { burst: false },
  );
}
