import type { KindSupport } from './row.ts';
import { kindSupport } from './kinds.ts';

export { kindSupport } from './kinds.ts';
export { settingSupport } from './settings.ts';
export type { KindSupport, SettingSupport, Support, SupportRow } from './row.ts';

const byKind: ReadonlyMap<string, KindSupport> = new Map(
  kindSupport.flatMap((one) => one.kinds.map((kind) => [`${one.group.split('/')[0]}|${kind}`, one] as const)),
);

/** The row of a kind of Karmada, in any of its versions; undefined for other kinds. */
export function supportFor({
  apiVersion,
  kind,
}: {
  readonly apiVersion: string;
  readonly kind: string;
}): KindSupport | undefined {
  return byKind.get(`${apiVersion.split('/')[0]}|${kind}`);
}
