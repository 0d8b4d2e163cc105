import type { KindInfo, User } from '../../api/index.ts';
import type { Call, HubParts } from '../call.ts';
import { acceptOf, optionsOf } from '../request/options.ts';
import type { KeyParts } from '../storage/object-keys.ts';

/** The user of the hub's own writes. */
export const ownUser: User = { name: 'system:apiserver', groups: ['system:masters', 'system:authenticated'] };

/** A call of the hub to itself on one object: the same verbs, without a request around them. */
export function internalCall(
  parts: HubParts,
  kind: KindInfo,
  { namespace, name }: Pick<KeyParts, 'namespace' | 'name'>,
): Call {
  const { group, version, plural } = kind;
  return {
    parts,
    request: { method: 'GET', path: '', query: '', headers: { 'user-agent': 'sluice-hub' }, wantsObjects: true },
    target: { group, version, plural, namespace, name, subresource: '', rest: '', watch: false },
    kind,
    options: optionsOf(''),
    accept: acceptOf(''),
    user: ownUser,
    warnings: [],
  };
}
