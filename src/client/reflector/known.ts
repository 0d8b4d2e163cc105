import { keyOf, refOf } from '../../api/index.ts';
import type { KubeObject } from '../../api/index.ts';

/** A difference between what was known of an object and what is. */
export interface ObjectChange {
  readonly key: string;
  readonly before: KubeObject | undefined;
  /** Undefined: the object is gone. */
  readonly after: KubeObject | undefined;
  /** The revision at which this was so; of a deletion, that of the deletion or of the list in which it was missed. */
  readonly revision: string;
  /** `watch`: it has just happened. `list`: it was found when everything was read, and may be long past. */
  readonly origin: 'watch' | 'list';
  /** The server's revisions began anew: this counts although its revision is lower than one seen before. */
  readonly rewound?: true;
}

/** How a reading of the whole collection is to be told. */
export interface Reading {
  readonly seen: Set<string>;
  readonly rewound: boolean;
}

/** What a reflector has told so far; it tells nothing twice. */
export class Known {
  readonly #objects = new Map<string, KubeObject>();

  get size(): number {
    return this.#objects.size;
  }

  /** The change that an event amounts to, if it is one. */
  event(type: 'ADDED' | 'MODIFIED' | 'DELETED', object: KubeObject): ObjectChange | undefined {
    const key = keyOf(refOf(object));
    const before = this.#objects.get(key);
    const revision = object.metadata.resourceVersion ?? '';
    if (type === 'DELETED') {
      this.#objects.delete(key);
      return before && { key, before, after: undefined, revision, origin: 'watch' };
    }
    if (before && before.metadata.resourceVersion === revision) return undefined;
    this.#objects.set(key, object);
    return { key, before, after: object, revision, origin: 'watch' };
  }

  /** The change that an object in a reading of the collection amounts to. */
  read(object: KubeObject, { seen, rewound }: Reading): ObjectChange | undefined {
    const key = keyOf(refOf(object));
    seen.add(key);
    const before = this.#objects.get(key);
    const revision = object.metadata.resourceVersion ?? '';
    if (before && before.metadata.resourceVersion === revision && before.metadata.uid === object.metadata.uid) {
      return undefined;
    }
    this.#objects.set(key, object);
    return { key, before, after: object, revision, origin: 'list', ...(rewound && { rewound: true }) };
  }

  /** What the reading did not meet is gone. */
  missed({ seen, rewound }: Reading, revision: string): readonly ObjectChange[] {
    const changes: ObjectChange[] = [];
    for (const [key, before] of this.#objects) {
      if (seen.has(key)) continue;
      this.#objects.delete(key);
      changes.push({ key, before, after: undefined, revision, origin: 'list', ...(rewound && { rewound: true }) });
    }
    return changes;
  }
}
