/**
 * Admission: what a write may leave out is filled in, what it must not say is refused, with every reason at once.
 * It decides nothing itself: the rules are the engine's; here they meet a request.
 * Start with admit.ts.
 */
export { admission } from './admit.ts';
export type { AdmissionWords, Review } from './admit.ts';
