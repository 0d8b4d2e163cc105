import type { AggregatedStatusItem, KubeObject } from '../../../api/index.ts';
import { isObject } from '../../../base/index.ts';

/** The fields of a status. */
export type Fields = Readonly<Record<string, unknown>>;

/** The product's knowledge about the status of a kind. */
export interface StatusKind {
  /** The part of a member's status that is reported to the hub, undefined for nothing. Absent: all of it. */
  readonly reflect?: (object: KubeObject, status: Fields) => unknown;
  /** Absent: it is well as soon as it exists. */
  readonly healthy?: (object: KubeObject, status: Fields) => boolean;
  /** The template's status from what is reported; undefined when there is nothing to say yet. Absent: it gets none. */
  readonly aggregate?: (template: KubeObject, items: readonly AggregatedStatusItem[]) => unknown;
}

/** The number in a field; 0 for anything else. */
export const numberOf = (value: unknown): number => (typeof value === 'number' ? value : 0);

/** The status of an object, if it has one. */
export function statusOf(object: KubeObject): Fields | undefined {
  const { status } = object as KubeObject & { readonly status?: unknown };
  return isObject(status) ? status : undefined;
}

/** The status that a member reported; empty when it has not reported yet. */
export function reportedBy({ status }: AggregatedStatusItem): Fields {
  return isObject(status) ? status : {};
}

/** The fields of these names that a status has. */
export function pick(status: Fields, names: readonly string[]): Record<string, unknown> {
  const picked: Record<string, unknown> = {};
  for (const name of names) if (status[name] !== undefined) picked[name] = status[name];
  return picked;
}

/** Counters added up over members. */
export function sums(items: readonly AggregatedStatusItem[], names: readonly string[]): Record<string, number> {
  const total: Record<string, number> = {};
  for (const name of names) total[name] = items.reduce((sum, item) => sum + numberOf(reportedBy(item)[name]), 0);
  return total;
}

/** A list in a status; empty when there is none. */
export function listOf(status: Fields, name: string): readonly Fields[] {
  const list = status[name];
  return Array.isArray(list) ? list.filter(isObject) : [];
}
