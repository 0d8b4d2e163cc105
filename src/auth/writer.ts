import type { KubeObject, ResourceName } from '../api/index.ts';

/** Writes to the hub's objects. Each throws an ApiError when the hub refuses. */
export interface Writer {
  create(resource: ResourceName, object: object): Promise<void>;
  /** The resourceVersion in the object is the precondition. */
  replace(resource: ResourceName, object: KubeObject): Promise<void>;
  /** Writes the status; the resourceVersion in the object is the precondition. */
  replaceStatus(resource: ResourceName, object: KubeObject): Promise<void>;
  /** Deletes this very object: its uid is the precondition. */
  remove(resource: ResourceName, object: KubeObject): Promise<void>;
}
