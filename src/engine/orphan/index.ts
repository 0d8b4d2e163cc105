/** Objects that nobody needs and that were left behind: Works without a binding, bindings without a template. */
export { decideOrphan, gatherOrphan, orphanFactsOf } from './decide.ts';
export type { OrphanAction, OrphanFacts } from './decide.ts';
