import type { KubeObject } from '../../api/index.ts';
import { timestamp } from '../../base/index.ts';
import type { Draft } from '../../kinds/index.ts';
import { managerNameOf, trackUpdate } from '../../patch/index.ts';
import type { OwnershipScope } from '../../patch/index.ts';
import type { Call } from '../call.ts';
import { keepFlawless } from './fields.ts';

/** The name under which a write is recorded in managedFields. */
export function managerOf({ options, request }: Call): string {
  return managerNameOf(options.fieldManager, request.headers['user-agent'] ?? '');
}

/** What ownership must know about the target of a call. */
export function ownershipScope({ kind, parts, target }: Call): OwnershipScope {
  return { kind, definitions: parts.catalog().definitions, subresource: target.subresource };
}

/** Records in managedFields who owns what the write changed. */
export function tracked(call: Call, draft: Draft, old: KubeObject | undefined): Draft {
  if (call.request.untracked && !old?.metadata.managedFields) return draft;
  const made = trackUpdate({
    ...ownershipScope(call),
    before: old as Draft | undefined,
    after: draft,
    manager: managerOf(call),
    now: timestamp(call.parts.clock.now()),
  });
  return keepFlawless(draft, made);
}
