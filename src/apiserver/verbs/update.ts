import type { KubeObject } from '../../api/index.ts';
import { isObject } from '../../base/index.ts';
import { strategyOf } from '../../kinds/index.ts';
import type { Draft } from '../../kinds/index.ts';
import type { Call } from '../call.ts';
import { draftOf, named, placed } from '../request/draft.ts';
import { objectKey } from '../storage/object-keys.ts';
import type { Outcome } from '../outcome.ts';
import { createDraft } from './create.ts';
import { keep, replace } from './replace.ts';
import type { Replacement } from './replace.ts';

/** PUT on an object. */
export async function update(call: Call): Promise<Outcome> {
  const draft = named(call, placed(call, draftOf(call)));
  const { kind, parts, target } = call;
  if (strategyOf(kind).createOnUpdate && !parts.store.get(objectKey(kind, target.namespace, target.name))) {
    return createDraft(call, draft);
  }
  return replace(call, { make: fresh(call, draft), ...confinement(call) });
}

/** The first attempt takes the draft itself, a later one reads the body again. */
function fresh(call: Call, draft: Draft): () => Draft {
  let first = true;
  return () => {
    if (!first) return named(call, placed(call, draftOf(call)));
    first = false;
    return draft;
  };
}

/** What a write to this subresource may change. */
export function confinement(call: Call): Pick<Replacement, 'confine'> {
  return call.target.subresource === 'status' ? { confine: confineToStatus(call) } : {};
}

/** A status write leaves all but the status as it is; of metadata, custom kinds keep all, built-in ones labels and owners. */
function confineToStatus(call: Call): (draft: Draft, old: KubeObject) => void {
  return (draft, old) => {
    for (const part of new Set([...Object.keys(draft), ...Object.keys(old)])) {
      if (part !== 'status' && part !== 'metadata') keep(draft, old, part);
    }
    const { managedFields } = draft.metadata;
    if (call.kind.custom) draft.metadata = { ...old.metadata };
    else keepMeta(draft, old);
    if (managedFields) draft.metadata.managedFields = managedFields;
    if (draft['status'] !== undefined && !isObject(draft['status'])) delete draft['status'];
  };
}

function keepMeta(draft: Draft, old: KubeObject): void {
  const { labels, ownerReferences } = old.metadata;
  if (labels) draft.metadata.labels = labels;
  else delete draft.metadata.labels;
  if (ownerReferences) draft.metadata.ownerReferences = ownerReferences;
  else delete draft.metadata.ownerReferences;
}
