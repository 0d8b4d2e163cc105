/**
 * The commands, one file each.
 * A command reads its arguments, asks others to work, and prints; it decides nothing.
 * The dashboard uses what commands share: reading a hub, planning, activating, suspending.
 * Start with commands.ts; main.ts turns arguments into an exit code, connect.ts finds the hub.
 */
export { commandPages } from './help.ts';
export type { CommandPage } from './help.ts';
export type { Io } from './io.ts';
export { commandGroups } from './commands.ts';
export { packageVersion } from './commands/version.ts';
export type { CommandShape } from './shape.ts';
export { main } from './main.ts';
export { spellings } from './spellings.ts';
export { applyOne } from './commands/apply.ts';
export { activatable, pendingIn } from './commands/reconcile.ts';
export { resume } from './commands/resume.ts';
export { suspended } from './commands/suspend.ts';
export { batchesOf } from './batches.ts';
export { begunIn, concerning, refuseUnhealthy } from './begun.ts';
export { codeCacheFolder } from './code-cache.ts';
export { connectTo } from './connect.ts';
export type { Hub } from './connect.ts';
export { exitCodeOf, lineOf } from './failure.ts';
export { manifestsIn } from './files.ts';
export { groundOf, judgeLive, judgeOffline } from './judge.ts';
export type { Ground, JudgedChange, Outcome } from './judge.ts';
export { policyKinds } from './kinds.ts';
export { Members, whyUnreadable } from './members.ts';
export { placementText, selectorText } from './print/fields.ts';
export { fatesOf, groupsOf, totalsLine, whenText } from './print/groups.ts';
export type { Group } from './print/groups.ts';
export { markdownOf } from './print/markdown.ts';
export { byName } from './print/order.ts';
export { whyOfTemplate } from './print/status.ts';
export { Rollout } from './rollout.ts';
export type { BatchReport } from './rollout.ts';
export { withAssumedWorks } from './world/assumed.ts';
export { fetchHub } from './world/fetch.ts';
export { parseSnapshot } from './world/file.ts';
export { hiddenNotes } from './world/hidden.ts';
export { foundWorld, settle, snapshotBy } from './world/state.ts';
export type { Snapshot } from './world/state.ts';
