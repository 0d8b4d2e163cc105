import { waitsAtAnnotation } from '../api/index.ts';
import type { KubeObject } from '../api/index.ts';
import { claimKeys } from '../engine/index.ts';

type Map = Readonly<Record<string, string>>;

const isOurs = (key: string): boolean => claimKeys.has(key) || key === waitsAtAnnotation;

/**
 * The object with the marks of its claim as they are stored: policies decide who manages a template, not the authors of
 * the template. A `kubectl replace` that drops the marks loses nothing, and nobody can forge them.
 */
export function withClaimKept(object: KubeObject, old: KubeObject | undefined): KubeObject {
  const labels = kept(object.metadata.labels, old?.metadata.labels);
  const annotations = kept(object.metadata.annotations, old?.metadata.annotations);
  if (labels === object.metadata.labels && annotations === object.metadata.annotations) return object;
  const { labels: _, annotations: __, ...metadata } = object.metadata;
  return { ...object, metadata: { ...metadata, ...(labels && { labels }), ...(annotations && { annotations }) } };
}

/** The same map when it says of our keys what the stored one says. */
function kept(wanted: Map | undefined, stored: Map | undefined): Map | undefined {
  if (!differs(wanted, stored)) return wanted;
  const map: Record<string, string> = {};
  for (const key in wanted) if (!isOurs(key)) map[key] = wanted[key] ?? '';
  for (const key in stored) if (isOurs(key)) map[key] = stored[key] ?? '';
  return Object.keys(map).length > 0 ? map : undefined;
}

function differs(a: Map | undefined, b: Map | undefined): boolean {
  for (const key in a) if (isOurs(key) && a[key] !== b?.[key]) return true;
  for (const key in b) if (isOurs(key) && a?.[key] !== b[key]) return true;
  return false;
}
