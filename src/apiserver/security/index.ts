/**
 * Who may do what on the hub: its certificates and keys, who a caller is, what RBAC lets them do, and the reviews that tell.
 * It never looks at what an object is for; it reads service accounts, secrets and RBAC objects and nothing else.
 * Start with authority.ts for the keys, authenticate.ts for who asks, rbac.ts for whether they may.
 */
export { administrator, openAuthority } from './authority.ts';
export type { Authority, AuthorityOptions, KeyPair } from './authority.ts';
export type { Subject } from './certificate.ts';
export { KeyFileError } from './keyfile.ts';
export { kubeconfigOf, writeKubeconfig } from './kubeconfig.ts';
export type { KubeconfigContext, KubeconfigUser } from './kubeconfig.ts';
export { peerOf } from './peer.ts';
export type { PeerSocket } from './peer.ts';
export { attributesOf, isResourceRequest, refusalOf } from './attributes.ts';
export type { Attributes, PathAttributes, RequestParts, RequestTarget, ResourceAttributes } from './attributes.ts';
export { authenticated } from './authenticate.ts';
export { impersonated, impersonatorOf, repeatedHeaders } from './impersonate.ts';
export { storeObjects } from './objects.ts';
export type { Change, KeyLayout, Objects } from './objects.ts';
export { openRbac } from './rbac.ts';
export type { Decision, Rbac, RulesAnswer } from './rbac.ts';
export type { TokenAnswer } from './tokencheck.ts';
export type { BoundKind, TokenGrant, TokenReference } from './tokenclaims.ts';
export { defaultIssuer, openTokens } from './tokens.ts';
export type { Tokens, TokensOptions } from './tokens.ts';
export { startAggregation } from './aggregate.ts';
export { ensureDefaults } from './bootstrap.ts';
export { refuseEscalation } from './escalation.ts';
export type { GuardedWrite } from './escalation.ts';
export { Waking } from './waking.ts';
export { hubWriter } from './writer.ts';
export type { HubLike, Writer } from './writer.ts';
export { authorize, rbacAdmission } from './authorize.ts';
export { reviewsOf } from './reviews.ts';
export type { Review, ReviewRequest } from './reviews.ts';
export { openDoor, openSecurity } from './security.ts';
export type { Guard, Security, SecurityOptions } from './security.ts';
export { issueToken } from './tokenrequest.ts';
export type { TokenRequest } from './tokenrequest.ts';
export { startTokenSecrets } from './tokensecrets.ts';
export type { TokenSecretsOptions } from './tokensecrets.ts';
