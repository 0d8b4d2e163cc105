import { distinctBindingName, executionNamespace, memberOfNamespace, workApi } from '../../api/index.ts';
import type { Binding, Cluster, KubeObject, Ref, Work } from '../../api/index.ts';
import type { ApiClient } from '../../client/index.ts';
import { bindingRefOf, ownsBinding, workNameOf, worldOf } from '../../engine/index.ts';
import type { World } from '../../engine/index.ts';
import type { MemberObject } from './placed-objects.ts';

/**
 * The small world around one template: it, its binding, its Works in these members and wherever the binding names. What
 * Works say stands in the members, as they say it. Enough to report on it, not to decide about it.
 */
export async function worldAround(client: ApiClient, ref: Ref, around: Surroundings): Promise<World> {
  const now = new Date().toISOString();
  const template = await client.find(ref);
  if (!template) return worldOf({ objects: around.clusters, now });
  const binding = await bindingOn(client, template);
  const targets = [
    ...(binding?.spec.clusters ?? []),
    ...(binding?.spec.requiredBy ?? []).flatMap(({ clusters }) => clusters ?? []),
  ];
  const members = new Set([...around.members, ...targets.map(({ name }) => name)]);
  const asked = await Promise.all([...members].map((member) => workIn(client, workNameOf(template, binding), member)));
  const works = asked.filter((work) => work !== undefined);
  const objects = [...around.clusters, template, ...(binding ? [binding] : []), ...works];
  return worldOf({ objects, members: works.flatMap(placedBy), now });
}

/** The binding of a template: under its plain name, or under its own when another object has that. */
async function bindingOn(client: ApiClient, template: KubeObject): Promise<Binding | undefined> {
  const plain = bindingRefOf(template);
  const { apiVersion, kind, metadata } = template;
  const distinct = { ...plain, name: distinctBindingName({ apiVersion, kind, name: metadata.name }) };
  for (const ref of [plain, distinct]) {
    const binding = await client.find<Binding>(ref);
    if (binding && ownsBinding(template, binding)) return binding;
  }
  return undefined;
}

/** The facts that are known before a template is looked at. */
export interface Surroundings {
  readonly clusters: readonly Cluster[];
  /** Members in which the template stood, and may still stand. */
  readonly members: readonly string[];
}

function workIn(client: ApiClient, name: string, member: string): Promise<Work | undefined> {
  return client.find<Work>({ apiVersion: workApi, kind: 'Work', namespace: executionNamespace(member), name });
}

function placedBy({ metadata, spec }: Work): readonly MemberObject[] {
  const member = memberOfNamespace(metadata.namespace);
  const [object] = spec.workload.manifests;
  return member !== undefined && object ? [{ member, object }] : [];
}
