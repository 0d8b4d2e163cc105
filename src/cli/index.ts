/**
 * The commands, one file each.
 * A command reads its arguments, asks others to work, and prints; it decides nothing.
 * Start with commands.ts; main.ts turns arguments into an exit code.
 */
export { main } from './main.ts';
