import type { Json } from '../base/index.ts';
import type { KubeObject } from './meta.ts';
import type { ClusterAffinity, ResourceSelector } from './policy.ts';

/** The change that an overrider makes to the field that it names. */
export type OverrideOperator = 'add' | 'remove' | 'replace';

/** One operation of a JSON patch on the object. */
export interface PlaintextOverrider {
  readonly path: string;
  readonly operator: OverrideOperator;
  readonly value?: Json;
}

/** Changes a part of image names: of all containers, or of the one field that `predicate` names. */
export interface ImageOverrider {
  readonly predicate?: { readonly path: string };
  readonly component: 'Registry' | 'Repository' | 'Tag';
  readonly operator: OverrideOperator;
  readonly value?: string;
}

/** Changes the command or the arguments of a container. */
export interface CommandArgsOverrider {
  readonly containerName: string;
  readonly operator: 'add' | 'remove';
  readonly value?: readonly string[];
}

/** Changes labels or annotations of the object itself. */
export interface LabelAnnotationOverrider {
  readonly operator: OverrideOperator;
  readonly value?: Readonly<Record<string, string>>;
}

/** One change inside the document of a field. */
export interface FieldPatchOperation {
  readonly subPath: string;
  readonly operator: OverrideOperator;
  readonly value?: Json;
}

/** Patches a JSON or YAML document that stands in a text field, as in a ConfigMap. */
export interface FieldOverrider {
  readonly fieldPath: string;
  readonly json?: readonly FieldPatchOperation[];
  readonly yaml?: readonly FieldPatchOperation[];
}

/** Applied in the order image, command, args, labels, annotations, field, plaintext. */
export interface Overriders {
  readonly plaintext?: readonly PlaintextOverrider[];
  readonly imageOverrider?: readonly ImageOverrider[];
  readonly commandOverrider?: readonly CommandArgsOverrider[];
  readonly argsOverrider?: readonly CommandArgsOverrider[];
  readonly labelsOverrider?: readonly LabelAnnotationOverrider[];
  readonly annotationsOverrider?: readonly LabelAnnotationOverrider[];
  readonly fieldOverrider?: readonly FieldOverrider[];
}

/** The changes to make in some members; no `targetCluster` means all. */
export interface OverrideRule {
  readonly targetCluster?: ClusterAffinity;
  readonly overriders: Overriders;
}

/** spec of OverridePolicy and ClusterOverridePolicy; no selectors means everything in scope. */
export interface OverrideSpec {
  readonly resourceSelectors?: readonly ResourceSelector[];
  /** `Lazy`: what the policy says takes effect on a template when the template changes; absent: at once. */
  readonly activationPreference?: 'Lazy';
  readonly overrideRules?: readonly OverrideRule[];
  /** Deprecated with `overriders`: read only when there are no overrideRules. */
  readonly targetCluster?: ClusterAffinity;
  readonly overriders?: Overriders;
}

/** An OverridePolicy or ClusterOverridePolicy; `kind` tells which. */
export interface OverridePolicy extends KubeObject {
  readonly apiVersion: 'policy.karmada.io/v1alpha1';
  readonly kind: 'OverridePolicy' | 'ClusterOverridePolicy';
  readonly spec: OverrideSpec;
}
