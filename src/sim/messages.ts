import type { FaultChange, Faults } from './faults/faults.ts';
import type { HostFacts, HostOptions } from './host.ts';

/** The data with which the thread of a member starts. */
export interface WorkerData {
  readonly options: HostOptions;
  /** Where compiled modules are kept, if the program keeps any. */
  readonly compileCache: string | undefined;
}

/** A request to a member's thread; every request has a number, and one answer. */
export type ThreadQuestion =
  | { readonly id: number; readonly ask: 'faults' }
  | { readonly id: number; readonly ask: 'change'; readonly change: FaultChange }
  | { readonly id: number; readonly ask: 'reset' }
  | { readonly id: number; readonly ask: 'close' };

/** A message from a member's thread. */
export type Message =
  | { readonly say: 'ready'; readonly facts: HostFacts }
  | { readonly say: 'failed'; readonly message: string }
  | { readonly say: 'trouble'; readonly message: string }
  | { readonly say: 'answer'; readonly id: number; readonly faults?: Faults; readonly failure?: string };
