import {
  bindingFamilies,
  conflictResolutionAnnotation,
  managedAnnotationsAnnotation,
  managedLabel,
  managedLabelsAnnotation,
  templateGenerationAnnotation,
  templateUidAnnotation,
  workIdLabel,
  workNameAnnotation,
  workNamespaceAnnotation,
} from '../../api/index.ts';
import type { KubeObject } from '../../api/index.ts';
import { claimKeys } from '../claim/index.ts';
import { dispatchedAnnotation } from './merge.ts';
import { sharedFieldsAnnotation } from './others.ts';

const ours: ReadonlySet<string> = new Set([
  ...claimKeys,
  ...Object.values(bindingFamilies).flatMap((family) => [
    family.idLabel,
    family.nameAnnotation,
    family.namespaceAnnotation ?? family.nameAnnotation,
  ]),
  conflictResolutionAnnotation,
  dispatchedAnnotation,
  managedAnnotationsAnnotation,
  managedLabel,
  managedLabelsAnnotation,
  sharedFieldsAnnotation,
  templateGenerationAnnotation,
  templateUidAnnotation,
  workIdLabel,
  workNameAnnotation,
  workNamespaceAnnotation,
]);

/** The member's object without labels and annotations of Sluice: it stays, and belongs to the member again. */
export function unmanaged(present: KubeObject): KubeObject {
  const labels = stripped(present.metadata.labels);
  const annotations = stripped(present.metadata.annotations);
  const { labels: _, annotations: __, ...metadata } = present.metadata;
  return { ...present, metadata: { ...metadata, ...(labels && { labels }), ...(annotations && { annotations }) } };
}

function stripped(map: Readonly<Record<string, string>> | undefined): Record<string, string> | undefined {
  const left = Object.entries(map ?? {}).filter(([key]) => !ours.has(key));
  return left.length > 0 ? Object.fromEntries(left) : undefined;
}
