/** Question 1: which policy manages this template, and what should its binding say? Start with decide.ts. */
export { bindingFor, ownerOf, referenceTo, sizeOf } from './binding.ts';
export { decideClaim } from './decide.ts';
export type { ClaimAction } from './decide.ts';
export {
  bindingOf,
  bindingRefIn,
  bindingRefOf,
  claimantOf,
  gatherClaim,
  isPropagated,
  isTemplateKind,
  isUnhandled,
  ownsBinding,
  priorityClassKind,
  templateOf,
  workNameOf,
} from './facts.ts';
export type { ClaimFacts } from './facts.ts';
export { decidePolicyRelease, gatherPolicyRelease } from './policy-release.ts';
export type { PolicyAction } from './policy-release.ts';
export { fingerprintOf, isFingerprintOf, reflectsContent } from './fingerprint.ts';
export { specVersionOf } from './creation-order.ts';
export {
  bearsClaimKeys,
  claimKeys,
  claimMetadata,
  claimOf,
  inEffectOf,
  isClaimOf,
  isLazy,
  policyIdOf,
  recordIn,
  withoutClaim,
} from './records.ts';
export type { Claim, InEffect } from './records.ts';
