import { keyOf } from '../../api/index.ts';
import type { Binding, KubeObject, View, Work } from '../../api/index.ts';
import { ownsBinding } from '../claim/index.ts';
import { brakesOf } from '../hold/index.ts';
import type { Brakes } from '../hold/index.ts';
import { bindingIdOf, worksPost } from '../match/index.ts';

/** Changes a manifest for one cluster; throws nothing, returns what went wrong. */
export type Override = (manifest: KubeObject, cluster: string) => Overridden;

export interface Overridden {
  readonly manifest: KubeObject;
  /** Annotations that the Work carries to say which overrides were applied. */
  readonly annotations?: Readonly<Record<string, string>>;
  readonly error?: string;
}

/** Overrides nothing; the place where override policies will come in. */
export const noOverride: Override = (manifest) => ({ manifest });

/** All that the Works of one binding depend on. */
export interface RenderFacts {
  readonly binding: Binding;
  /** Undefined when it is gone, or when the name now belongs to another object. */
  readonly template: KubeObject | undefined;
  /** The Works that exist, by member. */
  readonly works: ReadonlyMap<string, Work>;
  readonly brakes: Brakes;
  readonly override: Override;
}

/** Gathers the facts; undefined when the binding does not exist. */
export function gatherRender(view: View, key: string, override: Override = noOverride): RenderFacts | undefined {
  const binding = view.get(key) as Binding | undefined;
  if (!binding) return undefined;
  const named = view.get(keyOf(binding.spec.resource));
  const template = named && ownsBinding(named, binding) ? named : undefined;
  return { binding, template, works: worksOf(view, binding), brakes: brakesOf(view, binding, template), override };
}

/** The Works of a binding, by member. */
export function worksOf(view: View, binding: Binding): ReadonlyMap<string, Work> {
  const works = new Map<string, Work>();
  const id = bindingIdOf(binding);
  if (!id) return works;
  view.each(worksPost(id), (work) => {
    works.set(work.metadata.namespace?.slice('karmada-es-'.length) ?? '', work as Work);
  });
  return works;
}
