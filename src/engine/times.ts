import { changedAtAnnotation } from '../api/index.ts';
import type { KubeObject } from '../api/index.ts';

/** When somebody last wrote what the object is to be, as far as it tells; its status is another matter. */
export function specTimeOf({ metadata }: KubeObject): string {
  const writes = (metadata.managedFields ?? []) as readonly { readonly time?: string; readonly subresource?: string }[];
  const times = writes.filter(({ subresource }) => !subresource).map(({ time = '' }) => time);
  const told = metadata.annotations?.[changedAtAnnotation] ?? '';
  return [metadata.creationTimestamp ?? '', told, ...times].sort().at(-1) ?? '';
}

const minute = 60_000;

/** When to look again at what changes without a sign. */
export function soonAfter(now: string): string {
  return new Date(Date.parse(now) + minute).toISOString().replace('.000Z', 'Z');
}
