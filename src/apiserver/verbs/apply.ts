import { badRequest, notFound } from '../../api/index.ts';
import type { KubeObject } from '../../api/index.ts';
import { clone, isObject, timestamp } from '../../base/index.ts';
import type { Draft } from '../../kinds/index.ts';
import { applyPatch, applySteps, conflictError } from '../../patch/index.ts';
import type { ApplyRequest, ApplyResult } from '../../patch/index.ts';
import { isLarge } from '../flow/demand.ts';
import { beginStage, endOfStage, inSlices } from '../flow/slices.ts';
import { parseYaml } from '../request/body.ts';
import type { Call, Outcome } from '../call.ts';
import { ownershipScope, placed, shaped } from '../request/draft.ts';
import { objectKey } from '../storage/object-keys.ts';
import { createDraft } from './create.ts';
import { changeObject, confinement } from './update.ts';

/** PATCH with an apply configuration: server-side apply. */
export async function apply(call: Call): Promise<Outcome> {
  const { kind, parts, target, request } = call;
  beginStage(request);
  const applied = configurationOf(call);
  await endOfStage(request);
  const make = (old: KubeObject | undefined): Draft | Promise<Draft> => appliedDraft(call, applied, old);
  if (parts.store.get(objectKey(kind, target.namespace, target.name))) {
    return changeObject(call, { make, ...confinement(call), ownsFields: true });
  }
  if (target.subresource) throw notFound(kind, target.name);
  return createDraft(call, await make(undefined), { ownsFields: true });
}

/** A large object is merged in slices, so that it does not delay everybody else. */
async function mergedInSlices(call: Call, request: ApplyRequest): Promise<Draft> {
  const result = await inSlices(applySteps(request));
  beginStage(call.request);
  const draft = draftOf(call, result);
  await endOfStage(call.request);
  return draft;
}

function appliedDraft(call: Call, applied: KubeObject, live: KubeObject | undefined): Draft | Promise<Draft> {
  const request: ApplyRequest = {
    ...ownershipScope(call),
    live,
    applied,
    manager: call.options.fieldManager,
    force: call.options.force ?? false,
    now: timestamp(call.parts.clock.now()),
  };
  return isLarge(call.request) ? mergedInSlices(call, request) : draftOf(call, applyPatch(request));
}

function draftOf(call: Call, result: ApplyResult): Draft {
  if ('conflicts' in result) throw conflictError(result.conflicts);
  return placed(call, shaped(call, clone(result.object) as Draft, []));
}

/** The fields that the applier wants; the name may be left to the URL. */
function configurationOf(call: Call): KubeObject {
  const { request, target, kind } = call;
  const value = request.object ?? decoded(request.body ?? Buffer.alloc(0));
  if (!isObject(value)) throw badRequest('error decoding YAML: the body is not an object');
  const metadata = isObject(value['metadata']) ? value['metadata'] : {};
  const place = { name: target.name, ...(kind.namespaced && { namespace: target.namespace }) };
  const type = { apiVersion: textOf(value['apiVersion']), kind: textOf(value['kind']) };
  const object = { ...value, ...type, metadata: { ...place, ...metadata } } as unknown as Draft;
  placed(call, { ...object, metadata: { ...object.metadata } });
  return object;
}

function decoded(body: Buffer): unknown {
  try {
    return parseYaml(body);
  } catch (error) {
    throw badRequest(`error decoding YAML: ${(error as Error).message}`);
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
