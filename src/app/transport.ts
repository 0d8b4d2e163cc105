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
 * Bindings, Works and events are made by the controllers alone: that needs no record of who owns which field, and the
 * record is half of what is written.
 */
function isOurs(path: string): boolean {
  return path.startsWith(works) || events.test(path);
}

const works = '/apis/work.karmada.io/';
const events = /^\/api\/v1\/namespaces\/[^/]+\/events(\/|$)/;
