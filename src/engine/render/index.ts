/** Question 3: which Works, with which overrides? Start with decide.ts. */
export { assumedWorks } from './assumed.ts';
export { decideRender } from './decide.ts';
export type { RenderAction } from './decide.ts';
export { gatherRender, overridesOfBinding, worksOf } from './facts.ts';
export type { RenderFacts } from './facts.ts';
export { managedKeys, manifestFor, userKeys, workIdOf } from './manifest.ts';
export { overridesCondition } from './override-notes.ts';
export { existingClusters, targetsOf } from './targets.ts';
export { prune } from './prune.ts';
