import type { Schema } from '../../api/index.ts';
import { isObject } from '../../base/index.ts';
import type { Check } from './checks.ts';
import type { Run } from './run.ts';

/** Lists of type map and set have no key, or no item, twice. */
export function duplicateChecks(schema: Schema): Check[] {
  const type = schema['x-kubernetes-list-type'];
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  if (type === 'set') return [onLists((items, run) => reportDuplicates(items, whole, run))];
  if (type !== 'map') return [];
  const identity = byKeys(keys);
  return [
    onLists((items, run) => {
      if (checkObjects(items, run)) reportDuplicates(items, identity, run);
    }),
  ];
}

const onLists =
  (check: (items: readonly unknown[], run: Run) => void): Check =>
  (value, run) => {
    if (Array.isArray(value) && value.length > 0) check(value, run);
  };

function checkObjects(items: readonly unknown[], run: Run): boolean {
  const wrong = items.findIndex((item) => item !== null && !isObject(item));
  if (wrong < 0) return true;
  run.below(wrong, () =>
    run.fail({ type: 'invalid', value: items[wrong], detail: 'must be an object for an array of list-type map' }),
  );
  return false;
}

/** The values of the keys of an item of a map list; a key that is absent stays absent. */
export function keyOf(item: unknown, keys: readonly string[]): Record<string, unknown> {
  const found: Record<string, unknown> = {};
  if (isObject(item)) for (const key of keys) if (item[key] !== undefined) found[key] = item[key];
  return found;
}

/** Each value is reported once, at its second appearance. */
function reportDuplicates(items: readonly unknown[], { same, shown }: Identity, run: Run): void {
  if (items.length < 2) return;
  const times = new Map<unknown, number>();
  for (let i = 0; i < items.length; i++) {
    const id = same(items[i]);
    const seen = (times.get(id) ?? 0) + 1;
    times.set(id, seen);
    if (seen === 2) run.below(i, () => run.fail({ type: 'duplicate', value: shown(items[i]) }));
  }
}

/** The identity of an item as a scalar, and its text for the user. */
interface Identity {
  readonly same: (item: unknown) => unknown;
  readonly shown: (item: unknown) => unknown;
}

const whole: Identity = { same: scalarOf, shown: (item) => item };

function byKeys(keys: readonly string[]): Identity {
  const shown = (item: unknown): unknown => keyOf(item, keys);
  const [only = ''] = keys;
  if (keys.length !== 1) return { same: (item) => scalarOf(shown(item)), shown };
  return { same: (item) => (isObject(item) ? scalarOf(item[only]) : undefined), shown };
}

function scalarOf(value: unknown): unknown {
  return typeof value === 'object' ? `\0${JSON.stringify(value)}` : value;
}
