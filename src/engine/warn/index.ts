/** What a person should know of an object or a change although nothing refuses it. Start with clusters.ts. */
export { unknownClusters } from './clusters.ts';
export { unsupported } from './support.ts';
export type { Warning } from './warning.ts';
