import type { CustomResourceDefinition, KubeObject } from '../api/index.ts';
import { timestamp } from '../base/index.ts';
import {
  defaultedCrd,
  validateCrd,
  validateCrdUpdate,
  withDeletionBegun,
  withStoredVersions,
} from '../schema/index.ts';
import type { Draft } from './draft.ts';
import type { Strategy } from './strategy.ts';

function crdOf(object: Draft | KubeObject): CustomResourceDefinition {
  return object as unknown as CustomResourceDefinition;
}

/** Only what can be read as a definition can be completed; the schema says what is wrong with the rest. */
function isReadable(draft: Draft): boolean {
  const spec = draft['spec'] as { names?: unknown; versions?: unknown } | undefined;
  return typeof spec?.names === 'object' && Array.isArray(spec.versions);
}

/** From now on objects may lie in the version that is stored, also when another was stored before. */
function noteStorageVersion(draft: Draft): void {
  if (isReadable(draft)) Object.assign(draft, withStoredVersions(crdOf(draft)));
}

const customResourceDefinitions: Strategy = {
  generation: true,
  defaults(draft) {
    if (isReadable(draft)) Object.assign(draft, defaultedCrd(crdOf(draft)));
  },
  prepareCreate: noteStorageVersion,
  prepareUpdate: noteStorageVersion,
  // For a change `validateUpdate` reports everything: it excuses errors that were there before.
  validate: (draft, old) => (isReadable(draft) && !old ? validateCrd(crdOf(draft)) : []),
  validateUpdate: (draft, old) => (isReadable(draft) ? validateCrdUpdate(crdOf(draft), crdOf(old)) : []),
  beginDeletion(draft, parts) {
    Object.assign(draft, withDeletionBegun(crdOf(draft), timestamp(parts.clock.now())));
  },
};

/** apiextensions.k8s.io */
export const definitions: Readonly<Record<string, Strategy>> = {
  'apiextensions.k8s.io/customresourcedefinitions': customResourceDefinitions,
};
