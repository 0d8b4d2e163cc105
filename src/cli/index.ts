/**
 * The commands, one file each.
 * A command reads its arguments, asks others to work, and prints; it decides nothing.
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
