import { lookup } from '../../base/index.ts';
import { failure, unknownResource } from '../../api/index.ts';
import type { KindInfo } from '../../api/index.ts';
import type { Call, Handler } from '../call.ts';
import type { Target } from './target.ts';
import { create } from '../verbs/create.ts';
import { remove } from '../verbs/delete.ts';
import { removeAll } from '../verbs/deletecollection.ts';
import { list } from '../verbs/list.ts';
import { patch } from '../verbs/patch.ts';
import { get } from '../verbs/get.ts';
import { update } from '../verbs/update.ts';
import { watch } from '../verbs/watch.ts';

/** What Kubernetes calls what a request does. */
export type Verb = 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete' | 'deletecollection';

const verbs: Readonly<Record<Verb, Handler>> = {
  get,
  list,
  watch,
  create,
  update,
  patch,
  delete: remove,
  deletecollection: removeAll,
};

const byMethod: Readonly<Record<string, readonly [onObject: Verb | undefined, onCollection: Verb | undefined]>> =
  lookup({
    GET: ['get', 'list'],
    HEAD: ['get', 'list'],
    POST: [undefined, 'create'],
    PUT: ['update', undefined],
    PATCH: ['patch', undefined],
    DELETE: ['delete', 'deletecollection'],
  });

/** The verb of a request; undefined when the method does not go with such a path. */
export function verbOf(method: string, target: Target, watches: boolean): Verb | undefined {
  const pair = byMethod[method];
  if (!pair) return undefined;
  if (method === 'GET' && (target.watch || (watches && !target.name))) return 'watch';
  return target.name ? pair[0] : pair[1];
}

/** Are URL and kind of one scope? A cluster-scoped kind lies in no namespace, an object of a namespaced one in exactly one. */
export function checkScope(kind: KindInfo, target: Target): void {
  if (target.namespace && !kind.namespaced) throw unknownResource();
  if (target.name && kind.namespaced && !target.namespace) throw unknownResource();
}

/** Runs the verb of a call on the resource itself. */
export function handlerOf(call: Call, verb: Verb | undefined): Handler {
  const { kind, target, parts } = call;
  const own = parts.handlers.get(`${kind.group}/${kind.plural}`);
  if (own && verb === 'create') return own;
  if (!verb || (verb === 'create' && kind.namespaced && !target.namespace)) throw notAllowed();
  if (!kind.verbs.includes(verb)) throw notAllowed();
  return verbs[verb];
}

/** The 405 of a method that such a path never takes. */
export function notAllowed(): Error {
  return failure('MethodNotAllowed', 'the server does not allow this method on the requested resource', {});
}
