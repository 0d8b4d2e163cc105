/**
 * CustomResourceDefinitions: what one must look like, which kinds it brings, and its life from creation to cleanup.
 * Everything but controller.ts is pure; the objects themselves are not looked at here.
 * Start with kinds.ts, then validate.ts and controller.ts.
 */
export { CrdController } from './controller.ts';
export type { CrdOptions } from './controller.ts';
export { defaultedCrd, withStoredVersions } from './defaults.ts';
export { kindsOf } from './kinds.ts';
export { isEstablished, withDeletionBegun, withStatus } from './status.ts';
export { validateCrd, validateCrdUpdate } from './validate.ts';
