/** What a workload pulls along (`propagateDeps`), and where to. Start with decide.ts. */
export { disagreementsOf } from './attach.ts';
export { decideDependencies } from './decide.ts';
export type { DependencyAction } from './decide.ts';
export { gatherDependencies } from './facts.ts';
export type { Dependency, DependencyFacts } from './facts.ts';
