import type { Members } from '../base/index.ts';
import type { KubeObject } from '../api/index.ts';
import { isObject, sortedGoJson } from '../base/index.ts';

const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

/**
 * The object after `kubectl apply`: the fields of the manifest, without fields that only the previous manifest had;
 * everything else stays, whether a default or a field of another owner.
 */
export function appliedTo(live: KubeObject, manifest: KubeObject): KubeObject {
  const { status: _, ...wanted } = manifest as KubeObject & { readonly status?: unknown };
  return merged({ live, wanted, last: lastAppliedOf(live) }) as KubeObject;
}

/**
 * The manifest with its own record, so that the next apply sees removed fields. The annotation is exactly kubectl's:
 * applying the same manifest with the other tool changes nothing.
 */
export function remembering(manifest: KubeObject): KubeObject {
  const { [lastApplied]: _, ...annotations } = manifest.metadata.annotations ?? {};
  const bare = { ...manifest, metadata: { ...manifest.metadata, annotations } };
  const text = `${sortedGoJson(bare)}\n`;
  return { ...bare, metadata: { ...bare.metadata, annotations: { ...annotations, [lastApplied]: text } } };
}

/**
 * The field manager that applies the object on the server's side, where kubectl leaves no annotation; undefined: none
 * does.
 */
export function serverApplierOf({ metadata }: KubeObject): string | undefined {
  if (metadata.annotations?.[lastApplied] !== undefined) return undefined;
  const entries = (metadata.managedFields ?? []) as readonly {
    readonly manager?: string;
    readonly operation?: string;
  }[];
  return entries.find(({ operation }) => operation === 'Apply')?.manager;
}

function lastAppliedOf({ metadata }: KubeObject): unknown {
  return parsed(metadata.annotations?.[lastApplied]);
}

function parsed(text = '{}'): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return {};
  }
}

interface Three {
  readonly live: unknown;
  readonly wanted: unknown;
  readonly last: unknown;
}

function merged({ live, wanted, last }: Three): unknown {
  if (isObject(wanted) && isObject(live)) return mergedObject(live, wanted, isObject(last) ? last : {});
  if (Array.isArray(wanted) && Array.isArray(live)) return mergedList(live, wanted, Array.isArray(last) ? last : []);
  return wanted;
}

function mergedObject(live: Readonly<Members>, wanted: Readonly<Members>, last: Readonly<Members>): Readonly<Members> {
  const result: Record<string, unknown> = {};
  for (const key in live) if (key in wanted || !(key in last)) result[key] = live[key];
  for (const key in wanted) {
    const value = wanted[key];
    if (value === null || value === undefined) delete result[key];
    else result[key] = merged({ live: live[key], wanted: value, last: last[key] });
  }
  return result;
}

type Items = readonly unknown[];

/** Lists of named things are merged by name, as the lists of Kubernetes that are merged at all; others are replaced. */
function mergedList(live: Items, wanted: Items, last: Items): Items {
  const key = keyOfList([...wanted, ...live]);
  if (key === undefined) return wanted;
  const find = (items: Items, name: unknown): unknown => items.find((item) => isObject(item) && item[key] === name);
  const named = wanted.map((item) => {
    const name = (item as Readonly<Members>)[key];
    return merged({ live: find(live, name), wanted: item, last: find(last, name) });
  });
  const others = live.filter((item) => {
    const name = (item as Readonly<Members>)[key];
    return !find(wanted, name) && !find(last, name);
  });
  return [...named, ...others];
}

const listKeys = ['name', 'mountPath', 'containerPort', 'port', 'ip'];

function keyOfList(items: Items): string | undefined {
  return listKeys.find((key) => items.every((item) => isObject(item) && item[key] !== undefined));
}
