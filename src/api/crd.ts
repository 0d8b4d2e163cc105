import type { Condition, KubeObject } from './meta.ts';
import type { Schema } from './schema.ts';

/** How a resource is called: `kubectl get pp`, `kind: PropagationPolicy`. */
export interface CrdNames {
  readonly plural: string;
  readonly singular?: string;
  readonly kind: string;
  readonly listKind?: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
}

/** A column of `kubectl get` as a CRD writes it; `priority` above 0 shows only with `-o wide`. */
export interface CrdColumn {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'date';
  readonly jsonPath: string;
  readonly format?: string;
  readonly description?: string;
  readonly priority?: number;
}

/** The subresources of a version. */
export interface CrdSubresources {
  readonly status?: Readonly<Record<string, never>>;
  readonly scale?: {
    readonly specReplicasPath: string;
    readonly statusReplicasPath: string;
    readonly labelSelectorPath?: string;
  };
}

/** One version of a resource; exactly one of a CRD's versions is the storage version. */
export interface CrdVersion {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly deprecated?: boolean;
  readonly deprecationWarning?: string;
  readonly schema?: { readonly openAPIV3Schema?: Schema };
  readonly subresources?: CrdSubresources;
  readonly additionalPrinterColumns?: readonly CrdColumn[];
  readonly selectableFields?: readonly { readonly jsonPath: string }[];
}

/** How objects change between versions; `webhook` is kept as written. */
export interface CrdConversion {
  readonly strategy: 'None' | 'Webhook';
  readonly webhook?: unknown;
}

/** apiextensions.k8s.io/v1 CustomResourceDefinition */
export interface CustomResourceDefinition extends KubeObject {
  readonly spec: {
    readonly group: string;
    readonly names: CrdNames;
    readonly scope: 'Namespaced' | 'Cluster';
    readonly versions: readonly CrdVersion[];
    readonly conversion?: CrdConversion;
    readonly preserveUnknownFields?: boolean;
  };
  readonly status?: {
    readonly conditions?: readonly Condition[];
    readonly acceptedNames?: CrdNames;
    readonly storedVersions?: readonly string[];
  };
}
