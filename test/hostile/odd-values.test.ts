/** A value of the wrong type, or none, in any place of an object is the client's fault and is answered so. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { builtinCatalog } from '../../src/api/index.ts';
import type { KindInfo } from '../../src/api/index.ts';
import { attackedHub } from '../kit/attack.ts';
import type { AttackedHub } from '../kit/attack.ts';

let attacked: AttackedHub;
beforeEach(async () => {
  attacked = await attackedHub();
});
afterEach(async () => {
  const { faults } = attacked;
  await attacked.close();
  expect(faults).toEqual([]);
});

const odd: readonly unknown[] = [
  null,
  0,
  -1,
  1.5,
  1e300,
  true,
  '',
  'x',
  '\u0000\ud800é',
  [],
  [null],
  [[]],
  {},
  { x: null },
];

/** The object with one place after the other replaced by each odd value, or left out. */
function* variants(value: unknown): Generator {
  for (const one of odd) yield one;
  if (Array.isArray(value)) {
    for (const [i, item] of value.entries()) for (const one of variants(item)) yield value.with(i, one);
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, member] of Object.entries(value)) {
      const { [key]: _, ...rest } = value as Record<string, unknown>;
      yield rest;
      for (const one of variants(member)) yield { ...value, [key]: one };
    }
  }
}

async function refuses(line: string, objects: Iterable<unknown>): Promise<void> {
  for (const body of objects) {
    const { status, text } = await attacked.send(line, { body });
    expect([status < 500, JSON.stringify(body), text]).toEqual([true, expect.anything(), expect.anything()]);
  }
}

test('a definition with an odd value anywhere is refused or taken, never a failure', async () => {
  const spec = {
    type: 'object',
    required: ['a'],
    properties: {
      a: { type: 'string', pattern: '^a', enum: ['a'], format: 'date', default: 'a' },
      b: {
        type: 'array',
        maxItems: 3,
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['k'],
        items: { type: 'object', required: ['k'], properties: { k: { type: 'string' } } },
      },
      c: { type: 'object', additionalProperties: { type: 'integer', minimum: 1 } },
      d: { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] },
    },
    'x-kubernetes-validations': [
      { rule: 'self.a == "a"', message: 'm', messageExpression: '"m"', fieldPath: '.a', reason: 'FieldValueInvalid' },
    ],
  };
  const definition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'things.example.com', labels: { a: 'b' } },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: {
        plural: 'things',
        singular: 'thing',
        kind: 'Thing',
        listKind: 'ThingList',
        shortNames: ['t'],
        categories: ['all'],
      },
      conversion: { strategy: 'None' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          deprecated: true,
          deprecationWarning: 'w',
          labels: { a: 'b' },
          subresources: {
            status: {},
            scale: { specReplicasPath: '.spec.a', statusReplicasPath: '.status.a', labelSelectorPath: '.status.b' },
          },
          additionalPrinterColumns: [{ name: 'A', type: 'string', jsonPath: '.spec.a', format: 'date', priority: 1 }],
          selectableFields: [{ jsonPath: '.spec.a' }],
          schema: { openAPIV3Schema: { type: 'object', properties: { spec } } },
        },
      ],
    },
  };
  const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  await refuses(`POST ${path}?dryRun=All`, variants(definition));
});

const creatable = builtinCatalog().kinds.filter(({ verbs }) => verbs.includes('create'));
const collection = ({ group, version, plural, namespaced }: KindInfo): string =>
  `${group ? `/apis/${group}` : '/api'}/${version}${namespaced ? '/namespaces/default' : ''}/${plural}`;

describe.each(creatable.map((kind) => [`${kind.group}/${kind.version} ${kind.kind}`, kind] as const))(
  '%s',
  (_, kind) => {
    test('with an odd value in metadata, spec or beside them', async () => {
      const apiVersion = kind.group ? `${kind.group}/${kind.version}` : kind.version;
      const metadata = {
        name: 'x',
        labels: { a: 'b' },
        annotations: { a: 'b' },
        ownerReferences: [{ name: 'x' }],
        finalizers: ['a/b'],
      };
      const members = Object.fromEntries(
        Object.keys(kind.schema.properties ?? {})
          .filter((name) => !['apiVersion', 'kind', 'metadata'].includes(name))
          .map((name) => [name, {}]),
      );
      await refuses(
        `POST ${collection(kind)}?dryRun=All`,
        variants({ apiVersion, kind: kind.kind, metadata, ...members }),
      );
    });
  },
);
