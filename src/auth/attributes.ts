import { lookup } from '../base/index.ts';
/** A request for objects, as authorization sees it. */
export interface ResourceAttributes {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  /** Empty for cluster-scoped requests and for those over all namespaces. */
  readonly namespace: string;
  /** Empty for lists and creations. */
  readonly name: string;
}

/** A request for anything else: discovery, health, metrics. */
export interface PathAttributes {
  /** The method in lower case. */
  readonly verb: string;
  readonly path: string;
}

/** The intent of a caller. */
export type Attributes = ResourceAttributes | PathAttributes;

/** True for a request about objects, false for one about a path. */
export function isResourceRequest(attributes: Attributes): attributes is ResourceAttributes {
  return 'resource' in attributes;
}

/** The object or collection that the path of a request names. */
export interface RequestTarget {
  readonly group: string;
  readonly plural: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  /** The old `/watch/` form. */
  readonly watch?: boolean;
}

/** A request in the parts that authorization needs. */
export interface RequestParts {
  /** Upper case. */
  readonly method: string;
  readonly path: string;
  /** Undefined for a path outside the grammar of resources. */
  readonly target: RequestTarget | undefined;
  /** `?watch=true` */
  readonly watch?: boolean;
  /** The name that the field selector `metadata.name=…` demands, if it does. */
  readonly selectedName?: string;
}

const verbs: Readonly<Record<string, string>> = lookup({
  GET: 'get',
  HEAD: 'get',
  POST: 'create',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
});

/** The attributes of a request, in the words of RBAC. */
export function attributesOf(request: RequestParts): Attributes {
  const { target, method } = request;
  if (!target) return { verb: method.toLowerCase(), path: request.path };
  const verb = verbOf(request, target);
  const looksAtMany = verb === 'list' || verb === 'watch';
  return {
    verb,
    group: target.group,
    resource: target.plural,
    subresource: target.subresource,
    // A namespace lies in itself, so that a RoleBinding in it can grant access to it.
    namespace: target.namespace || (target.group === '' && target.plural === 'namespaces' ? target.name : ''),
    // A list that selects one name is as good as a get of it, so a rule with resourceNames may allow it.
    name: target.name || (looksAtMany ? (request.selectedName ?? '') : ''),
  };
}

function verbOf({ method, watch }: RequestParts, target: RequestTarget): string {
  // A method that nobody knows is its own verb: only a rule for all verbs allows it.
  const verb = verbs[method] ?? method.toLowerCase();
  if (method === 'GET' && (watch || target.watch)) return 'watch';
  if (target.name !== '') return verb;
  if (verb === 'get') return 'list';
  return verb === 'delete' ? 'deletecollection' : verb;
}

/** `User "jane" cannot list resource "pods" in API group "" in the namespace "x"` */
export function refusalOf(user: string, attributes: Attributes): string {
  const who = `User ${JSON.stringify(user)} cannot ${attributes.verb}`;
  if (!isResourceRequest(attributes)) return sanitized(`${who} path ${JSON.stringify(attributes.path)}`);
  const { group, namespace } = attributes;
  const resource = combinedResource(attributes);
  const where = namespace ? `in the namespace ${JSON.stringify(namespace)}` : 'at the cluster scope';
  return sanitized(`${who} resource ${JSON.stringify(resource)} in API group ${JSON.stringify(group)} ${where}`);
}

/** `pods/log`; `pods` without a subresource. */
export function combinedResource(attributes: ResourceAttributes): string {
  return attributes.subresource ? `${attributes.resource}/${attributes.subresource}` : attributes.resource;
}

/** Escapes text of callers: it comes back in messages, and a browser must not take it for markup. */
function sanitized(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
