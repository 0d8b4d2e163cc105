/** What nobody needs any more and nobody has taken away: Works without a binding, bindings without a template. */
export { decideOrphan, gatherOrphan, orphanFactsOf } from './decide.ts';
export type { OrphanAction, OrphanFacts } from './decide.ts';
