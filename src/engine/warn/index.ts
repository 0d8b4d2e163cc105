/** Warnings about an object or a change that nothing refuses. Start with clusters.ts. */
export { unknownClusters } from './clusters.ts';
export { unsupported } from './support.ts';
export type { Warning } from './warning.ts';
