/**
 * Who may do what on the hub: its certificates and keys, who a caller is, what RBAC lets them do, and the reviews that tell.
 * It never looks at what an object is for; it reads service accounts, secrets and RBAC objects and nothing else.
 * Start with security.ts, which puts it together; then authority.ts for the keys, authenticate.ts for who asks, rbac.ts for whether they may.
 */
export { attributesOf } from './attributes.ts';
export type { RequestParts, RequestTarget } from './attributes.ts';
export { administrator, openAuthority } from './authority.ts';
export type { Authority, AuthorityOptions, KeyPair } from './authority.ts';
export type { Subject } from './certificate.ts';
export { impersonatorOf, repeatedHeaders } from './impersonate.ts';
export { KeyFileError } from './keyfile.ts';
export { kubeconfigOf, writeKubeconfig } from './kubeconfig.ts';
export type { KubeconfigContext, KubeconfigUser } from './kubeconfig.ts';
export { peerOf } from './peer.ts';
export { openDoor, openSecurity } from './security.ts';
export type { Guard, Security, SecurityOptions } from './security.ts';
