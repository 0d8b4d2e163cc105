import { reconcileAnnotation } from '../../api/index.ts';
import type { KubeObject, Work } from '../../api/index.ts';
import { equal } from '../../base/index.ts';
import { fingerprintOf, isFingerprintOf } from '../claim/fingerprint.ts';
import { compareOverrides, isSamePolicy, overridesFromWorks } from './record.ts';
import type { ActiveOverride, OverrideRecord } from './record.ts';

/** All that decides which overrides a template has. */
export interface OverrideFacts {
  readonly template: KubeObject;
  /** The override policies that select it now, in order. */
  readonly selecting: readonly ActiveOverride[];
  readonly record: OverrideRecord | undefined;
  /** The Works of the template so far, by member. */
  readonly works: ReadonlyMap<string, Work>;
}

/** The overrides to apply, what to remember of them, and what waits. */
export interface OverridesInEffect {
  readonly overrides: readonly ActiveOverride[];
  /** Undefined when there is nothing to remember. */
  readonly record: OverrideRecord | undefined;
  /** Lazy policies whose edit, arrival or deletion waits for the template's next change. */
  readonly pending: readonly ActiveOverride[];
}

/**
 * Which overrides does a template have? Those that select it, as they are now. A lazy one counts as it was when the template
 * last changed, or when that was last requested; nothing of it, when it came after that. Where nobody recorded which came
 * first, the lazy policy waits.
 */
export function overridesInEffect(facts: OverrideFacts): OverridesInEffect {
  const { selecting, works } = facts;
  if (selecting.length === 0 && !facts.record) return none;
  const before = facts.record?.overrides ?? overridesFromWorks(works);
  const staying = left(selecting, facts.record?.overrides ?? []);
  const overrides = isDue(facts) ? selecting : [...followed(selecting, before), ...staying];
  const pending = [...selecting, ...staying].filter((one) => !isFollowed(one, overrides, selecting));
  const isLazy = overrides.some((one) => one.isLazy) || selecting.some((one) => one.isLazy);
  const sorted = [...overrides].sort(compareOverrides);
  return { overrides: sorted, record: recordOf(facts, sorted, isLazy), pending };
}

const none: OverridesInEffect = { overrides: [], record: undefined, pending: [] };

/**
 * Tells whether the template's content, or a request, is newer than the one to which lazy overrides were last applied.
 */
function isDue({ template, record, works }: OverrideFacts): boolean {
  if (!record) return works.size === 0;
  if (record.template === undefined) return false;
  return !isFingerprintOf(record.template, template) || record.request !== requestOn(template);
}

function requestOn({ metadata }: KubeObject): string | undefined {
  return metadata.annotations?.[reconcileAnnotation];
}

/** Immediate policies as they are now, lazy ones as they were. */
function followed(selecting: readonly ActiveOverride[], before: readonly ActiveOverride[]): readonly ActiveOverride[] {
  return selecting.flatMap((now) => {
    if (!now.isLazy) return now;
    const was = before.find((one) => isSamePolicy(one, now));
    return was ? { ...was, precision: now.precision, isLazy: true } : [];
  });
}

/** Lazy policies that are gone, or no longer select the template: what they said stays for now. */
function left(selecting: readonly ActiveOverride[], before: readonly ActiveOverride[]): readonly ActiveOverride[] {
  return before.filter((was) => was.isLazy && !selecting.some((now) => isSamePolicy(now, was)));
}

function isFollowed(
  one: ActiveOverride,
  overrides: readonly ActiveOverride[],
  selecting: readonly ActiveOverride[],
): boolean {
  if (!selecting.includes(one)) return !overrides.includes(one);
  return overrides.some((other) => isSamePolicy(other, one) && equal(other.rules, one.rules));
}

function recordOf(
  { template, record }: OverrideFacts,
  overrides: readonly ActiveOverride[],
  isLazy: boolean,
): OverrideRecord | undefined {
  if (overrides.length === 0 && !isLazy) return undefined;
  if (!isLazy) return { overrides };
  const request = requestOn(template);
  const known = record?.template;
  const content = known !== undefined && isFingerprintOf(known, template) ? known : fingerprintOf(template);
  return { template: content, ...(request && { request }), overrides };
}
