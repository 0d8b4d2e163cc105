import type { KubeObject } from '../../api/index.ts';
import { difference, hasField, isObject, leaf, sortedGoJson } from '../../base/index.ts';
import type { FieldSet } from '../../base/index.ts';
import { compareObjects } from '../fields/compare.ts';
import { fieldSetOf } from '../fields/field-set-of.ts';
import { typeOfKind } from '../fields/field-type.ts';
import { shapeErrors } from '../fields/validate.ts';
import type { Conflict } from './conflicts.ts';
import type { OwnershipScope } from './tracked-type.ts';

/** Where client-side apply keeps what it applied last. */
const annotation = 'kubectl.kubernetes.io/last-applied-configuration';
const maxAnnotationBytes = 256 * 1024;

interface Applied extends OwnershipScope {
  readonly live: KubeObject | undefined;
  readonly applied: KubeObject;
  readonly manager: string;
}

/**
 * Tells the conflicts that count. When kubectl goes over from client-side to server-side apply, fields that still are as
 * it applied them are its own, whatever managedFields say.
 */
export function allowedConflicts(request: Applied): (conflict: Conflict) => boolean {
  if (request.manager !== 'kubectl') return () => true;
  const own = lastAppliedFields(request);
  return ({ path }) => !hasField(own, path);
}

function lastAppliedFields({ live, kind, definitions, applied }: Applied): FieldSet {
  const last = parsed(live?.metadata.annotations?.[annotation]);
  const type = typeOfKind(kind, definitions);
  if (!isObject(last) || last['apiVersion'] !== applied.apiVersion || shapeErrors(last, type).length > 0) return leaf;
  const { modified, added, removed } = compareObjects({ before: last, after: live }, type);
  return [modified, added, removed].reduce(difference, fieldSetOf(last, type));
}

function parsed(text: string | undefined): unknown {
  if (!text) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Keeps the annotation of client-side apply, where there is one, in step with what kubectl applies. */
export function withLastApplied(object: KubeObject, { manager, applied }: Applied): KubeObject {
  const { annotations } = object.metadata;
  if (manager !== 'kubectl' || !annotations?.[annotation]) return object;
  const { [annotation]: _, ...others } = applied.metadata.annotations ?? {};
  const config = {
    ...applied,
    metadata: { ...applied.metadata, ...(applied.metadata.annotations && { annotations: others }) },
  };
  const text = `${sortedGoJson(config)}\n`;
  if (annotations[annotation] === text) return object;
  const { [annotation]: __, ...kept } = annotations;
  const next =
    sizeOf(kept) + annotation.length + text.length > maxAnnotationBytes ? kept : { ...kept, [annotation]: text };
  return { ...object, metadata: { ...object.metadata, annotations: next } };
}

function sizeOf(annotations: Readonly<Record<string, string>>): number {
  return Object.entries(annotations).reduce((sum, [key, value]) => sum + key.length + value.length, 0);
}
