import { describe, expect, test } from 'vitest';
import type { CustomResourceDefinition, Schema } from '../index.ts';
import { crds } from '../index.ts';

/** Fields of every object are described where kinds are served: a definition must not describe them. */
const served: ReadonlySet<string> = new Set(['.apiVersion', '.kind', '.metadata']);

/** Every field of a schema with its path, as `kubectl explain` walks it: through lists and maps. */
function fieldsOf(schema: Schema, path = ''): readonly (readonly [string, Schema])[] {
  const { items, additionalProperties, properties = {} } = schema;
  return [
    ...(items ? fieldsOf(items, path) : []),
    ...(typeof additionalProperties === 'object' ? fieldsOf(additionalProperties, path) : []),
    ...Object.entries(properties).flatMap(([name, part]) => {
      const field = `${path}.${name}`;
      return served.has(field) ? [] : [[field, part] as const, ...fieldsOf(part, field)];
    }),
  ];
}

const sentence = /^[A-Z].*\.$/;

function whyNoDescription({ description }: Schema): string | undefined {
  if (description === undefined) return 'says nothing';
  if (!sentence.test(description)) return `is no sentence: ${description}`;
  if (description.length > 300) return `is longer than 300 characters: ${description}`;
  return undefined;
}

function faultsOf({ spec }: CustomResourceDefinition): readonly string[] {
  return spec.versions.flatMap(({ name, schema }) => {
    const root = schema?.openAPIV3Schema ?? {};
    return [['', root] as const, ...fieldsOf(root)].flatMap(([path, field]) => {
      const why = whyNoDescription(field);
      return why ? [`${name} ${spec.names.kind}${path} ${why}`] : [];
    });
  });
}

describe('kubectl explain', () => {
  test.each(crds().map((crd) => [crd.spec.names.kind, crd] as const))('has words for every field of %s', (_, crd) => {
    expect(faultsOf(crd)).toEqual([]);
  });

  test.each<[Schema, string | undefined]>([
    [{}, 'says nothing'],
    [{ description: 'the name' }, 'is no sentence: the name'],
    [{ description: `Word${' word'.repeat(60)}.` }, `is longer than 300 characters: Word${' word'.repeat(60)}.`],
    [{ description: 'The name of the member.' }, undefined],
  ])('the check says of %j: %s', (schema, why) => {
    expect(whyNoDescription(schema)).toBe(why);
  });

  test('the check walks through lists and maps', () => {
    const leaf: Schema = { type: 'string' };
    const inner: Schema = { type: 'object', properties: { leaf } };
    const map: Schema = { type: 'object', additionalProperties: inner };
    const root: Schema = { type: 'object', properties: { kind: leaf, map, all: { type: 'array', items: inner } } };
    expect(fieldsOf(root).map(([path]) => path)).toEqual(['.map', '.map.leaf', '.all', '.all.leaf']);
  });
});
