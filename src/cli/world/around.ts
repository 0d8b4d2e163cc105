import { clusterApi, executionNamespace, memberOfNamespace, workApi, workName } from '../../api/index.ts';
import type { Binding, Cluster, KubeObject, Ref, Work } from '../../api/index.ts';
import type { ApiClient } from '../../client/index.ts';
import { bindingRefOf, worldOf } from '../../engine/index.ts';
import type { World } from '../../engine/index.ts';
import type { Standing } from './standing.ts';

/**
 * The small world around one template: it, its binding, its Works, the members. What Works say stands in the members, as
 * they say it. Enough to report on it, not to decide about it.
 */
export async function worldAround(client: ApiClient, ref: Ref): Promise<World> {
  const now = new Date().toISOString();
  const template = await client.find(ref);
  const { items: clusters } = await client.listAll<Cluster>({ apiVersion: clusterApi, kind: 'Cluster' });
  if (!template) return worldOf({ objects: clusters, now });
  const binding = await client.find<Binding>(bindingRefOf(template));
  const asked = await Promise.all(clusters.map(({ metadata }) => workIn(client, template, metadata.name)));
  const works = asked.filter((work) => work !== undefined);
  const objects = [...clusters, template, ...(binding ? [binding] : []), ...works];
  return worldOf({ objects, members: works.flatMap(standingBy), now });
}

function workIn(client: ApiClient, template: KubeObject, member: string): Promise<Work | undefined> {
  const name = workName({ kind: template.kind, ...template.metadata });
  return client.find<Work>({ apiVersion: workApi, kind: 'Work', namespace: executionNamespace(member), name });
}

function standingBy({ metadata, spec }: Work): readonly Standing[] {
  const member = memberOfNamespace(metadata.namespace);
  const [object] = spec.workload.manifests;
  return member !== undefined && object ? [{ member, object }] : [];
}
