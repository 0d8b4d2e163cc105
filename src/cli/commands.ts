import type { Command } from 'commander';
import { upCommand } from './up.ts';
import { versionCommand } from './version.ts';

/** Makes a command; it tells its exit code when it is not 0. */
export type MakeCommand = (exit: (code: number) => void) => Command;

/** Every command there is, in the order in which help lists them. */
export const commands: readonly MakeCommand[] = [upCommand, versionCommand];
