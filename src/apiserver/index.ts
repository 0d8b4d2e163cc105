/**
 * The embedded hub: a Kubernetes API server as a function from request to response, and its TLS listener.
 * It knows nothing of policies, placement or members; whoever composes it adds those by admission plugins and kinds.
 * Start with http.ts for the messages, then hub.ts.
 */
export { createHub } from './hub.ts';
export type { Around, Hub, HubOptions } from './hub.ts';
export { listen } from './server/listener.ts';
export type { Target } from './request/route.ts';
export { openApiServer } from './server/api-server.ts';
export type { ApiServer, ApiServerOptions } from './server/api-server.ts';
export type { Listener, ListenerOptions } from './server/listener.ts';
export type { Admit, Admitted, AdmissionReview, Operation } from './request/admission.ts';
export type { HubEvent, HubRequest, HubResponse, HubStream, HubTunnel, Sink } from './http.ts';
export { encryptionOf } from './storage/encryption.ts';
export { namespacePrefix, objectKey, partsOfKey } from './storage/object-keys.ts';
export type { Proxy, ProxyCall } from './subresource/proxy.ts';
export { followAll } from './upkeep/follow.ts';
export type { StoredChange } from './upkeep/follow.ts';
export { KeyWorkers } from './upkeep/key-workers.ts';
export { openAuditLog } from './audit/audit-log.ts';
export type { AuditLog, AuditLogOptions } from './audit/audit-log.ts';
