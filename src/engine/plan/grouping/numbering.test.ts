import { expect, test } from 'vitest';
import type { BindingSpec } from '../../../api/index.ts';
import { Numbering } from './numbering.ts';
import { marks, replicas, specs } from './spelling.ts';

test('similar templates have one number, near or far', () => {
  const numbers = new Numbering({ spell: (value: number) => String(value % 10), isSame: (a, b) => a % 10 === b % 10 });
  const first = Array.from({ length: 10 }, (_, i) => numbers.of(i));
  expect(new Set(first).size).toBe(10);
  expect(Array.from({ length: 10 }, (_, i) => numbers.of(i + 10))).toEqual(first);
});

const spec = (words: Partial<BindingSpec>): BindingSpec => ({
  resource: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'any' },
  ...words,
});

test.each<readonly [boolean, BindingSpec, BindingSpec]>([
  [true, spec({}), spec({ resource: { apiVersion: 'v1', kind: 'ConfigMap', name: 'other' } })],
  [true, spec({ replicas: 2, clusters: [{ name: 'a' }] }), spec({ clusters: [{ name: 'a' }], replicas: 2 })],
  [
    true,
    spec({ replicaRequirements: { resourceRequest: { cpu: '1' }, namespace: 'a' } }),
    spec({ replicaRequirements: { resourceRequest: { cpu: '1' }, namespace: 'b' } }),
  ],
  [false, spec({}), spec({ replicaRequirements: {} })],
  [false, spec({ replicas: 2 }), spec({})],
  [false, spec({}), spec({ replicas: 2 })],
  [
    false,
    spec({ replicaRequirements: { resourceRequest: { cpu: '1' } } }),
    spec({ replicaRequirements: { resourceRequest: { cpu: '2' } } }),
  ],
])('specs are alike: %s', (alike, a, b) => {
  expect(specs.isSame(a, b)).toBe(alike);
  expect(specs.isSame(b, a)).toBe(alike);
});

test('labels and annotations count only where the system sets them', () => {
  const mark = { 'work.karmada.io/conflict-resolution': 'overwrite' };
  expect(marks.isSame({ app: 'a', ...mark }, { ...mark, app: 'b' })).toBe(true);
  expect(marks.isSame({ app: 'a' }, undefined)).toBe(true);
  for (const [a, b] of [
    [mark, undefined],
    [undefined, mark],
  ])
    expect(marks.isSame(a, b)).toBe(false);
  expect(marks.spell({ app: 'a', ...mark })).not.toBe(marks.spell({ app: 'a' }));
});

test('replicas tell apart by their number and what each needs', () => {
  const needs = (cpu: string): object => ({ requirements: { resourceRequest: { cpu } } });
  expect(replicas.isSame({ replicas: 1, ...needs('1') }, { replicas: 1, ...needs('1') })).toBe(true);
  expect(replicas.isSame({ replicas: 1, ...needs('1') }, { replicas: 1, ...needs('2') })).toBe(false);
  expect(replicas.isSame({ replicas: 1 }, { replicas: 2 })).toBe(false);
});
