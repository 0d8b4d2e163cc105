/**
 * The parts of objects that have a URL of their own: status, scale and what single kinds add.
 * What runs containers (log, exec, attach, port-forward) is not here: a hub has none.
 * Start with `subresourceHandler`, which finds who answers.
 */
import { badRequest, resourceText, unknownResource } from '../../api/index.ts';
import type { KubeObject } from '../../api/index.ts';
import { clone, lookup, ownMember } from '../../base/index.ts';
import type { Draft } from '../../kinds/index.ts';
import type { Call, Handler } from '../call.ts';
import { draftOf, named, placed, settled } from '../request/draft.ts';
import { notAllowed } from '../request/route.ts';
import { patch, patchTypeOf, patcherOf } from '../verbs/patch.ts';
import { get } from '../verbs/get.ts';
import { keep, replace } from '../verbs/replace.ts';
import { update } from '../verbs/update.ts';
import { bind, evict } from './pods.ts';
import { getScale, patchScale, putScale } from './scale.ts';

type Methods = Readonly<Record<string, Handler>>;

const status: Methods = { GET: get, PUT: update, PATCH: patch };
const scale: Methods = { GET: getScale, PUT: putScale, PATCH: patchScale };

/** A subresource that writes these parts of the object and nothing else. */
function confinedTo(parts: readonly string[]): Methods {
  const confine = (draft: Draft, old: KubeObject): void => {
    for (const part of new Set([...Object.keys(draft), ...Object.keys(old)])) {
      if (!parts.includes(part)) keep(draft, old, part);
    }
    // The old object is everybody's; its metadata still gets a new generation and a record of owners.
    draft.metadata = clone(draft.metadata);
  };
  return {
    GET: get,
    PUT: (call) => {
      const draft = named(call, placed(call, draftOf(call)));
      return replace(call, { make: () => draft, confine });
    },
    PATCH: (call) => {
      const type = patchTypeOf(call);
      if (type === 'apply') throw notAllowed();
      const change = patcherOf(call, type);
      const make = (old: KubeObject): Draft => settled(call, clone({ ...change(old) }), []);
      return replace(call, { make, confine });
    },
  };
}

/** Subresources of single kinds, by `group/plural/name`. */
const own: Readonly<Record<string, Methods>> = lookup({
  '/pods/binding': { POST: bind },
  '/pods/eviction': { POST: evict },
  '/pods/ephemeralcontainers': confinedTo(['spec']),
  '/pods/resize': confinedTo(['spec']),
  '/namespaces/finalize': { PUT: confinedTo(['spec'])['PUT'] ?? refuse },
  'certificates.k8s.io/certificatesigningrequests/approval': confinedTo(['status']),
});

/** Who answers a call on a subresource. */
export function subresourceHandler(call: Call): Handler {
  const { kind, target, parts, request } = call;
  const path = `${kind.group}/${kind.plural}/${target.subresource}`;
  const given = parts.handlers.get(path);
  if (given) return given;
  const methods = methodsOf(call) ?? own[path];
  if (methods) return ownMember(methods, request.method) ?? refuse();
  if (!kind.subresources.includes(target.subresource)) throw unknownResource();
  get(call);
  const name = resourceText({ group: kind.group, plural: `${kind.plural}/${target.subresource}` });
  throw badRequest(`${name} is not served: this API server runs no containers`);
}

function refuse(): never {
  throw notAllowed();
}

function methodsOf({ kind, target }: Call): Methods | undefined {
  if (target.subresource === 'status' && kind.status) return status;
  if (target.subresource === 'scale' && kind.scale) return scale;
  return undefined;
}
