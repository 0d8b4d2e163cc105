import { expect, test } from 'vitest';
import type { Effect, Waits } from '../../engine/index.ts';
import { fatesOf, groupsOf, totalsLine } from './groups.ts';

const move = (namespace: string | undefined): readonly Effect[] =>
  (['delete', 'create'] as const).map((effect, i) => ({
    template: { apiVersion: 'v1', kind: 'Thing', ...(namespace && { namespace }), name: 'a' },
    cluster: `member${i}`,
    effect,
    when: 'now',
    because: 'PolicyEdited',
    policy: { kind: 'ClusterPropagationPolicy', name: 'all' },
  }));

test.each([
  [[undefined], 'would restart 0, move 1, delete 0'],
  [['shop'], 'would restart 0, move 1 in 1 namespace, delete 0'],
  [[undefined, 'shop', 'yard'], 'would restart 0, move 3 in 2 namespaces, delete 0'],
])('for moves in %j the last line is: %s', (namespaces, expected) => {
  expect(totalsLine(groupsOf(fatesOf({ effects: namespaces.flatMap(move) })))).toBe(expected);
});

const waiting = (waits: Waits, i: number): Effect => ({
  template: { apiVersion: 'v1', kind: 'Thing', namespace: 'shop', name: `thing${i}` },
  cluster: 'member1',
  effect: 'update',
  when: 'pending',
  because: 'WaitingForTemplateChange',
  waits,
});

test.each<readonly [readonly Waits[], string]>([
  [['lazy'], '1 pending (lazy)'],
  [['static', 'static'], '2 pending (static)'],
  [['static', 'lazy'], '2 pending (lazy, static)'],
])('for effects that wait as %j the last line is: %s', (waits, expected) => {
  const line = totalsLine(groupsOf(fatesOf({ effects: waits.map(waiting) })));
  expect(line).toBe(`would restart 0, move 0, delete 0; ${expected}`);
});
