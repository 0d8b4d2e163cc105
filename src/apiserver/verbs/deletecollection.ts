import { apiVersionOf, hasReason } from '../../api/index.ts';
import type { Entry } from '../../store/index.ts';
import { deletionOf } from './delete-options.ts';
import type { Deletion } from './delete-options.ts';
import type { Call, Outcome } from '../call.ts';
import { selectionOf } from '../selector/selection.ts';
import { servedObject } from '../storage/stored-form.ts';
import { listMeta } from '../respond/transform.ts';
import { removeWith } from './delete.ts';
import { listed } from './list.ts';

/** DELETE on a collection. */
export async function removeAll(call: Call): Promise<Outcome> {
  const deletion = deletionOf(call);
  const list = listed(call, selectionOf(call));
  await Promise.all(list.entries.map((entry) => removeOne(call, deletion, entry)));
  const { kind } = call;
  const items = list.entries.map((entry) => servedObject(entry, kind));
  return {
    status: 200,
    object: { kind: kind.listKind, apiVersion: apiVersionOf(kind), metadata: listMeta(list), items },
  };
}

async function removeOne(call: Call, deletion: Deletion, entry: Entry): Promise<void> {
  const { name, namespace = '' } = servedObject(entry, call.kind).metadata;
  try {
    await removeWith({ ...call, target: { ...call.target, namespace, name } }, deletion);
  } catch (error) {
    // Somebody else deleted it first, which is what was asked for.
    if (!hasReason(error, 'NotFound')) throw error;
  }
}
