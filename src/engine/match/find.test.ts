import { expect, test } from 'vitest';
import type { Policy } from '../../api/index.ts';
import { clusterRole, deployment, deployments, policy } from '../../../test/kit/objects.ts';
import { emptyWorld } from '../world/index.ts';
import { eachTemplateOf, policiesNear } from './find.ts';

const front = { matchLabels: { tier: 'front' } };
const wide = (name: string, ...select: readonly ReturnType<typeof deployments>[]): Policy =>
  policy(name, { scope: 'cluster', select });

test.each<[string, Policy]>([
  ['by kind', wide('p', deployments())],
  ['by name', wide('p', deployments({ name: 'nginx' }))],
  ['by label', wide('p', deployments({ labelSelector: front }))],
  ['by namespace', wide('p', deployments({ namespace: 'team-a' }))],
  ['by a list', wide('p', deployments({ namespace: 'x,team-a' }))],
  ['by a prefix', wide('p', deployments({ namespace: 'team-*' }))],
  ['by the whole name as a prefix', wide('p', deployments({ namespace: 'team-a*' }))],
  ['by its own namespace', policy('p', { namespace: 'team-a' })],
  [
    'by several selectors at once',
    wide('p', deployments(), deployments({ name: 'nginx' }), deployments({ namespace: 't*' })),
  ],
])('a policy and a template find each other %s, once', (_, rule) => {
  const world = emptyWorld();
  const nginx = deployment('nginx', { namespace: 'team-a', labels: { tier: 'front' } });
  for (const object of [nginx, rule, clusterRole('reader'), deployment('other', { namespace: 'other' })])
    world.write({ verb: 'create', object });
  expect([...policiesNear(world, nginx)].map((found) => found.metadata.name)).toEqual(['p']);
  const found: string[] = [];
  eachTemplateOf(world, rule, (template) => void found.push(template.metadata.name));
  expect(found.filter((name) => name === 'nginx')).toEqual(['nginx']);
});
