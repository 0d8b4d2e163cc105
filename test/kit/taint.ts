import type { KubeObject } from '../../src/api/index.ts';
import type { Cast } from './scenario.ts';

/** Gives a member these taints and no others. */
export async function taint({ admin, stage }: Cast, member: string, taints: readonly object[]): Promise<void> {
  const cluster = await stage.get({ apiVersion: 'cluster.karmada.io/v1alpha1', kind: 'Cluster', name: member });
  if (!cluster) throw new Error(`there is no ${member}`);
  await admin.edits(
    cluster,
    (live) => ({ ...live, spec: { ...(live as { spec?: object }).spec, taints } }) as KubeObject,
  );
}
