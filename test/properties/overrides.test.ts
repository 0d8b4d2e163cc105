import * as fc from 'fast-check';
import { describe, expect } from 'vitest';
import type { KubeObject, Overriders } from '../../src/api/index.ts';
import { equal, freeze } from '../../src/base/index.ts';
import { overridden, overridesOf } from '../../src/engine/index.ts';
import { configMap, deployment, memberCluster } from '../kit/objects.ts';
import { overrides } from '../kit/stories/anything.ts';
import { property } from '../kit/stories/runs.ts';

const member = memberCluster('member1', { labels: { zone: 'z1' } });
const template = freeze(deployment('x', { namespace: 'a1', labels: { tier: 'front' } }));
const settings = freeze({
  ...configMap('x', { namespace: 'a1' }),
  data: { value: '{"a":{"b":[1,2]}}', yaml: 'a:\n  b: 1\n' },
});

const policies = fc.uniqueArray(overrides(), {
  maxLength: 4,
  selector: ({ kind, metadata }) => `${kind} ${metadata.name}`,
});
const shuffled = policies.chain((all) =>
  fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })),
);

describe('override policies', () => {
  property('make the same of an object in whichever order they are found', shuffled, ([all, other]) => {
    const [a, b] = [all, other].map((found) => overridden(template, overridesOf(found, template), member));
    expect(a).toEqual(b);
  });

  property('make the same of an object each time, and leave the object itself as it was', policies, (all) => {
    const applied = overridesOf(all, template);
    const [a, b] = [overridden(template, applied, member), overridden(template, applied, member)];
    expect(equal(a, b)).toBe(true);
  });
});

const token = fc.oneof(
  fc.constantFrom(
    'metadata',
    'spec',
    'template',
    'containers',
    '0',
    '-',
    '-1',
    'data',
    'value',
    'labels',
    'a',
    '~1',
    '~0',
    '~',
  ),
  fc.constantFrom('__proto__', 'constructor', 'prototype', 'toString', 'length', '', '99999999999'),
  fc.string({ maxLength: 4 }),
);
const path = fc.oneof(
  fc.array(token, { maxLength: 6 }).map((tokens) => tokens.map((one) => `/${one}`).join('')),
  fc.constantFrom(
    '/data/value',
    '/data/yaml',
    '/metadata/labels/app',
    '/spec/template/spec/containers/0/image',
    '/metadata',
    '',
  ),
);
const operator = fc.constantFrom('add' as const, 'remove' as const, 'replace' as const);
const value = fc.jsonValue({ maxDepth: 3 });
const changes = fc.array(fc.record({ subPath: path, operator, value }), { maxLength: 3 });

/** Overriders with any path and value, as they may be stored where nobody validated them. */
const anything = fc.record(
  {
    plaintext: fc.array(fc.record({ path, operator, value }), { maxLength: 3 }),
    imageOverrider: fc.array(
      fc.record({
        predicate: fc.option(fc.record({ path }), { nil: undefined }),
        component: fc.constantFrom('Registry', 'Repository', 'Tag'),
        operator,
        value: fc.string({ maxLength: 12 }),
      }),
      { maxLength: 2 },
    ),
    commandOverrider: fc.array(
      fc.record({
        containerName: fc.constantFrom('x', 'y'),
        operator: fc.constantFrom('add', 'remove'),
        value: fc.array(fc.string(), { maxLength: 2 }),
      }),
      { maxLength: 2 },
    ),
    labelsOverrider: fc.array(fc.record({ operator, value: fc.dictionary(token, fc.string({ maxLength: 5 })) }), {
      maxLength: 2,
    }),
    fieldOverrider: fc.array(
      fc.oneof(fc.record({ fieldPath: path, json: changes }), fc.record({ fieldPath: path, yaml: changes })),
      { maxLength: 2 },
    ),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<Overriders>;

const object = fc.constantFrom<KubeObject>(template, settings as KubeObject);

describe('overriders from anybody', () => {
  property(
    'change an object or say what is wrong; it stays the object that it is',
    fc.tuple(object, anything),
    ([one, overriders]) => {
      const rules = [{ overriders }];
      const made = overridden(
        one,
        [{ kind: 'OverridePolicy', name: 'op', precision: 1, isLazy: false, rules }],
        member,
      );
      if ('error' in made) {
        expect(made.error).toMatch(/^OverridePolicy op: ./);
        return;
      }
      const { apiVersion, kind, metadata } = made.object;
      expect([apiVersion, kind, metadata.name, metadata.namespace]).toEqual([one.apiVersion, one.kind, 'x', 'a1']);
      expect(Object.getPrototypeOf(made.object)).toBe(Object.prototype);
    },
  );
});
