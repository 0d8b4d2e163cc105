import { forbiddenField, invalidValue, required } from '../../api/index.ts';
import type { FieldError, Schema } from '../../api/index.ts';
import { equal, ownMember } from '../../base/index.ts';
import { goRegExp } from '../structural/regexp.ts';

/** A schema inside anyOf, oneOf, allOf or not, with its path. */
type Branch = readonly [schema: Schema, path: string];

const intOrString = [{ type: 'integer' }, { type: 'string' }];

function branchesOf(schema: Schema, path: string): Branch[] {
  const junctions = (['anyOf', 'allOf', 'oneOf'] as const).flatMap((key) =>
    (schema[key] ?? []).map((one, i): Branch => [one, `${path}.${key}[${i}]`]),
  );
  return schema.not ? [...junctions, [schema.not, `${path}.not`]] : junctions;
}

/** The two ways to write `anyOf: [integer, string]` for an int-or-string are allowed although they name types. */
function isExempt(schema: Schema, path: string, branch: string): boolean {
  if (!schema['x-kubernetes-int-or-string']) return false;
  if (equal(schema.anyOf, intOrString)) return branch.startsWith(`${path}.anyOf[`);
  return equal(schema.allOf?.[0]?.anyOf, intOrString) && branch === `${path}.allOf[0]`;
}

/** The errors of the branches of a structural schema: they say things that only the schema itself may. */
export function junctionErrors(schema: Schema, path: string): FieldError[] {
  return branchesOf(schema, path)
    .filter(([, at]) => !isExempt(schema, path, at))
    .flatMap((branch) => branchErrors(branch));
}

const mustBe: readonly (readonly [key: string, words: string])[] = [
  ['type', 'must be empty to be structural'],
  ['additionalProperties', 'must be undefined to be structural'],
  ['default', 'must be undefined to be structural'],
  ['title', 'must be empty to be structural'],
  ['description', 'must be empty to be structural'],
  ['nullable', 'must be false to be structural'],
  ['x-kubernetes-preserve-unknown-fields', 'must be false to be structural'],
  ['x-kubernetes-embedded-resource', 'must be false to be structural'],
  ['x-kubernetes-int-or-string', 'must be false to be structural'],
  ['x-kubernetes-list-map-keys', 'must be empty to be structural'],
  ['x-kubernetes-list-type', 'must be undefined to be structural'],
  ['x-kubernetes-map-type', 'must be undefined to be structural'],
  ['x-kubernetes-validations', 'must be empty to be structural'],
];

function branchErrors([schema, path]: Branch): FieldError[] {
  const said = schema as Readonly<Record<string, unknown>>;
  const errors = mustBe
    .filter(([key]) => said[key] !== undefined && said[key] !== false && said[key] !== '')
    .map(([key, words]) => forbiddenField(`${path}.${key}`, words));
  if (schema.properties?.['metadata']) {
    errors.push(forbiddenField(`${path}.properties[metadata]`, 'must not be specified in a nested context'));
  }
  const below: Branch[] = [
    ...branchesOf(schema, path),
    ...Object.entries(schema.properties ?? {}).map(([name, one]): Branch => [one, `${path}.properties[${name}]`]),
    ...(schema.items ? [[schema.items, `${path}.items`] as const] : []),
  ];
  return [...errors, ...patternErrors(schema, path), ...below.flatMap((branch) => branchErrors(branch))];
}

/** A pattern that is not a regular expression. */
export function patternErrors({ pattern }: Schema, path: string): FieldError[] {
  if (!pattern) return [];
  try {
    goRegExp(pattern);
    return [];
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const detail = `must be a valid regular expression, but isn't: ${why}`;
    return [invalidValue(`${path}.pattern`, pattern, detail)];
  }
}

/** Every field that a branch of the root speaks of is specified outside of the branches too; further down nobody asks. */
export function completenessErrors(schema: Schema, path: string): FieldError[] {
  return branchesOf(schema, path).flatMap(([one, at]) => coverErrors([schema, path], [one, at]));
}

/** The errors of fields that `branch` specifies and `schema` does not. */
function coverErrors([schema, path]: readonly [Schema | undefined, string], [branch, at]: Branch): FieldError[] {
  if (!schema) return [required(path, `because it is defined in ${at}`)];
  return [
    ...branchesOf(branch, at).flatMap((one) => coverErrors([schema, path], one)),
    ...(branch.items ? coverErrors([schema.items, `${path}.items`], [branch.items, `${at}.items`]) : []),
    ...Object.entries(branch.properties ?? {}).flatMap(([name, one]) =>
      coverErrors(
        [ownMember(schema.properties, name), `${path}.properties[${name}]`],
        [one, `${at}.properties[${name}]`],
      ),
    ),
  ];
}
