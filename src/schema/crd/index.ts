/**
 * CustomResourceDefinitions: validation, defaults, status, and the kinds that each one brings.
 * Objects of these kinds are not looked at here; the API server's definitions/controller.ts removes them.
 * Start with kinds.ts, then validate.ts.
 */
export { defaultedCrd, withStoredVersions } from './defaults.ts';
export { kindsOf } from './kinds.ts';
export { isEstablished, withDeletionBegun, withStatus } from './status.ts';
export { validateCrd, validateCrdUpdate } from './validate.ts';
