import { badRequest, notAcceptable, resourceText, unknownResource } from '../../api/index.ts';
import type { KubeObject } from '../../api/index.ts';
import { clone, lookup, ownMember } from '../../base/index.ts';
import type { Draft } from '../../kinds/index.ts';
import type { Call, Handler } from '../call.ts';
import { offered } from '../request/options.ts';
import { draftOf, placed, shaped } from '../request/draft.ts';
import { notAllowed, verbOf } from '../request/route.ts';
import type { Verb } from '../request/route.ts';
import { bind, evict } from '../subresource/pods.ts';
import { getScale, patchScale, putScale } from '../subresource/scale.ts';
import { create } from './create.ts';
import { remove } from './delete.ts';
import { removeAll } from './deletecollection.ts';
import { get } from './get.ts';
import { list } from './list.ts';
import { patch, patchTypeOf, patcherOf } from './patch.ts';
import { changeObject, keep, update } from './update.ts';
import { watch } from './watch.ts';

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

/** The function that answers a call; throws 404 or 405 when no function does. */
export function handlerOf(call: Call): Handler {
  const { kind, target, parts, request } = call;
  if (target.subresource) return subresourceHandler(call);
  const verb = verbOf(request.method, target, call.options.watch);
  const own = parts.handlers.get(`${kind.group}/${kind.plural}`);
  if (own && verb === 'create') return asItIs(call, own);
  if (!verb || (verb === 'create' && kind.namespaced && !target.namespace)) throw notAllowed();
  if (!kind.verbs.includes(verb)) throw notAllowed();
  return verbs[verb];
}

/** A review has no metadata, so it is shown in no other form: 406. */
function asItIs({ accept }: Call, handler: Handler): Handler {
  if (accept.as !== 'object') throw notAcceptable(offered);
  return handler;
}

type Methods = Readonly<Record<string, Handler>>;

const status: Methods = { GET: get, PUT: update, PATCH: patch };
const scale: Methods = { GET: getScale, PUT: putScale, PATCH: patchScale };

/** Subresources of single kinds, by `group/plural/name`. Those of running containers (log, exec, attach) are absent: a hub runs none. */
const ofKinds: Readonly<Record<string, Methods>> = lookup({
  '/pods/binding': { POST: bind },
  '/pods/eviction': { POST: evict },
  '/pods/ephemeralcontainers': confinedTo(['spec']),
  '/pods/resize': confinedTo(['spec']),
  '/namespaces/finalize': { PUT: confinedTo(['spec'])['PUT'] ?? refuse },
  'certificates.k8s.io/certificatesigningrequests/approval': confinedTo(['status', 'metadata']),
});

function subresourceHandler(call: Call): Handler {
  const { kind, target, parts, request } = call;
  const path = `${kind.group}/${kind.plural}/${target.subresource}`;
  const given = parts.handlers.get(path);
  if (given) return given;
  const methods = methodsOf(call) ?? ofKinds[path];
  if (methods) return ownMember(methods, request.method) ?? refuse();
  if (!kind.subresources.includes(target.subresource)) throw unknownResource();
  get(call);
  const name = resourceText({ group: kind.group, plural: `${kind.plural}/${target.subresource}` });
  throw badRequest(`${name} is not served: this API server runs no containers`);
}

function methodsOf({ kind, target }: Call): Methods | undefined {
  if (target.subresource === 'status' && kind.status) return status;
  if (target.subresource === 'scale' && kind.scale) return scale;
  return undefined;
}

function refuse(): never {
  throw notAllowed();
}

/** A subresource that writes these parts of the object and nothing else. */
function confinedTo(parts: readonly string[]): Methods {
  const confine = (draft: Draft, old: KubeObject): void => {
    for (const part of new Set([...Object.keys(draft), ...Object.keys(old)])) {
      if (!parts.includes(part)) keep(draft, old, part);
    }
    // The old object is shared; the metadata of the draft still gets a new generation and managedFields.
    draft.metadata = clone(draft.metadata);
  };
  return {
    GET: get,
    PUT: (call) => {
      const draft = placed(call, draftOf(call));
      return changeObject(call, { make: () => draft, confine });
    },
    PATCH: (call) => {
      const type = patchTypeOf(call);
      if (type === 'apply') throw notAllowed();
      const change = patcherOf(call, type);
      const make = (old: KubeObject): Draft => shaped(call, clone({ ...change(old) }), []);
      return changeObject(call, { make, confine });
    },
  };
}
