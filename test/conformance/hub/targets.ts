import type { Target } from './driver.ts';
import { externalTargets } from './external.ts';
import { https } from './https.ts';
import { inProcess } from './inprocess.ts';

/** Every API server that the suite runs against. */
export const targets: readonly Target[] = [inProcess, https, ...externalTargets()];
