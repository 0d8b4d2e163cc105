import type { ResourceName } from './errors.ts';
import type { KubeObject } from './meta.ts';

/** One object before and after a change; neither is set twice: no `before` is a creation, no `after` a deletion. */
export interface ObjectChange {
  readonly before?: KubeObject;
  readonly after?: KubeObject;
}

/** The hub's objects as they are now, read from memory. */
export interface Objects {
  get(resource: ResourceName, namespace: string, name: string): KubeObject | undefined;
  /** Tells of everything that exists before it returns, then of every change; the returned function ends it. */
  follow(resource: ResourceName, onChange: (change: ObjectChange) => void): () => void;
}
