/**
 * Schemas: structural schemas of kinds, their defaults and CEL rules, CustomResourceDefinitions, OpenAPI documents.
 * Nothing here knows of requests or of storage; every function is pure.
 * Start with structural/kind-schema.ts, then crd/kinds.ts; openapi/ publishes both.
 */
export { authorizerOf, celValue, compileAdmission, evaluateAdmission } from './cel/index.ts';
export type { AdmissionContext, AdmissionExpression, AskRight } from './cel/index.ts';
export { catalogOfCrds } from './crd/catalog.ts';
export { defaultedCrd, validateCrd, validateCrdUpdate, withDeletionBegun, withStoredVersions } from './crd/index.ts';
export { cleanupFinalizer, withStatus } from './crd/status.ts';
export { goFieldOf } from './gofield.ts';
export type { GoField } from './gofield.ts';
export { encodeV2 } from './openapi/encode.ts';
export { documentV2 } from './openapi/v2.ts';
export { documentV3, hashOfKinds } from './openapi/v3.ts';
export { schemaOf, unknownFieldWords } from './structural/kind-schema.ts';
export type { KindSchema } from './structural/kind-schema.ts';
