import { keyOf, refOf } from '../../api/index.ts';
import type { KubeObject } from '../../api/index.ts';

/** A difference between what was known of an object and what is. */
export interface ReflectedChange {
  readonly key: string;
  /** The state reported last; only where the reflector is asked to remember. */
  readonly before?: KubeObject | undefined;
  /** Undefined: the object is gone. */
  readonly after: KubeObject | undefined;
  /** The revision at which this was so; of a deletion, that of the deletion or of the list in which it was missed. */
  readonly revision: string;
  /** `watch`: it has just happened. `list`: it was found when everything was read, and may be long past. */
  readonly origin: 'watch' | 'list';
  /** The server's revisions started over: this counts although its revision is lower than one seen before. */
  readonly rewound?: true;
}

/** How a reading of the whole collection is to be told. */
export interface Reading {
  readonly seen: Set<string>;
  readonly rewound: boolean;
}

/** The state of an object that was reported last. */
interface Told {
  readonly revision: string;
  readonly uid: string | undefined;
  readonly object?: KubeObject;
}

/**
 * The objects that a reflector has reported so far; it reports nothing twice. The receiver keeps the objects, unless
 * the reflector remembers.
 */
export class Known {
  readonly #remembers: boolean;
  readonly #told = new Map<string, Told>();

  constructor(remembers = false) {
    this.#remembers = remembers;
  }

  get size(): number {
    return this.#told.size;
  }

  /** The change that an event amounts to, if it is one. */
  event(type: 'ADDED' | 'MODIFIED' | 'DELETED', object: KubeObject): ReflectedChange | undefined {
    const key = keyOf(refOf(object));
    const known = this.#told.get(key);
    const told = this.#toldOf(object);
    const { revision } = told;
    if (type === 'DELETED') {
      this.#told.delete(key);
      return known && { key, ...beforeOf(known), after: undefined, revision, origin: 'watch' };
    }
    if (known?.revision === revision) return undefined;
    this.#told.set(key, told);
    return { key, ...beforeOf(known), after: object, revision, origin: 'watch' };
  }

  /** The change that an object in a reading of the collection amounts to. */
  read(object: KubeObject, { seen, rewound }: Reading): ReflectedChange | undefined {
    const key = keyOf(refOf(object));
    seen.add(key);
    const known = this.#told.get(key);
    const told = this.#toldOf(object);
    const { revision } = told;
    if (known?.revision === revision && known.uid === told.uid) return undefined;
    this.#told.set(key, told);
    return { key, ...beforeOf(known), after: object, revision, origin: 'list', ...(rewound && { rewound: true }) };
  }

  /** Objects that the reading did not find are gone. */
  missed({ seen, rewound }: Reading, revision: string): readonly ReflectedChange[] {
    const changes: ReflectedChange[] = [];
    for (const [key, known] of this.#told) {
      if (seen.has(key)) continue;
      this.#told.delete(key);
      const again = rewound && ({ rewound: true } as const);
      changes.push({ key, ...beforeOf(known), after: undefined, revision, origin: 'list', ...again });
    }
    return changes;
  }

  #toldOf(object: KubeObject): Told {
    const { resourceVersion = '', uid } = object.metadata;
    return { revision: resourceVersion, uid, ...(this.#remembers && { object }) };
  }
}

function beforeOf(known: Told | undefined): { readonly before?: KubeObject } {
  return known?.object ? { before: known.object } : {};
}
