/**
 * The parts of objects that have a URL of their own: status, scale and what single kinds add.
 * What runs containers (log, exec, attach, port-forward) is not here: a hub has none.
 * Start with `subresourceHandler`, which finds who answers.
 */
import { badRequest, resourceText, unknownResource } from '../../api/index.ts';
import type { Call, Handler } from '../call.ts';
import { notAllowed } from '../route.ts';
import { patch } from '../verbs/patch.ts';
import { get } from '../verbs/read.ts';
import { update } from '../verbs/update.ts';

type Methods = Readonly<Record<string, Handler>>;

const status: Methods = { GET: get, PUT: update, PATCH: patch };

/** Subresources of single kinds, by `group/plural/name`. */
const own: Readonly<Record<string, Methods>> = {};

/** Who answers a call on a subresource. */
export function subresourceHandler(call: Call): Handler {
  const { kind, target, parts, request } = call;
  const path = `${kind.group}/${kind.plural}/${target.subresource}`;
  const given = parts.handlers.get(path);
  if (given) return given;
  const methods = methodsOf(call) ?? own[path];
  if (methods) return methods[request.method] ?? refuse();
  if (!kind.subresources.includes(target.subresource)) throw unknownResource();
  const name = resourceText({ group: kind.group, plural: `${kind.plural}/${target.subresource}` });
  throw badRequest(`${name} is not on this hub: it runs no containers and forwards nothing`);
}

function refuse(): never {
  throw notAllowed();
}

function methodsOf({ kind, target }: Call): Methods | undefined {
  if (target.subresource === 'status' && kind.status) return status;
  return undefined;
}
