import { expect, test } from 'vitest';
import type { Effect } from '../../engine/index.ts';
import { fatesOf, groupsOf, totalsLine } from './groups.ts';

const move = (namespace: string | undefined): readonly Effect[] =>
  (['delete', 'create'] as const).map((effect, i) => ({
    template: { apiVersion: 'v1', kind: 'Thing', ...(namespace && { namespace }), name: 'a' },
    cluster: `member${i}`,
    effect,
    when: 'now',
    because: 'Refreshed',
    policy: { kind: 'ClusterPropagationPolicy', name: 'all' },
  }));

test.each([
  [[undefined], 'would restart 0, move 1, delete 0'],
  [['shop'], 'would restart 0, move 1 in 1 namespace, delete 0'],
  [[undefined, 'shop', 'yard'], 'would restart 0, move 3 in 2 namespaces, delete 0'],
])('of moves in %j the last line says: %s', (namespaces, expected) => {
  expect(totalsLine(groupsOf(fatesOf({ effects: namespaces.flatMap(move) })))).toBe(expected);
});
