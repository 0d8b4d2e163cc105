/**
 * The embedded hub: a Kubernetes API server as a function from request to response, and its TLS listener.
 * It knows nothing of policies, placement or members; whoever composes it adds those by admission plugins and kinds.
 * Start with http.ts for the shapes, then hub.ts.
 */
export { createHub } from './hub.ts';
export type { Hub, HubOptions } from './hub.ts';
export { listen } from './listener.ts';
export type { Target } from './target.ts';
export { openApiServer } from './server.ts';
export type { ApiServer, ApiServerOptions } from './server.ts';
export type { Listener, ListenerOptions } from './listener.ts';
export type { Admit, Admitted, AdmissionReview, Operation } from './admission.ts';
export type { HubEvent, HubRequest, HubResponse, HubStream, HubTunnel, Sink } from './http.ts';
export { namespacePrefix, objectKey, partsOfKey } from './keys.ts';
export type { Proxy, ProxyCall } from './proxied.ts';
export { followAll } from './lifecycle/follow.ts';
export { KeyQueue } from './lifecycle/queue.ts';
export { openAuditLog } from './auditlog.ts';
export type { AuditLog, AuditLogOptions } from './auditlog.ts';
