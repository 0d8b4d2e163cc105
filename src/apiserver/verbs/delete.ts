import { badRequest, conflict, success } from '../../api/index.ts';
import type { KubeObject } from '../../api/index.ts';
import { clone, freeze, timestamp } from '../../base/index.ts';
import { foregroundFinalizer, orphanFinalizer, strategyOf } from '../../kinds/index.ts';
import type { Draft } from '../../kinds/index.ts';
import type { Entry } from '../../store/index.ts';
import { askPlugins } from '../request/admission.ts';
import type { Call, Outcome } from '../call.ts';
import { deletionOf } from './delete-options.ts';
import type { Deletion } from './delete-options.ts';
import { plainObject, stored } from '../storage/stored-form.ts';
import { onNewest } from '../storage/write-conflict.ts';
import { isFinished } from './update.ts';

/** DELETE on an object. */
export async function remove(call: Call): Promise<Outcome> {
  return removeWith(call, deletionOf(call));
}

/** Deletes with options that have been read already. */
export function removeWith(call: Call, deletion: Deletion): Promise<Outcome> {
  return onNewest(call, (entry) => removeOnce(call, deletion, entry));
}

async function removeOnce(call: Call, deletion: Deletion, entry: Entry): Promise<Outcome> {
  const { kind, parts, target, user, options } = call;
  const old = plainObject(entry, kind);
  checkPreconditions(call, deletion, old);
  const dryRun = options.dryRun || deletion.dryRun;
  if (parts.admit.length > 0) {
    const { namespace, name, subresource } = target;
    await askPlugins(call, { operation: 'DELETE', kind, namespace, name, subresource, old, user, dryRun });
  }
  const dying = dyingForm(call, deletion, old);
  if (dying === old) return { status: 200, entry };
  const { key, revision } = entry;
  if (!isFinished(kind, dying)) {
    if (dryRun) return { status: 200, object: freeze(dying) };
    const written = await parts.store.write({ verb: 'put', key, ...stored(dying, kind), revision });
    return { status: deletion.orphanDependents === false ? 202 : 200, entry: written };
  }
  // Watchers see the last state, at the revision of the deletion.
  if (!dryRun) await parts.store.write({ verb: 'delete', key, ...stored(old, kind), revision });
  return { status: 200, object: success(kind, old.metadata.name, old.metadata.uid) };
}

function checkPreconditions(call: Call, deletion: Deletion, old: KubeObject): void {
  const { kind, target } = call;
  const { uid, resourceVersion } = deletion.preconditions;
  // Here Kubernetes calls the object by its kind, not by its resource.
  const named = { group: kind.group, plural: kind.kind };
  if (uid && uid !== old.metadata.uid) {
    const mismatch = `the UID in the precondition (${uid}) does not match the UID in record (${old.metadata.uid ?? ''})`;
    throw conflict(named, target.name, `${mismatch}. The object might have been deleted and then recreated`);
  }
  const current = old.metadata.resourceVersion ?? '';
  if (resourceVersion && resourceVersion !== current) {
    const mismatch = `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${current})`;
    throw conflict(named, target.name, `${mismatch}. The object might have been modified`);
  }
}

/** The object once its deletion has begun; the old one itself when asking again changes nothing. */
function dyingForm(call: Call, deletion: Deletion, old: KubeObject): KubeObject {
  const { kind, parts } = call;
  const finalizers = finalizersFor(deletion, old);
  const grace = strategyOf(kind).grace?.(old, deletion.gracePeriodSeconds, parts) ?? 0;
  const { deletionTimestamp, deletionGracePeriodSeconds = 0 } = old.metadata;
  const sooner = !deletionTimestamp || grace < deletionGracePeriodSeconds;
  if (!sooner && finalizers === old.metadata.finalizers) return old;
  const dying = clone(old) as Draft;
  if (sooner) {
    dying.metadata.deletionTimestamp = timestamp(parts.clock.now() + grace * 1000);
    dying.metadata.deletionGracePeriodSeconds = grace;
  }
  if (finalizers) dying.metadata.finalizers = finalizers;
  if (!deletionTimestamp) begin(call, dying);
  return dying;
}

/** Marks the start of a deletion in the generation: some clients look at nothing else. */
function begin({ kind, parts }: Call, dying: Draft): void {
  const { generation } = dying.metadata;
  if (generation !== undefined) dying.metadata.generation = generation + 1;
  strategyOf(kind).beginDeletion?.(dying, parts);
}

/** The collector of garbage sees from the finalizers what to do with dependents; absent, they go in the background. */
function finalizersFor(deletion: Deletion, old: KubeObject): readonly string[] | undefined {
  const before = old.metadata.finalizers;
  const wanted = wantedFinalizer(deletion, before ?? []);
  const current = before?.find((one) => one === orphanFinalizer || one === foregroundFinalizer);
  if (wanted === current) return before;
  const others = (before ?? []).filter((one) => one !== orphanFinalizer && one !== foregroundFinalizer);
  return wanted ? [...others, wanted] : others;
}

function wantedFinalizer(deletion: Deletion, before: readonly string[]): string | undefined {
  switch (deletion.propagation) {
    case 'Orphan':
      return orphanFinalizer;
    case 'Foreground':
      return foregroundFinalizer;
    case 'Background':
      return undefined;
    case undefined:
      return before.find((one) => one === orphanFinalizer || one === foregroundFinalizer);
    default:
      deletion.propagation satisfies never;
      throw badRequest('unknown propagation policy');
  }
}
