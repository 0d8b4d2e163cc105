import type { Hub } from '../apiserver/index.ts';
import { inProcess } from '../client/index.ts';
import type { Transport } from '../client/index.ts';

/** The user as whom the controllers work. */
export const controllerUser = { name: 'system:sluice', groups: ['system:masters', 'system:authenticated'] };

/** The controllers' way to the hub in the same process. */
export function ownTransport(hub: Pick<Hub, 'handle'>): Transport {
  return inProcess((request) => hub.handle(request), controllerUser, { untracked: isOurs });
}

/**
 * Bindings and events are made by the controllers alone: that needs no record of who owns which field, and the record is
 * half of what is written. Of Works it is told when they were last changed.
 */
function isOurs(path: string): boolean {
  return bindings.test(path) || events.test(path);
}

const bindings = /^\/apis\/work\.karmada\.io\/v1alpha2\//;
const events = /^\/api\/v1\/namespaces\/[^/]+\/events(\/|$)/;
