import type { Catalog, KindInfo, Schema } from '../../api/index.ts';
import { definitionOfKind, listName, status } from './definitions.ts';
import { operationsOf } from './operations.ts';
import type { Operation, PathOperations } from './operations.ts';

/** The description of the documents in both versions of OpenAPI. */
export const info = { title: 'Kubernetes', version: 'unversioned' };

/** The forms in which objects are answered. */
export const media = ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf'];

/** All paths of these kinds in order, each with what `itemOf` says of it. */
export function pathsOf(
  kinds: readonly KindInfo[],
  itemOf: (path: PathOperations) => object,
): Readonly<Record<string, object>> {
  const paths = kinds.flatMap(operationsOf).sort((a, b) => (a.path < b.path ? -1 : 1));
  return Object.fromEntries(paths.map((path) => [path.path, itemOf(path)]));
}

/** One path: its methods and the parameters in it. */
export function pathItem(
  { parameters, operations, resource }: PathOperations,
  operationOf: (operation: Operation, resource: KindInfo) => object,
  parameterOf: (name: string) => object,
): object {
  const item: Record<string, unknown> = {};
  for (const operation of operations) item[operation.method] = operationOf(operation, resource);
  if (parameters.length > 0) item['parameters'] = parameters.map(parameterOf);
  return item;
}

/** The description of an operation in both versions. */
export function commonOf(operation: Operation, { group, version }: KindInfo): object {
  return {
    tags: [`${group ? group.replace(/\.k8s\.io$/, '').replaceAll('.', '') : 'core'}_${version}`],
    operationId: operation.id,
    'x-kubernetes-action': operation.action,
    'x-kubernetes-group-version-kind': operation.kind,
  };
}

/** How a version of OpenAPI refers to a definition. */
export type Ref = (name: string) => Schema;

/** The object of an operation. The kind of a subresource may have no definition of its own, as what pods/exec takes. */
export function objectSchema(ref: Ref, catalog: Catalog, { kind }: Operation): Schema {
  const name = definitionOfKind(catalog, kind);
  return name ? ref(name) : { type: 'object' };
}

/** The schema of the answer to an operation on a resource; `object` is the schema of its object. */
export function answerSchema(ref: Ref, { answer }: Operation, of: { resource: KindInfo; object: Schema }): Schema {
  if (answer === 'object') return of.object;
  return ref(answer === 'list' ? listName(of.resource) : status);
}
