import type {
  AggregatedStatusItem,
  Component,
  Health,
  KindRef,
  KubeObject,
  Ref,
  ResourceInterpreterCustomization,
  View,
} from '../../api/index.ts';
import { customizationsKey, interpretsKey, webhooksKey } from '../match/index.ts';
import { builtinInterpreter } from './builtin/index.ts';
import { nativeInterpreter } from './native.ts';
import { customized } from './scripts/customized.ts';
import { interpreterByWebhooks } from './webhooks.ts';
import type { Replicas } from './workloads.ts';

/** The answer of a hook. A script may fail: then `error` says why, and `value` is as if the kind had no such hook. */
export interface Interpreted<T> {
  readonly value: T;
  readonly error?: string;
}

/** The reports of members about a template. */
export interface Reports {
  /** Reports of members that have a Work. */
  readonly items: readonly AggregatedStatusItem[];
  /** Members that are to have the object and have no Work yet; native rules wait for them. */
  readonly awaited: readonly AggregatedStatusItem[];
}

/** All that is known of the objects of one kind: one hook for each thing that the controllers need to know. */
export interface Interpreter {
  /** Tells whether scripts are used. Native answers never fail. */
  readonly hasScripts: boolean;
  /** How many replicas the template asks for; undefined for kinds without replicas. */
  replicas(template: KubeObject): Interpreted<Replicas | undefined>;
  /** The parts of a template with several kinds of pods; undefined where the kind has no such parts. */
  components(template: KubeObject): Interpreted<readonly Component[] | undefined>;
  /** The manifest with this many replicas. */
  reviseReplicas(manifest: KubeObject, count: number): Interpreted<KubeObject>;
  /** The desired object with what the member's own controllers wrote into it kept. */
  retain(desired: KubeObject, observed: KubeObject): Interpreted<KubeObject>;
  /** The template's status from those of the members; undefined when there is nothing to say. */
  aggregateStatus(template: KubeObject, reports: Reports): Interpreted<unknown>;
  /** The objects that the template needs; undefined for kinds that need none. */
  dependencies(template: KubeObject): Interpreted<readonly Ref[] | undefined>;
  /** The part of a member's status that is reported to the hub. */
  reflectStatus(present: KubeObject): Interpreted<unknown>;
  /** Tells whether the object is healthy in its member. */
  health(present: KubeObject): Interpreted<Health>;
}

/** The kind that an interpreter is for. */
interface Known {
  readonly customizations: readonly ResourceInterpreterCustomization[];
  readonly base: Interpreter;
  readonly interpreter: Interpreter;
}

const known = new WeakMap<ResourceInterpreterCustomization, Known>();

/**
 * The interpreter of a kind. For each hook the first that has it answers: customizations on the hub in the order of
 * their names, webhooks, customizations that come with the program, native rules. As long as nothing about the kind changes it
 * is the same object.
 */
export function interpreterOf(view: Pick<View, 'has' | 'each' | 'askWebhook'>, kind: KindRef): Interpreter {
  const builtin = builtinInterpreter(kind) ?? nativeInterpreter;
  const base = view.askWebhook && view.has(webhooksKey) ? interpreterByWebhooks(view, kind, builtin) : builtin;
  const key = interpretsKey(kind);
  if (!view.has(key)) return base;
  const customizations: ResourceInterpreterCustomization[] = [];
  view.each(key, (found) => {
    if (!found.metadata.deletionTimestamp) customizations.push(found as ResourceInterpreterCustomization);
  });
  customizations.sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
  return remembered(customizations, base);
}

function remembered(customizations: readonly ResourceInterpreterCustomization[], base: Interpreter): Interpreter {
  const [first] = customizations;
  if (!first) return base;
  const before = known.get(first);
  if (before?.base === base && isSame(before.customizations, customizations)) return before.interpreter;
  const interpreter = customized(
    customizations.map(({ spec }) => spec.customizations),
    base,
  );
  known.set(first, { customizations, base, interpreter });
  return interpreter;
}

function isSame<T>(a: readonly T[], b: readonly T[]): boolean {
  return a.length === b.length && a.every((one, index) => one === b[index]);
}

/** The customizations of a hub; none while it is not read. */
export function customizationsIn(view: Pick<View, 'each'> | undefined): readonly KubeObject[] {
  const found: KubeObject[] = [];
  view?.each(customizationsKey, (customization) => void found.push(customization));
  return found;
}
