import type { CrdColumn, CrdVersion, CustomResourceDefinition } from '../crd.ts';
import type { Schema, ValidationRule } from '../schema.ts';

type Extra = Partial<Schema>;

// Builders of the schema of a field take its description first, for `kubectl explain`; an object gets its own by
// `about`, so that it can be the item of a list as well.

/** A text; limits go into `extra`. */
export const string = (description: string, extra: Extra = {}): Schema => ({ type: 'string', description, ...extra });

/** A text out of a closed set. */
export const choice = (description: string, values: readonly string[], extra: Extra = {}): Schema => ({
  type: 'string',
  description,
  enum: values,
  ...extra,
});

/** true or false. */
export const boolean = (description: string, extra: Extra = {}): Schema => ({ type: 'boolean', description, ...extra });

/** A whole number of 32 bits. Servers do not check the format, and a Go client chokes on the whole list: so bounds. */
export const int32 = (description: string, extra: Extra = {}): Schema => ({
  type: 'integer',
  format: 'int32',
  description,
  minimum: -2_147_483_648,
  maximum: 2_147_483_647,
  ...extra,
});

/** A whole number of 64 bits. */
export const int64 = (description: string, extra: Extra = {}): Schema => ({
  type: 'integer',
  format: 'int64',
  description,
  ...extra,
});

/** A whole number of no stated width, as Go's `int` is published. */
export const integer = (description: string, extra: Extra = {}): Schema => ({ type: 'integer', description, ...extra });

/** An RFC 3339 time. */
export const time = (description: string): Schema => string(description, { format: 'date-time' });

/** A list. */
export const list = (description: string, items: Schema, extra: Extra = {}): Schema => ({
  type: 'array',
  description,
  items,
  ...extra,
});

/** A list of texts. */
export const strings = (description: string, extra: Extra = {}): Schema => list(description, { type: 'string' }, extra);

/** A map whose keys are data. */
export const map = (description: string, values: Schema): Schema => ({
  type: 'object',
  description,
  additionalProperties: values,
});

/** A map of texts. */
export const texts = (description: string): Schema => map(description, { type: 'string' });

/** An object with known members. */
export function object<P extends Readonly<Record<string, Schema>>>(
  properties: P,
  required: readonly (keyof P & string)[] = [],
  extra: Extra = {},
): Schema {
  return { type: 'object', properties, ...(required.length > 0 ? { required } : {}), ...extra };
}

/** An object of which nothing is known; all of it is kept. */
export const anyObject = (extra: Extra = {}): Schema => ({
  type: 'object',
  'x-kubernetes-preserve-unknown-fields': true,
  ...extra,
});

/** Any JSON value; kept as written. */
export const anything = (): Schema => ({ 'x-kubernetes-preserve-unknown-fields': true });

/** The same schema with its description. */
export const about = (description: string, schema: Schema): Schema => ({ ...schema, description });

/** The same schema with CEL rules. */
export const ruled = (schema: Schema, ...rules: readonly ValidationRule[]): Schema => ({
  ...schema,
  'x-kubernetes-validations': [...(schema['x-kubernetes-validations'] ?? []), ...rules],
});

/** A column of `kubectl get`; an age is a date, everything else a string unless told. */
export function column(name: string, jsonPath: string, extra: Partial<CrdColumn> = {}): CrdColumn {
  return { name, jsonPath, type: 'string', ...extra };
}

/** The age of an object; the heading is the one that Karmada prints for the kind. */
export const age = (name = 'AGE'): CrdColumn => column(name, '.metadata.creationTimestamp', { type: 'date' });

/** The status of a condition. */
export const conditionColumn = (name: string, type: string): CrdColumn =>
  column(name, `.status.conditions[?(@.type=="${type}")].status`);

/** The parts in which one CRD differs from another. */
export interface CrdPlan {
  readonly group: string;
  /** The storage version comes first; all versions share one schema, so that no write through an old one loses a field. */
  readonly versions?: readonly string[];
  readonly kind: string;
  readonly plural: string;
  readonly scope: 'Namespaced' | 'Cluster';
  readonly shortNames?: readonly string[];
  /** Karmada puts most of its kinds into one category; false for those it leaves out. */
  readonly inCategory?: boolean;
  readonly columns?: readonly CrdColumn[];
  readonly description: string;
  /** The members beside apiVersion, kind and metadata. A `status` makes the status subresource. */
  readonly parts: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

/** A CustomResourceDefinition from its plan. */
export function crd(plan: CrdPlan): CustomResourceDefinition {
  const { group, kind, plural, scope } = plan;
  const singular = kind.toLowerCase();
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      names: {
        plural,
        singular,
        kind,
        listKind: `${kind}List`,
        ...(plan.shortNames ? { shortNames: plan.shortNames } : {}),
        ...(plan.inCategory === false ? {} : { categories: ['karmada-io'] }),
      },
      scope,
      versions: versionsOf(plan),
    },
  };
}

function versionsOf(plan: CrdPlan): readonly CrdVersion[] {
  const shared = {
    served: true,
    schema: { openAPIV3Schema: rootSchema(plan) },
    ...(plan.parts['status'] ? { subresources: { status: {} } } : {}),
    ...(plan.columns ? { additionalPrinterColumns: plan.columns } : {}),
  };
  const [storage, ...others] = plan.versions ?? ['v1alpha1'];
  const versions: CrdVersion[] = [{ ...shared, name: storage ?? 'v1alpha1', storage: true }];
  for (const name of others) versions.push({ ...shared, name, storage: false });
  return versions;
}

function rootSchema(plan: CrdPlan): Schema {
  const properties: Readonly<Record<string, Schema>> = {
    apiVersion: { type: 'string' },
    kind: { type: 'string' },
    metadata: { type: 'object' },
    ...plan.parts,
  };
  return object(properties, plan.required ?? ['spec'], { description: plan.description });
}
