import { readFileSync } from 'node:fs';
import { loadAll } from 'js-yaml';
import { expect as check, test } from 'vitest';
import { clusterApi, fieldErrorText } from '../../src/api/index.ts';
import type { Cluster, KubeObject } from '../../src/api/index.ts';
import { validate } from '../../src/engine/index.ts';
import { scenario } from '../kit/scenario.ts';
import type { Stage } from '../kit/stage.ts';

const page = readFileSync(new URL('../../docs/interpreters.md', import.meta.url), 'utf8');
const manifests = [...page.matchAll(/```yaml\n(.*?)```/gs)].flatMap(([, text = '']) => loadAll(text) as KubeObject[]);
const [customization, policy, pages, shop] = manifests as [KubeObject, KubeObject, KubeObject, KubeObject];

/** A member serves the kind, as one does that has its definition. */
async function serveWebsites(stage: Stage, name: string): Promise<void> {
  const ref = { apiVersion: clusterApi, kind: 'Cluster', name };
  const { status } = (await stage.get(ref)) as Cluster;
  const websites = { groupVersion: 'example.com/v1', resources: [{ name: 'websites', kind: 'Website' }] };
  await stage.writeStatus(ref, { ...status, apiEnablements: [...(status?.apiEnablements ?? []), websites] });
}

test('The customization of the page is valid', () => {
  check(validate(customization).map(fieldErrorText)).toEqual([]);
});

scenario(
  'the manifests of the page divide the copies and bring the content along',
  async ({ admin, user, expect, stage }) => {
    for (const member of stage.members) await serveWebsites(stage, member);
    await admin.creates(customization, policy);
    await user.creates(pages, shop);
    await expect(shop).says('spec.copies', { member1: 1, member2: 2 });
    await expect(pages).runsOn('member1', 'member2');
    await expect(shop).binding((binding) => {
      check(binding?.spec).toMatchObject({ replicas: 3, replicaRequirements: { resourceRequest: { cpu: '100m' } } });
    });
    await admin.deletes(customization);
    await expect(shop).binding((binding) => check(binding?.spec.replicas).toBeUndefined());
  },
  { scopes: ['namespace'] },
);
