import type { Command } from 'commander';
import type { Io } from './io.ts';

/** What a command is made with: where it reads and writes, and how it tells an exit code that is not 0. */
export interface Run {
  readonly io: Io;
  readonly exit: (code: number) => void;
}

/** Makes a command. */
export type MakeCommand = (run: Run) => Command;

/** A command as the list of commands knows it; its code is read only when it is called. */
export interface CommandEntry {
  readonly name: string;
  readonly group: CommandGroup;
  readonly summary: string;
  readonly load: () => Promise<MakeCommand>;
}

/** The headings of help, in their order. */
export const commandGroups = ['Run', 'See', 'Plan and roll out', 'Members', 'Others'] as const;
export type CommandGroup = (typeof commandGroups)[number];

/** Every command there is, in the order in which help lists them. */
export const commands: readonly CommandEntry[] = [
  {
    name: 'up',
    group: 'Run',
    summary: 'start the whole system: hub, controllers and simulated members',
    load: async () => (await import('./up.ts')).upCommand,
  },
  {
    name: 'status',
    group: 'See',
    summary: 'say what is in effect, pending, held or failing, and why',
    load: async () => (await import('./status.ts')).statusCommand,
  },
  {
    name: 'explain',
    group: 'See',
    summary: 'say which policy holds an object, and why these clusters',
    load: async () => (await import('./explain.ts')).explainCommand,
  },
  {
    name: 'plan',
    group: 'Plan and roll out',
    summary: 'show what a change would do to running workloads; writes nothing',
    load: async () => (await import('./plan.ts')).planCommand,
  },
  {
    name: 'snapshot',
    group: 'Plan and roll out',
    summary: 'print the state of the hub, for plan --snapshot',
    load: async () => (await import('./snapshot.ts')).snapshotCommand,
  },
  {
    name: 'suspend',
    group: 'Plan and roll out',
    summary: 'stop sending to members what a policy holds, or a single object',
    load: async () => (await import('./suspend.ts')).suspendCommand,
  },
  {
    name: 'resume',
    group: 'Plan and roll out',
    summary: 'send to members again',
    load: async () => (await import('./resume.ts')).resumeCommand,
  },
  {
    name: 'reconcile',
    group: 'Plan and roll out',
    summary: 'take up what is pending, batch after batch',
    load: async () => (await import('./reconcile.ts')).reconcileCommand,
  },
  {
    name: 'version',
    group: 'Others',
    summary: 'print the version of sluice and of the Node.js that runs it',
    load: async () => (await import('./version.ts')).versionCommand,
  },
];
