import type { KubeObject, Ref } from '../../../src/api/index.ts';
import type { ProposedChange } from '../../../src/engine/index.ts';
import type { Story } from './anything.ts';
import type { Event } from './event.ts';

/**
 * Many stories are told at once on one hub, each in a world of its own: namespaces and policies of a cluster are called
 * after the world, and no selector reaches beyond it.
 */
export function relocated({ story, change }: { story: Story; change: ProposedChange }, world: string): Relocated {
  const move = new Move(world);
  return {
    steps: story.steps.map(({ event, pause }) => ({ event: move.event(event), pause })),
    change: {
      apply: (change.apply ?? []).map((object) => move.object(object)),
      delete: (change.delete ?? []).map((ref) => move.ref(ref)),
    },
  };
}

/** A story in its own world, and what somebody thinks of doing at its end. */
export interface Relocated {
  readonly steps: Story['steps'];
  readonly change: Required<ProposedChange>;
}

interface Selects {
  readonly namespace?: string;
}

class Move {
  readonly #world: string;

  constructor(world: string) {
    this.#world = world;
  }

  event(event: Event): Event {
    if (event.do === 'apply') return { ...event, object: this.object(event.object) };
    return 'ref' in event ? { ...event, ref: this.ref(event.ref) } : event;
  }

  ref(ref: Ref): Ref {
    const { namespace } = ref;
    return namespace ? { ...ref, namespace: this.#namespaces(namespace) } : { ...ref, name: this.#named(ref.name) };
  }

  object(object: KubeObject): KubeObject {
    const { metadata, spec } = object as KubeObject & { readonly spec?: Spec };
    const { namespace, name } = metadata;
    const moved = namespace ? { namespace: this.#namespaces(namespace) } : { name: this.#named(name) };
    const rules = spec?.resourceSelectors && {
      spec: {
        ...spec,
        resourceSelectors: spec.resourceSelectors.map((rule) => this.#selector(rule, namespace === undefined)),
        ...(spec.excludedResources && {
          excludedResources: spec.excludedResources.map((rule) => this.#selector(rule, false)),
        }),
      },
    };
    return { ...object, metadata: { ...metadata, ...moved }, ...rules };
  }

  #named(name: string): string {
    return `${this.#world}-${name}`;
  }

  /** A policy of the cluster that names no namespace would reach into other worlds. */
  #selector(rule: Selects, everywhere: boolean): Selects {
    if (rule.namespace) return { ...rule, namespace: this.#namespaces(rule.namespace) };
    return everywhere ? { ...rule, namespace: `${this.#world}*` } : rule;
  }

  #namespaces(list: string): string {
    return list
      .split(',')
      .map((name) => `${this.#world}${name}`)
      .join(',');
  }
}

interface Spec {
  readonly resourceSelectors?: readonly Selects[];
  readonly excludedResources?: readonly Selects[];
}
