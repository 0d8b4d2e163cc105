import { ApiError } from '../../api/index.ts';
import type { KubeObject, ResourceName, Status, User } from '../../api/index.ts';
import { authenticatedGroup, mastersGroup } from '../../auth/index.ts';
import type { Writer } from '../../auth/index.ts';
import type { HubRequest, HubResponse } from '../http.ts';

/** Anything that answers as a hub does. */
export interface HubLike {
  handle(request: HubRequest): Promise<HubResponse>;
}

/** The hub itself, as those who read the audit log see it. */
const self: User = { name: 'system:apiserver', groups: [mastersGroup, authenticatedGroup] };

/** Writes through the hub's own front door, so that nothing gets in that it would refuse to others. */
export function hubWriter(hub: HubLike): Writer {
  const send = async (method: string, path: string, object: object): Promise<void> => {
    const headers = { 'content-type': 'application/json', accept: 'application/json', 'user-agent': 'sluice-security' };
    const response = await hub.handle({ method, path, query: '', headers, object, wantsObjects: true, user: self });
    if (response.status >= 400) throw new ApiError(statusOf(response));
  };
  return {
    create: (resource, object) =>
      send('POST', collectionPath(resource, (object as KubeObject).metadata.namespace), object),
    replace: (resource, object) => send('PUT', objectPath(resource, object), object),
    replaceStatus: (resource, object) => send('PUT', `${objectPath(resource, object)}/status`, object),
    remove: (resource, object) =>
      send('DELETE', objectPath(resource, object), {
        apiVersion: 'v1',
        kind: 'DeleteOptions',
        preconditions: { uid: object.metadata.uid },
      }),
  };
}

const statusOf = (response: HubResponse): Status =>
  (response.object ?? JSON.parse(response.body?.toString() ?? '{}')) as Status;

function collectionPath({ group, plural }: ResourceName, namespace: string | undefined): string {
  const root = group ? `/apis/${group}/v1` : '/api/v1';
  return namespace ? `${root}/namespaces/${encodeURIComponent(namespace)}/${plural}` : `${root}/${plural}`;
}

const objectPath = (resource: ResourceName, { metadata }: KubeObject): string =>
  `${collectionPath(resource, metadata.namespace)}/${encodeURIComponent(metadata.name)}`;
