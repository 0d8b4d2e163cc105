/** Override policies: which are in effect for a template, and what they make of its manifests. Start with in-effect.ts. */
export { isForCluster, overridden, rulesFor } from './apply.ts';
export { overridesInEffect } from './in-effect.ts';
export type { OverridesInEffect } from './in-effect.ts';
export { isSamePolicy, overrideRecordOf, overridesOf, policyNameOf, withoutNotes, withRecord } from './record.ts';
export type { ActiveOverride } from './record.ts';
