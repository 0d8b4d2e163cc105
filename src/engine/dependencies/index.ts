/** The dependencies of a workload (`propagateDeps`), and where they are placed. Start with decide.ts. */
export { disagreementsOf } from './attach.ts';
export { decideDependencies } from './decide.ts';
export type { DependencyAction } from './decide.ts';
export { gatherDependencies } from './facts.ts';
export type { Dependency, DependencyFacts } from './facts.ts';
