import type { Definitions, Schema } from './schema.ts';

/** A column of `kubectl get`; `priority` above 0 shows only with `-o wide`. */
export interface Column {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'date';
  readonly format?: string;
  readonly description?: string;
  readonly priority?: number;
  /** A JSONPath as in a CRD's additionalPrinterColumns. */
  readonly path?: string;
}

/** Where the scale subresource finds its numbers. */
export interface ScalePaths {
  readonly specReplicasPath: string;
  readonly statusReplicasPath: string;
  readonly labelSelectorPath?: string;
}

/** The paths of the pod template and the replicas of a kind that runs pods. */
export interface WorkloadPaths {
  readonly podTemplate: readonly string[];
  readonly replicas?: readonly string[];
}

/** The kinds that a subresource takes and returns, and its verbs. */
export interface SubresourceKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly verbs: readonly string[];
}

/** A group with the versions in which it is served, the preferred one first. */
export interface GroupInfo {
  readonly group: string;
  readonly versions: readonly string[];
}

/**
 * A kind is a descriptor: discovery, URLs, tables, schemas, patches, lists and the engine's knowledge
 * of workloads all come from it. Built-in kinds and CRDs yield the same shape.
 */
export interface KindInfo {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly listKind: string;
  readonly plural: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly status: boolean;
  readonly scale?: ScalePaths;
  /** Subresources beside status and scale by their bare names, as `log`, `eviction`, `token`. */
  readonly subresources: readonly string[];
  /** Kind and verbs of every subresource, status and scale included; one that is absent has the kind of the resource. */
  readonly subresourceKinds?: Readonly<Record<string, SubresourceKind>>;
  /** Columns of a custom kind beside its name; those of the built-in kinds are computed by the hub's tables. */
  readonly columns: readonly Column[];
  /** Paths, as `spec.color`, by which a field selector may choose, besides name and namespace. */
  readonly selectableFields?: readonly string[];
  readonly schema: Schema;
  /** The name of `schema` in the catalog's definitions, where it has one. */
  readonly definition?: string;
  readonly workload?: WorkloadPaths;
  /** Comes from a CustomResourceDefinition: merge patch instead of strategic, pruning, defaulting from the schema. */
  readonly custom: boolean;
  /** The version in which objects of this resource are stored; the same object is served in every version. */
  readonly storageVersion: string;
  /** The group in which objects are stored, where it is another one: events.k8s.io keeps its events in the core group. */
  readonly storageGroup?: string;
  /** The revision at which a custom kind got its present defaults: objects stored before are completed when they are read. */
  readonly defaultsSince?: number;
  /** Sent as a warning with every answer about this version, which is deprecated. */
  readonly deprecationWarning?: string;
}

/** All kinds that a hub serves at a moment; replaced as a whole when a CRD changes. */
export interface Catalog {
  readonly kinds: readonly KindInfo[];
  readonly definitions: Definitions;
  /** The core group (named '') first, then the others in the order in which discovery lists them. */
  readonly groups: readonly GroupInfo[];
  byResource(group: string, version: string, plural: string): KindInfo | undefined;
  byKind(apiVersion: string, kind: string): KindInfo | undefined;
  /**
   * Finds the kinds that a user may mean by a plural, a singular, a short name or a kind in any case, alone or followed
   * by `.group` or `.version.group`: the preferred version of each group that has such a resource, in order of groups.
   */
  byName(name: string): readonly KindInfo[];
}
