/**
 * The words of the product: objects, their keys and names, families, kinds and their schemas, errors.
 * Nothing here decides anything or does I/O.
 * Start with meta.ts, then policy.ts, work.ts and families.ts; kinds.ts says what a kind is.
 */
export * from './annotations.ts';
export {
  agentGroup,
  agentUserOf,
  bootstrapSecretName,
  bootstrapTokenType,
  bootstrapUserPrefix,
  clientSigner,
  memberOfAgent,
  memberSecretNamespace,
  registrationGroup,
  strictAccess,
  tokenClusterAnnotation,
  whyForeignSecret,
  whyInsecure,
} from './access.ts';
export type { MemberAccess } from './access.ts';
export * from './catalog.ts';
export * from './cluster.ts';
export * from './convert.ts';
export * from './cron.ts';
export * from './crd.ts';
export { crdOf, crdSchemaOf, crds, decidingGroups, isOwnApi, isOwnGroup } from './crds/all.ts';
export { applyDefaults } from './defaults.ts';
export * from './errors.ts';
export * from './families.ts';
export * from './federatedhpa.ts';
export * from './field.ts';
export { impersonator, impersonatorRole, impersonatorSecretRef } from './impersonator.ts';
export * from './interpreter.ts';
export * from './keys.ts';
export * from './kinds.ts';
export * from './meta.ts';
export * from './multicluster.ts';
export { parseLabelSelector } from './label-selector.ts';
export type { LabelMatch } from './label-selector.ts';
export * from './names.ts';
export { ObjectIndex } from './object-index.ts';
export type { IndexKeysOf } from './object-index.ts';
export * from './object-names.ts';
export * from './objects.ts';
export * from './override.ts';
export * from './policy.ts';
export * from './quota.ts';
export * from './rebalancer.ts';
export * from './remedy.ts';
export * from './quantity.ts';
export * from './schema.ts';
export * from './subresources.ts';
export * from './selector.ts';
export * from './settings.ts';
export { memberPath, shapeErrors } from './shape.ts';
export * from './taint.ts';
export * from './user.ts';
export * from './versions.ts';
export * from './decision.ts';
export * from './probe.ts';
export * from './view.ts';
export * from './work.ts';
export * from './support/index.ts';
