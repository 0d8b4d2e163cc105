import type { FieldError, KindInfo, KubeObject } from '../api/index.ts';
import type { HubParts } from './call.ts';
import type { Draft } from './draft.ts';
import type { NameRule } from './names.ts';

/**
 * What a built-in kind does beyond its schema: how its names look, what it fills in, what it refuses.
 * `defaults` runs on every write before admission; the others as their names say. None does I/O of its own.
 */
export interface Strategy {
  readonly names?: NameRule;
  /** Counts changes of its spec in metadata.generation; custom resources always do. */
  readonly generation?: boolean;
  /** A PUT of an object that does not exist creates it. */
  readonly createOnUpdate?: boolean;
  /** Fields that a write of the object must not touch, because a subresource writes them; `status` where there is one. */
  readonly statusFields?: readonly string[];
  /** Keeps the written object when it goes: a pod on a live node waits for its kubelet. Seconds of grace, 0 for at once. */
  grace?(object: KubeObject, asked: number | undefined, parts: HubParts): number;
  defaults?(draft: Draft): void;
  prepareCreate?(draft: Draft, parts: HubParts): void;
  prepareUpdate?(draft: Draft, old: KubeObject, parts: HubParts): void;
  validate?(object: Draft): readonly FieldError[];
  validateUpdate?(object: Draft, old: KubeObject): readonly FieldError[];
  /** May this object really go, now that it has no finalizers? */
  isDone?(object: KubeObject): boolean;
}

const nothing: Strategy = {};
const strategies = new Map<string, Strategy>();

/** The strategy of a kind; an empty one for kinds that need nothing special. */
export function strategyOf(kind: KindInfo): Strategy {
  return kind.custom ? nothing : (strategies.get(`${kind.group}/${kind.plural}`) ?? nothing);
}

/** Adds strategies by `group/plural`; the tables of builtin/ call it when the room is loaded. */
export function addStrategies(table: Readonly<Record<string, Strategy>>): void {
  for (const [resource, strategy] of Object.entries(table)) strategies.set(resource, strategy);
}
