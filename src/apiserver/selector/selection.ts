import { parseLabelSelector } from '../../api/index.ts';
import type { KubeObject } from '../../api/index.ts';
import type { Entry } from '../../store/index.ts';
import type { Call } from '../call.ts';
import { namespacePrefix, objectKey } from '../storage/object-keys.ts';
import { parseFieldSelector } from './field.ts';
import type { FieldSelection } from './field.ts';
import { servedObject } from '../storage/stored-form.ts';

/** The objects of a list or watch. */
export interface Selection {
  readonly prefix: string;
  /** Set when it can only be one object. */
  readonly key?: string;
  /** Absent: all under the prefix. */
  readonly matches?: (entry: Entry) => boolean;
}

/** The selection that URL and selectors of a list, watch or deletecollection make. */
export function selectionOf(call: Call): Selection {
  const { kind, target, options } = call;
  const labels = parseLabelSelector(options.labelSelector);
  const fields = parseFieldSelector(options.fieldSelector, kind);
  const place = placeOf(call, fields);
  if (!labels && !fields && !target.name) return place;
  const matches = (entry: Entry): boolean => {
    const object: KubeObject = servedObject(entry, kind);
    if (target.name && object.metadata.name !== target.name) return false;
    return (!labels || labels(object.metadata.labels)) && (!fields || fields.match(object));
  };
  return { ...place, matches };
}

function placeOf({ kind, target }: Call, fields: FieldSelection | undefined): Pick<Selection, 'prefix' | 'key'> {
  const namespace = kind.namespaced ? target.namespace || (fields?.namespace ?? '') : '';
  const name = target.name || fields?.name;
  const prefix = namespacePrefix(kind, namespace);
  if (!name || (kind.namespaced && !namespace)) return { prefix };
  return { prefix, key: objectKey(kind, namespace, name) };
}
