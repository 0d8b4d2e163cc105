import { changedAtAnnotation } from '../api/index.ts';
import type { KubeObject, Work } from '../api/index.ts';

/** When somebody last wrote what the object is to be, as far as it tells; its status is another matter. */
export function specTimeOf({ metadata }: KubeObject): string {
  const writes = (metadata.managedFields ?? []) as readonly { readonly time?: string; readonly subresource?: string }[];
  const times = writes.filter(({ subresource }) => !subresource).map(({ time = '' }) => time);
  const told = metadata.annotations?.[changedAtAnnotation] ?? '';
  return [metadata.creationTimestamp ?? '', told, ...times].sort().at(-1) ?? '';
}

/** A Work that is changed says when: nobody records it, and whether it was sent before its member was lost depends on it. */
export function changedAt(now: string, work: Work): Work {
  const annotations = { ...work.metadata.annotations, [changedAtAnnotation]: now };
  return { ...work, metadata: { ...work.metadata, annotations } };
}

const minute = 60_000;

/** When to look again at what changes without a sign. */
export function soonAfter(now: string): string {
  return new Date(Date.parse(now) + minute).toISOString().replace('.000Z', 'Z');
}
