import type { Definitions, KindInfo } from '../../api/index.ts';
import { leaf } from '../../base/index.ts';
import type { FieldSet } from '../../base/index.ts';
import { ignored, typeOfKind, withFields } from '../fields/field-type.ts';
import type { Field, FieldType } from '../fields/field-type.ts';
import { fieldElement } from '../fields/path-element.ts';

/** The parts of a kind that ownership needs. */
export type OwnedKind = Pick<KindInfo, 'group' | 'version' | 'kind' | 'schema' | 'custom' | 'status'>;

/** The resource of a request, and the schema of its objects. */
export interface OwnershipScope {
  readonly kind: OwnedKind;
  readonly definitions: Definitions;
  /** '' or absent for the resource itself. */
  readonly subresource?: string;
}

/** Fields that identify an object or are set by the server alone: no one owns them. */
const identity = [
  'name',
  'namespace',
  'creationTimestamp',
  'selfLink',
  'uid',
  'clusterName',
  'generation',
  'managedFields',
  'resourceVersion',
];

/** The same fields as a set. */
export const unownable: FieldSet = Object.freeze({
  'f:apiVersion': leaf,
  'f:kind': leaf,
  'f:metadata': Object.freeze({ '.': leaf, ...Object.fromEntries(identity.map((name) => [`f:${name}`, leaf])) }),
});

/** The part of an object that a request cannot change: the server puts back what was there. */
export function resetField({ kind, subresource }: OwnershipScope): 'spec' | 'status' | undefined {
  if (subresource === 'status') return 'spec';
  return kind.status && !subresource ? 'status' : undefined;
}

const tracked = new WeakMap<FieldType, Map<string, FieldType>>();

/** The type of a kind's objects, in which all that cannot be owned by a request of this scope is ignored. */
export function trackedType(scope: OwnershipScope): FieldType {
  const type = typeOfKind(scope.kind, scope.definitions);
  const reset = resetField(scope) ?? '';
  let variants = tracked.get(type);
  if (!variants) tracked.set(type, (variants = new Map()));
  let variant = variants.get(reset);
  if (!variant) variants.set(reset, (variant = withoutUnownable(type, reset)));
  return variant;
}

function withoutUnownable(type: FieldType, reset: string): FieldType {
  const metadata = type.map?.fieldOf('metadata')?.type ?? type.map?.element();
  const fields = hiddenFields(['apiVersion', 'kind', ...(reset ? [reset] : [])]);
  if (metadata) {
    // Every object has metadata: no one comes to own it by setting a label.
    const shown = withFields(metadata, hiddenFields(identity));
    fields.set('metadata', { element: fieldElement('metadata'), type: shown, typed: false, absent: {} });
  }
  return withFields(type, fields);
}

function hiddenFields(keys: readonly string[]): Map<string, Field> {
  return new Map(
    keys.map((key) => [key, { element: fieldElement(key), type: ignored, typed: false, absent: undefined }]),
  );
}
