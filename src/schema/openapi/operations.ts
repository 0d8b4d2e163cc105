import { subresourcesOf } from '../../api/index.ts';
import type { GroupVersionKind, KindInfo, SubresourceKind } from '../../api/index.ts';

/** The methods of HTTP that operations use. */
export type Method = 'get' | 'put' | 'post' | 'delete' | 'patch';

/** A parameter in the query of an operation. */
export interface QueryParameter {
  readonly name: string;
  readonly type: 'string' | 'boolean' | 'integer';
}

/** One operation, told in terms that OpenAPI v2 and v3 both have. */
export interface Operation {
  readonly method: Method;
  readonly id: string;
  readonly action: string;
  readonly kind: GroupVersionKind;
  readonly query: readonly QueryParameter[];
  /** The content of the body: an object of the kind, a patch, options of a deletion, or nothing. */
  readonly body?: 'object' | 'patch' | 'options';
  readonly answer: 'object' | 'list' | 'status';
}

/** A path with its operations. */
export interface PathOperations {
  readonly path: string;
  readonly parameters: readonly ('name' | 'namespace')[];
  readonly operations: readonly Operation[];
  readonly resource: KindInfo;
}

const text = (name: string): QueryParameter => ({ name, type: 'string' });
const flag = (name: string): QueryParameter => ({ name, type: 'boolean' });
const count = (name: string): QueryParameter => ({ name, type: 'integer' });

const listing = [
  flag('allowWatchBookmarks'),
  text('continue'),
  text('fieldSelector'),
  text('labelSelector'),
  count('limit'),
  text('resourceVersion'),
  text('resourceVersionMatch'),
  flag('sendInitialEvents'),
  count('timeoutSeconds'),
  flag('watch'),
];
const writing = [text('dryRun'), text('fieldManager'), text('fieldValidation')];
const patching = [...writing, flag('force')];
const deleting = [text('dryRun'), count('gracePeriodSeconds'), flag('orphanDependents'), text('propagationPolicy')];

/** How a verb of discovery looks as an operation. */
interface Form extends Pick<Operation, 'method' | 'action' | 'query' | 'answer'> {
  readonly word: string;
  readonly body?: 'object' | 'patch' | 'options';
}

const onCollection: Readonly<Record<string, Form>> = {
  list: { method: 'get', word: 'list', action: 'list', query: listing, answer: 'list' },
  create: { method: 'post', word: 'create', action: 'post', query: writing, body: 'object', answer: 'object' },
  deletecollection: {
    method: 'delete',
    word: 'deleteCollection',
    action: 'deletecollection',
    query: [...deleting, ...listing.slice(1)],
    body: 'options',
    answer: 'status',
  },
};

const onObject: Readonly<Record<string, Form>> = {
  get: { method: 'get', word: 'read', action: 'get', query: [], answer: 'object' },
  update: { method: 'put', word: 'replace', action: 'put', query: writing, body: 'object', answer: 'object' },
  patch: { method: 'patch', word: 'patch', action: 'patch', query: patching, body: 'patch', answer: 'object' },
  delete: { method: 'delete', word: 'delete', action: 'delete', query: deleting, body: 'options', answer: 'status' },
};

const onSubresource: Readonly<Record<string, Form>> = {
  ...onObject,
  create: { method: 'post', word: 'create', action: 'post', query: writing, body: 'object', answer: 'object' },
};

/** All paths under which the objects of a kind are reached. */
export function operationsOf(kind: KindInfo): readonly PathOperations[] {
  const root = kind.group ? `/apis/${kind.group}/${kind.version}` : `/api/${kind.version}`;
  const scope = kind.namespaced ? '/namespaces/{namespace}' : '';
  const within = kind.namespaced ? (['namespace'] as const) : [];
  const collection = `${root}${scope}/${kind.plural}`;
  const paths = [
    pathWith(kind, collection, { parameters: within, operations: operations(kind, onCollection) }),
    pathWith(kind, `${collection}/{name}`, { parameters: ['name', ...within], operations: operations(kind, onObject) }),
    ...subresourcesOf(kind).map(({ name, ...sub }) =>
      pathWith(kind, `${collection}/{name}/${name}`, {
        parameters: ['name', ...within],
        operations: operations(kind, onSubresource, { name, sub }),
      }),
    ),
    ...(kind.namespaced && kind.verbs.includes('list') ? [everywhere(kind, `${root}/${kind.plural}`)] : []),
  ];
  return paths.filter((path) => path.operations.length > 0);
}

function pathWith(
  resource: KindInfo,
  path: string,
  rest: Pick<PathOperations, 'parameters' | 'operations'>,
): PathOperations {
  return { path, resource, ...rest };
}

/** The list over all namespaces. */
function everywhere(kind: KindInfo, path: string): PathOperations {
  const { word: _word, ...form } = onCollection['list']!;
  const id = `list${groupWords(kind)}${kind.kind}ForAllNamespaces`;
  return pathWith(kind, path, { parameters: [], operations: [{ ...form, id, kind: gvkOf(kind) }] });
}

interface Below {
  readonly name: string;
  readonly sub: SubresourceKind;
}

function operations(kind: KindInfo, forms: Readonly<Record<string, Form>>, below?: Below): Operation[] {
  const verbs = below ? below.sub.verbs : kind.verbs;
  return verbs.flatMap((verb) => {
    const form = forms[verb];
    return form ? [operation(kind, form, below)] : [];
  });
}

function operation(kind: KindInfo, { word, ...form }: Form, below?: Below): Operation {
  const scope = kind.namespaced ? 'Namespaced' : '';
  const [verb = '', collection = ''] = word.split(/(?=Collection)/);
  const id = `${verb}${groupWords(kind)}${collection}${scope}${kind.kind}${below ? camel(below.name) : ''}`;
  return { ...form, id, kind: gvkOf(below?.sub ?? kind) };
}

function gvkOf({ group, version, kind }: GroupVersionKind): GroupVersionKind {
  return { group, version, kind };
}

/** `rbac.authorization.k8s.io/v1` → `RbacAuthorizationV1` */
function groupWords({ group, version }: KindInfo): string {
  const words = (group || 'core').replace(/\.k8s\.io$/, '').split(/[.-]/);
  return words.map(camel).join('') + camel(version);
}

function camel(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
