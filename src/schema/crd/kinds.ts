import { isOwnGroup } from '../../api/index.ts';
import { isObject } from '../../base/index.ts';
import type { Column, CrdColumn, CrdVersion, CustomResourceDefinition, KindInfo, Schema } from '../../api/index.ts';
import { defaultedCrd, storageVersionOf } from './defaults.ts';
import { hasCondition } from './status.ts';

const verbs = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'];
/** Objects whose definition is going away can still be read and deleted, and lose their finalizers. */
const verbsOfTheDying = ['delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];
const age: Column = { name: 'Age', type: 'date', path: '.metadata.creationTimestamp' };

/** The kinds that a definition brings: one for every version that it serves. */
export function kindsOf(crd: CustomResourceDefinition): readonly KindInfo[] {
  const known = made.get(crd);
  if (known) return known;
  const complete = defaultedCrd(crd);
  const kinds = complete.spec.versions.filter((version) => version.served).map((one) => kindOf(complete, one));
  made.set(crd, kinds);
  return kinds;
}

/** The same definition yields the same kinds, so that what is compiled or published of them is kept. */
const made = new WeakMap<CustomResourceDefinition, readonly KindInfo[]>();

function kindOf(crd: CustomResourceDefinition, version: CrdVersion): KindInfo {
  return {
    group: crd.spec.group,
    version: version.name,
    ...namesOf(crd),
    namespaced: crd.spec.scope === 'Namespaced',
    verbs: hasCondition(crd, 'Terminating') ? verbsOfTheDying : verbs,
    subresources: [],
    columns: columnsOf(version.additionalPrinterColumns),
    schema: version.schema?.openAPIV3Schema ?? anything,
    custom: true,
    storageVersion: storageVersionOf(crd),
    ...extrasOf(crd, version),
  };
}

const anything: Schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };

/** The names that the definition was given; one that was never looked at is called as it wants. */
function namesOf({ spec, status }: CustomResourceDefinition): NameParts {
  const { plural, kind, ...names } = status?.acceptedNames?.kind ? status.acceptedNames : spec.names;
  return {
    plural,
    kind,
    listKind: names.listKind ?? `${kind}List`,
    singular: names.singular ?? kind.toLowerCase(),
    shortNames: names.shortNames ?? [],
    categories: names.categories ?? [],
  };
}

type NameParts = Pick<KindInfo, 'plural' | 'kind' | 'listKind' | 'singular' | 'shortNames' | 'categories'>;
type Extras = Pick<KindInfo, 'status' | 'scale' | 'deprecationWarning' | 'selectableFields' | 'defaultsSince'>;

function extrasOf(crd: CustomResourceDefinition, version: CrdVersion): Extras {
  const { subresources, deprecated, selectableFields } = version;
  const isCompleted = !isOwnGroup(crd.spec.group) && hasDefaults(version.schema?.openAPIV3Schema);
  return {
    status: subresources?.status !== undefined,
    ...(subresources?.scale && { scale: subresources.scale }),
    ...(isCompleted && { defaultsSince: Number(crd.metadata.resourceVersion ?? 0) }),
    ...(deprecated && { deprecationWarning: warningOf(crd, version) }),
    ...(selectableFields && { selectableFields: selectableFields.map((field) => field.jsonPath.replace(/^\./, '')) }),
  };
}

/** Does a schema, or one inside it, name a default? */
function hasDefaults(schema: unknown): boolean {
  if (!isObject(schema)) return false;
  const { properties, additionalProperties, items } = schema;
  if (schema['default'] !== undefined) return true;
  const inner = [additionalProperties, items, ...(isObject(properties) ? Object.values(properties) : [])];
  return inner.some(hasDefaults);
}

function columnsOf(columns: readonly CrdColumn[] | undefined): readonly Column[] {
  if (!columns || columns.length === 0) return [age];
  return columns.map(columnOf);
}

function columnOf({ jsonPath, ...column }: CrdColumn): Column {
  return { ...column, path: jsonPath };
}

function warningOf({ spec }: CustomResourceDefinition, { name, deprecationWarning }: CrdVersion): string {
  return deprecationWarning ?? `${spec.group}/${name} ${spec.names.kind} is deprecated`;
}
