import type { KindInfo, KubeObject } from '../api/index.ts';

/** Between a version that differs in more than its name and the one in which objects are stored. */
export interface Conversion {
  toStorage(object: KubeObject): KubeObject;
  fromStorage(object: KubeObject): KubeObject;
}

const conversions: Readonly<Record<string, Conversion>> = {};

/** The conversion of a kind whose stored form has other fields; undefined for all others, where only the version's name differs. */
export function conversionOf(kind: KindInfo): Conversion | undefined {
  if (kind.custom || (kind.version === kind.storageVersion && kind.storageGroup === undefined)) return undefined;
  return conversions[`${kind.group}/${kind.version}/${kind.plural}`];
}
