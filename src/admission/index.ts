/**
 * Admission: what a write may leave out is filled in, what it must not say is refused, with every reason at once.
 * It decides nothing itself: the rules are the engine's; here they meet a request.
 * Start with admit.ts; webhook.ts answers the reviews of a hub that is elsewhere, server.ts serves them.
 */
export { admission } from './admit.ts';
export type { AdmissionWords, Review } from './admit.ts';
export { serveAdmission } from './server.ts';
export type { AdmissionServer, ServingPair } from './server.ts';
export { reviewed } from './webhook.ts';
export type { AskHub, Intent } from './webhook.ts';
