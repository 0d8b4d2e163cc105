/**
 * Authentication and authorization: certificates and keys, tokens, impersonation, RBAC and access reviews.
 * It reads service accounts, Secrets and RBAC objects and nothing else, and knows no verbs of the API server.
 * Start with authority.ts for the keys, authenticate.ts for who asks, rbac.ts for what they may do.
 */
export { attributesOf } from './attributes.ts';
export type { RequestParts, RequestTarget, ResourceAttributes } from './attributes.ts';
export { administrator, isHostName, openAuthority } from './authority.ts';
export type { Authority, AuthorityOptions, KeyPair } from './authority.ts';
export { certificateRequest, generateKey } from './certificate.ts';
export type { Subject } from './certificate.ts';
export { impersonatorOf, repeatedHeaders } from './impersonate.ts';
export { isPair, KeyFileError, keyText } from './keyfile.ts';
export { kubeconfigOf, writeKubeconfig } from './kubeconfig.ts';
export type { KubeconfigContext, KubeconfigUser } from './kubeconfig.ts';
export { peerOf } from './peer.ts';
export { startAggregation } from './aggregate.ts';
export { authenticated } from './authenticate.ts';
export { authorize, authorizeRequest } from './authorize.ts';
export { ensureDefaults } from './bootstrap.ts';
export { peopleRoles } from './defaults.ts';
export { header } from './credentials.ts';
export type { Credentials } from './credentials.ts';
export { refuseEscalation } from './escalation.ts';
export { impersonated } from './impersonate.ts';
export { openRbac } from './rbac.ts';
export type { Rbac } from './rbac.ts';
export { reviewsOf } from './reviews.ts';
export { authenticatedGroup, mastersGroup } from './serviceaccount.ts';
export { issueToken } from './tokenrequest.ts';
export { openTokens } from './tokens.ts';
export type { Tokens } from './tokens.ts';
export { refuseSigning, startSigning } from './signing.ts';
export { startTokenSecrets } from './tokensecrets.ts';
export type { Writer } from './writer.ts';
