import type { FaultChange, Faults } from './faults/faults.ts';
import type { HostFacts, HostOptions } from './host.ts';

/** What the thread of a member is started with. */
export interface WorkerData {
  readonly options: HostOptions;
  /** Where compiled modules are kept, if the program keeps any. */
  readonly compileCache: string | undefined;
}

/** What is asked of a member's thread; every question has a number, and one answer. */
export type Question =
  | { readonly id: number; readonly ask: 'faults' }
  | { readonly id: number; readonly ask: 'change'; readonly change: FaultChange }
  | { readonly id: number; readonly ask: 'reset' }
  | { readonly id: number; readonly ask: 'close' };

/** What a member's thread says. */
export type Message =
  | { readonly say: 'ready'; readonly facts: HostFacts }
  | { readonly say: 'failed'; readonly message: string }
  | { readonly say: 'trouble'; readonly message: string }
  | { readonly say: 'answer'; readonly id: number; readonly faults?: Faults; readonly failure?: string };
