import { reconcileAnnotation, waitsAtAnnotation } from '../../api/index.ts';
import type { Binding, KubeObject, ObjectMeta, Policy } from '../../api/index.ts';
import type { ClaimAction } from './decide.ts';
import { claimMetadata, withoutClaim } from './records.ts';

/**
 * The template claimed by this policy; `waitsAt` is the content at which a lazy claim waits. A claim that waits drops
 * an older request, which was about something else.
 */
export function claimed(template: KubeObject, policy: Policy, waitsAt: string | undefined): ClaimAction {
  const claim = claimMetadata(policy);
  const labels = { ...withoutClaim(template.metadata.labels), ...claim.labels };
  const { [reconcileAnnotation]: request, ...others } = annotationsAt(template.metadata, waitsAt);
  const kept = waitsAt === undefined && request !== undefined ? { [reconcileAnnotation]: request } : {};
  const annotations = { ...others, ...kept, ...claim.annotations };
  return { do: 'claim', write: { verb: 'update', object: withMetadata(template, labels, annotations) } };
}

/** The template without a claim; `waitsAt` is the content that was seen before any successor. */
export function released(template: KubeObject, waitsAt: string | undefined): ClaimAction {
  const labels = withoutClaim(template.metadata.labels);
  const annotations = annotationsAt(template.metadata, waitsAt);
  return { do: 'release', write: { verb: 'update', object: withMetadata(template, labels, annotations) } };
}

/** The binding without a claim; the state that it reflects stays on record. */
export function releasedBinding(binding: Binding): ClaimAction {
  const { metadata } = binding;
  const object = withMetadata(binding, withoutClaim(metadata.labels), withoutClaim(metadata.annotations));
  return { do: 'release', write: { verb: 'update', object } };
}

/** The template without its note to wait: what it waited for has been taken up. */
export function taken(template: KubeObject): ClaimAction {
  const { [waitsAtAnnotation]: _, ...annotations } = template.metadata.annotations ?? {};
  const object = withMetadata(template, template.metadata.labels ?? {}, annotations);
  return { do: 'claim', write: { verb: 'update', object } };
}

function annotationsAt(metadata: ObjectMeta, waitsAt: string | undefined): Record<string, string> {
  const { [waitsAtAnnotation]: _, ...others } = withoutClaim(metadata.annotations);
  return waitsAt === undefined ? others : { ...others, [waitsAtAnnotation]: waitsAt };
}

type Map = Readonly<Record<string, string>>;

function withMetadata<T extends KubeObject>(object: T, labels: Map, annotations: Map): T {
  const { labels: _, annotations: __, ...metadata } = object.metadata;
  return {
    ...object,
    metadata: {
      ...metadata,
      ...(Object.keys(labels).length > 0 && { labels }),
      ...(Object.keys(annotations).length > 0 && { annotations }),
    },
  };
}
