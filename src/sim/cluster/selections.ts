import type { StoredChange } from '../../apiserver/index.ts';
import { Multimap } from '../../base/index.ts';
import { selectsLabels } from '../../api/index.ts';
import type { KubeObject, LabelSelector } from '../../api/index.ts';

type Labels = Readonly<Record<string, string>> | undefined;

const groupOf = (namespace = '', name: string, value: string): string => `${namespace} ${name}=${value}`;

function* groupsOf({ metadata }: KubeObject): Generator<string> {
  const labels: Labels = metadata.labels;
  for (const name in labels) yield groupOf(metadata.namespace, name, labels[name] ?? '');
}

/** Pods by namespace and label, so that finding the pods of a selector does not read the others. */
export class PodLabels {
  readonly #pods = new Multimap<string>();

  learn(resource: string, { key, before, after }: StoredChange): void {
    if (resource !== '/pods' || before?.metadata.labels === after?.metadata.labels) return;
    if (before) for (const group of groupsOf(before)) this.#pods.delete(group, key);
    if (after) for (const group of groupsOf(after)) this.#pods.add(group, key);
  }

  clear(): void {
    this.#pods.clear();
  }

  /**
   * A set of keys, in order, that has every pod which the selector selects; it may have others.
   * Undefined for a selector without `matchLabels`, which no index can answer.
   */
  candidates(namespace: string, { matchLabels }: LabelSelector): readonly string[] | undefined {
    let smallest: ReadonlySet<string> | undefined;
    for (const name in matchLabels) {
      const keys = this.#pods.of(groupOf(namespace, name, matchLabels[name] ?? ''));
      if (!smallest || keys.size < smallest.size) smallest = keys;
    }
    return smallest && [...smallest].sort();
  }
}

interface SelectorEntry {
  readonly group: string;
  readonly selector: LabelSelector;
}

/** Reads the pod selector of an object; undefined when it selects nothing. */
export type SelectorOf = (object: KubeObject) => LabelSelector | undefined;

/** Objects that select pods, by one label of their selector, so that a pod finds them without reading all of them. */
export class Selectors {
  readonly #resource: string;
  readonly #selectorOf: SelectorOf;
  readonly #entries = new Map<string, SelectorEntry>();
  readonly #groups = new Multimap<string>();

  /** `resource` is `group/plural` of the objects that select. */
  constructor(resource: string, selectorOf: SelectorOf) {
    this.#resource = resource;
    this.#selectorOf = selectorOf;
  }

  learn(resource: string, { key, after }: StoredChange): void {
    if (resource !== this.#resource) return;
    const entry = this.#entries.get(key);
    if (entry) this.#groups.delete(entry.group, key);
    this.#entries.delete(key);
    const selector = after && this.#selectorOf(after);
    if (!selector) return;
    const group = this.#rarest(after.metadata.namespace ?? '', selector);
    this.#entries.set(key, { group, selector });
    this.#groups.add(group, key);
  }

  clear(): void {
    this.#entries.clear();
    this.#groups.clear();
  }

  /** The keys of the objects that select a pod, or did before it changed. */
  of({ before, after }: StoredChange): readonly string[] {
    const found = new Set<string>();
    for (const pod of [before, after]) if (pod) for (const key of this.#selecting(pod)) found.add(key);
    return [...found];
  }

  *#selecting(pod: KubeObject): Generator<string> {
    for (const group of [anyGroup(pod.metadata.namespace), ...groupsOf(pod)])
      for (const key of this.#groups.of(group)) {
        const selector = this.#entries.get(key)?.selector;
        if (selector && selectsLabels(selector, pod.metadata.labels)) yield key;
      }
  }

  /** The label of the selector under which the fewest objects are found. */
  #rarest(namespace: string, { matchLabels }: LabelSelector): string {
    let best: string | undefined;
    for (const name in matchLabels) {
      const group = groupOf(namespace, name, matchLabels[name] ?? '');
      if (best === undefined || this.#groups.of(group).size < this.#groups.of(best).size) best = group;
    }
    return best ?? anyGroup(namespace);
  }
}

/** The group of selectors that name no label. No label has an empty name. */
const anyGroup = (namespace = ''): string => groupOf(namespace, '', '');
