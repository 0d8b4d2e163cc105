/** Question 3: which Works, with which overrides? Start with decide.ts. */
export { assumedWorks } from './assumed.ts';
export { decideRender } from './decide.ts';
export type { RenderAction } from './decide.ts';
export { gatherRender, noOverride, worksOf } from './facts.ts';
export type { Overridden, Override, RenderFacts } from './facts.ts';
export { manifestFor, userKeys, workIdOf } from './manifest.ts';
export { existingClusters, targetsOf } from './targets.ts';
export { prune } from './prune.ts';
