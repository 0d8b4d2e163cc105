import type { HubRequest, HubResponse, User } from '../http.ts';

/** The hub as its own client. */
export interface OwnClient {
  handle(request: HubRequest): Promise<HubResponse>;
}

/** Who the hub is when it writes on its own behalf. */
export const ownUser: User = { name: 'system:apiserver', groups: ['system:masters', 'system:authenticated'] };

const namespaces = ['default', 'kube-system', 'kube-public', 'kube-node-lease'];

/** Makes sure of the namespaces that every cluster has. */
export async function establish(hub: OwnClient): Promise<void> {
  for (const name of namespaces) {
    const object = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
    const { status } = await hub.handle(own('POST', '/api/v1/namespaces', object));
    if (status !== 201 && status !== 409) throw new Error(`cannot create the namespace ${name}: status ${status}`);
  }
}

/** A request of the hub to itself. */
export function own(method: string, path: string, object?: unknown): HubRequest {
  return {
    method,
    path,
    query: '',
    headers: {},
    user: ownUser,
    wantsObjects: true,
    ...(object !== undefined && { object }),
  };
}
