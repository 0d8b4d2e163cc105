import type { Suspension } from '../../src/api/index.ts';
import { deployment } from './objects.ts';
import type { Cast } from './scenario.ts';

/** The cast of the stories about suspension: one Deployment in two versions, on three members. */
export const nginx = deployment('nginx');
export const newer = deployment('nginx', { image: 'nginx:1.26' });
export const old = 'nginx:1.25';
export const fresh = 'nginx:1.26';
export const three = ['member1', 'member2', 'member3'];

/** Stops sending to all members. */
export const all = { suspendDispatching: true };

/** Stops sending to some members. */
export const on = (...clusterNames: readonly string[]): Suspension => ({
  suspendDispatchingOnClusters: { clusterNames },
});

/** The outcome depends on the pauses between the changes. */
export const paused = { burst: false } as const;

/** nginx runs on three members. */
export async function running({ admin, user, policy }: Cast): Promise<void> {
  await admin.creates(policy('pp', { to: three }));
  await user.creates(nginx);
}
