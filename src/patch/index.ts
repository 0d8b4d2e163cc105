/**
 * Patches of objects: JSON patch, merge patch, strategic merge patch and server-side apply, as pure functions.
 * Nothing here writes to its input, reads a clock or knows of requests; a patch that does not fit is a PatchError.
 * Start with strategic-patch.ts for what kubectl sends, and with ownership/apply.ts for server-side apply.
 */
export { jsonPatch, parseOperations } from './json-patch.ts';
export { mergePatch } from './merge-patch.ts';
export { PatchError } from './patch-error.ts';
export type { SchemaScope } from './schema-walk.ts';
export { strategicMergePatch } from './strategic-patch.ts';
export { applyPatch, applySteps } from './ownership/apply.ts';
export type { ApplyRequest, ApplyResult } from './ownership/apply.ts';
export { conflictError } from './ownership/conflicts.ts';
export type { Conflict } from './ownership/conflicts.ts';
export { managedText, readManagedText } from './ownership/managed-text.ts';
export type { ManagedText } from './ownership/managed-text.ts';
export { managerNameOf } from './ownership/manager-name.ts';
export type { OwnedKind, OwnershipScope } from './ownership/tracked-type.ts';
export { trackUpdate } from './ownership/track-update.ts';
export type { UpdateRequest } from './ownership/track-update.ts';
