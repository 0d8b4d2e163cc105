import type { KubeObject } from '../api/index.ts';

/** When somebody last wrote what the object is to be, as far as it tells; its status is another matter. */
export function specTimeOf({ metadata }: KubeObject): string {
  const writes = (metadata.managedFields ?? []) as readonly { readonly time?: string; readonly subresource?: string }[];
  const times = writes.filter(({ subresource }) => !subresource).map(({ time = '' }) => time);
  return [metadata.creationTimestamp ?? '', ...times].sort().at(-1) ?? '';
}
