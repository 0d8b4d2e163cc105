/**
 * Finds which policies select a template, which templates a policy selects, in which order, and why a policy does not.
 */
export {
  eachNear,
  eachOverridden,
  eachPolicy,
  eachRolloutNear,
  eachTemplateOf,
  hasPickyNear,
  hasRolloutNear,
  isByNamespace,
  overridesNear,
  policiesNear,
} from './find.ts';
export { byKind, byLabels, byName, excludes, matchOverride, matchPolicy, matchSelectors, reaches } from './match.ts';
export type { Match, Precision } from './match.ts';
export { coversNamespace, namespacePattern, whyNotNamespaceItem } from './namespaces.ts';
export * from './index-keys.ts';
export { candidatesOf, compareCandidates, compareRank, priorityOf, whyLost } from './rank.ts';
export type { Candidate } from './rank.ts';
