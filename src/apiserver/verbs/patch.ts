import {
  badRequest,
  failure,
  forbiddenField,
  hasReason,
  invalid,
  invalidValue,
  required,
  unsupportedMediaType,
} from '../../api/index.ts';
import type { FieldError, KubeObject } from '../../api/index.ts';
import { clone, isObject, lookup } from '../../base/index.ts';
import type { Draft } from '../../kinds/index.ts';
import { jsonPatch, mergePatch, strategicMergePatch } from '../../patch/index.ts';
import { checkDepth, mediaTypeOf, parsePatch } from '../request/body.ts';
import type { Call, Outcome } from '../call.ts';
import { placed, shaped, unregistered } from '../request/draft.ts';
import { invalidOptions } from '../request/options.ts';
import { apply } from './apply.ts';
import { changeObject, confinement } from './update.ts';

/** The kinds of patches. */
export type PatchType = 'json' | 'merge' | 'strategic' | 'apply';

const types: Readonly<Record<string, PatchType>> = lookup({
  'application/json-patch+json': 'json',
  'application/merge-patch+json': 'merge',
  'application/strategic-merge-patch+json': 'strategic',
  'application/apply-patch+yaml': 'apply',
});

/** PATCH on an object. */
export async function patch(call: Call): Promise<Outcome> {
  const type = patchTypeOf(call);
  checkOptions(call, type);
  if (type === 'apply') return apply(call);
  const change = patcherOf(call, type);
  const make = (old: KubeObject): Draft => placed(call, readAgain(call, copyOf(change(old)), old));
  return changeObject(call, { make, ...confinement(call) });
}

/** A copy to write to; the record of owners, half of many an object, is shared, for nobody writes to one. */
function copyOf(patched: KubeObject): Draft {
  const { managedFields, ...metadata } = patched.metadata;
  const copy = clone({ ...patched, metadata }) as Draft;
  if (managedFields !== undefined) copy.metadata.managedFields = managedFields;
  return copy;
}

/** A patched object is read like any other; what cannot be read is the patch's fault. */
function readAgain(call: Call, patched: Draft, old: KubeObject): Draft {
  try {
    checkType(patched, old);
    return shaped(call, patched, []);
  } catch (error) {
    if (!hasReason(error, 'BadRequest')) throw error;
    const words = error.message.replace(/^.* cannot be handled as a \S+: /, '');
    throw invalid({ group: '', kind: '' }, '', [invalidValue('patch', JSON.stringify(patched), words)]);
  }
}

function checkType(patched: Draft, { apiVersion, kind }: KubeObject): void {
  if (patched.apiVersion === apiVersion && patched.kind === kind) return;
  throw badRequest(unregistered(patched.apiVersion, patched.kind));
}

/** The type of patch that the Content-Type announces; custom resources have no strategic ones. */
export function patchTypeOf(call: Call): PatchType {
  const type = types[mediaTypeOf(call.request)];
  if (!type) throw failure('UnsupportedMediaType', '415: Unsupported Media Type', {});
  if (type !== 'strategic' || !call.kind.custom) return type;
  throw unsupportedMediaType(Object.keys(types).filter((name) => !call.kind.custom || types[name] !== 'strategic'));
}

function checkOptions({ options }: Call, type: PatchType): void {
  const errors: FieldError[] = [];
  if (type === 'apply' && !options.fieldManager) errors.push(required('fieldManager', 'is required for apply patch'));
  if (type !== 'apply' && options.force !== undefined) {
    errors.push(forbiddenField('force', 'may not be specified for non-apply patch'));
  }
  if (errors.length > 0) throw invalidOptions('PatchOptions', errors);
}

/** Applies the patch in the body, which is read once, to any state of the object. */
export function patcherOf(call: Call, type: Exclude<PatchType, 'apply'>): (old: KubeObject) => KubeObject {
  const body = patchBody(call);
  const { kind, parts } = call;
  switch (type) {
    case 'json':
      return (old) => wholeObject(checkDepth(jsonPatch(old, body)));
    case 'merge':
      return (old) => wholeObject(mergePatch(old, body));
    case 'strategic': {
      const scope = { schema: kind.schema, definitions: parts.catalog().definitions };
      return (old) => wholeObject(strategicMergePatch(old, body, scope));
    }
    default:
      throw type satisfies never;
  }
}

function patchBody({ request }: Call): unknown {
  return request.object ?? parsePatch(request.body);
}

function wholeObject(patched: unknown): KubeObject {
  if (!isObject(patched)) throw badRequest('the patch does not leave an object');
  if (!isObject(patched['metadata'])) return { ...patched, metadata: {} } as unknown as KubeObject;
  return patched as unknown as KubeObject;
}
