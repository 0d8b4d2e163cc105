/** What a person should know of an object or a change although nothing refuses it. Start with clusters.ts. */
export { unknownClusters } from './clusters.ts';
export type { Warning } from './warning.ts';
